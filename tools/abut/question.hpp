// A line of `abut query`: one pair of posed shapes.
#pragma once

#include <string>

#include <abut/math.hpp>

#include "shape_spec.hpp"

namespace abut::tools {

struct PosedShape {
    ShapeSpec shape;
    Vec3 position;     // infinite where the number is past float's range
    Quat orientation;  // likewise
};

struct Question {
    std::string id = "null";        // as JSON
    const char* refused = nullptr;  // the status of a line that cannot be asked: "bad_input", "bad_shape" or "unsupported"
    std::string message;            // why
    PosedShape a, b;
};

// Memory that ends while the line is read is a reason to refuse it. `line` may be changed.
Question read_question(std::string& line);

}  // namespace abut::tools
