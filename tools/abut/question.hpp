// A line of `abut query`: one pair of posed shapes.
#pragma once

#include <string>

#include <abut/cast.hpp>

#include "spaces.hpp"

namespace abut::tools {

template <class Space>
struct Posed {
    typename Space::Spec shape;
    typename Space::Vector position;       // infinite where the number is past float's range
    typename Space::Rotation orientation;  // likewise
    typename Space::Vector end_position;   // of a cast, at time 1
    typename Space::Rotation end_orientation;
};

enum class QuestionKind { distance, cast, ray, point };
// Of the option --query; distance for any other name.
QuestionKind question_kind(const std::string& name);

struct QuestionHead {
    std::string id = "null";  // as JSON
    const char* refused =
        nullptr;          // the status of a line that cannot be asked: "bad_input", "bad_shape" or "unsupported"
    std::string message;  // why
    float target = 0;     // of a cast, metres
    CastStart start = CastStart::stop;
};

template <class Space>
struct QuestionIn : QuestionHead {
    Posed<Space> a, b;                           // of a ray or a point b alone
    typename Space::Vector origin, direction{};  // of a ray; a point is its origin
};

// Memory that ends while the line is read is a reason to refuse it. `line` may be changed. Fields of other kinds of
// questions are ignored. For the spaces of spaces.hpp.
template <class Space>
QuestionIn<Space> read_question(std::string& line, QuestionKind kind = QuestionKind::distance);

}  // namespace abut::tools
