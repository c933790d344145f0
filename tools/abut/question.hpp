// A line of `abut query`: one pair of posed shapes.
#pragma once

#include <string>

#include <abut/cast.hpp>
#include <abut/math.hpp>

#include "shape_spec.hpp"

namespace abut::tools {

struct PosedShape {
    ShapeSpec shape;
    Vec3 position;      // infinite where the number is past float's range
    Quat orientation;   // likewise
    Vec3 end_position;  // of a cast, at time 1
    Quat end_orientation;
};

enum class QuestionKind { distance, cast, ray, point };

struct Question {
    std::string id = "null";  // as JSON
    const char* refused =
        nullptr;             // the status of a line that cannot be asked: "bad_input", "bad_shape" or "unsupported"
    std::string message;     // why
    PosedShape a, b;         // of a ray or a point b alone
    Vec3 origin, direction;  // of a ray; a point is its origin
    float target = 0;        // of a cast, metres
    CastStart start = CastStart::stop;
};

// Memory that ends while the line is read is a reason to refuse it. `line` may be changed. Fields of other kinds of
// questions are ignored.
Question read_question(std::string& line, QuestionKind kind = QuestionKind::distance);

}  // namespace abut::tools
