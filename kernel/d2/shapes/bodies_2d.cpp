// d2::Bodies as records, and rotations from angles.
#include <abut/d2/frame_2d.hpp>

#include "base/parallel/fp_environment.hpp"
#include "base/trigonometry.hpp"

namespace abut::d2 {

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
