// d2::Bodies: checks, conversion to records, rotations from angles.
#include <abut/d2/frame_2d.hpp>

#include "base/message.hpp"
#include "base/parallel/fp_environment.hpp"
#include "base/trigonometry.hpp"
#include "batch/frame_checks.hpp"
#include "d2/shapes/body_checks.hpp"

namespace abut::d2 {
namespace {

// Each message begins after the argument's name.
CallResult check_columns(const BodyColumns& columns) {
    const std::size_t count = columns.shapes.size();
    if (const CallResult r = check_strided(".shapes", columns.shapes); !r) return r;
    if (const CallResult r = check_column(".positions", columns.positions, count); !r) return r;
    if (const CallResult r = check_column(".double_positions", columns.double_positions, count); !r) return r;
    if (const CallResult r = check_column(".rotations", columns.rotations, count); !r) return r;
    if (const CallResult r = check_column(".angles", columns.angles, count); !r) return r;
    if (count == 0) return {};
    if (columns.positions.empty() == columns.double_positions.empty())
        return bad_argument(" has neither or both of positions and double_positions, expected one");
    if (columns.rotations.empty() == columns.angles.empty())
        return bad_argument(" has neither or both of rotations and angles, expected one");
    return {};
}

}  // namespace

CallResult check_bodies(const char* name, const Bodies& bodies) {
    if (!bodies.records().empty()) return check_strided(name, bodies.records());
    const CallResult result = check_columns(bodies.columns());
    return result ? CallResult{} : Error{result.error().code, message_of(name, result.error().message)};
}

Rot rotation_of(double angle) {
    const FpEnvironment fp;
    const auto [sine, cosine] = maths::sine_cosine(angle);
    return {float(cosine), float(sine)};
}

Body Bodies::operator[](std::size_t i) const {
    if (!records_.empty()) return records_[i];
    const DVec2 at = position(i);
    return {{float(at.x), float(at.y)},
            columns_.rotations.empty() ? rotation_of(columns_.angles[i]) : columns_.rotations[i],
            columns_.shapes[i]};
}

DVec2 Bodies::position(std::size_t i) const {
    if (!columns_.double_positions.empty()) return columns_.double_positions[i];
    const Vec2 p = columns_.positions[i];
    return {p.x, p.y};
}

}  // namespace abut::d2
