// Where a pair's two bodies are, as records: the caller's own where it has records, else made of its columns or of the pair's relative pose.
#pragma once

#include <cmath>

#include <abut/frame.hpp>

#include "frame/chunk.hpp"
#include "tolerances.hpp"

namespace abut {

// The rotation's quaternion [Shepperd 1978]; zero, which is a bad pose, where the axes are not at right angles, of unit length and right-handed.
Quat orientation_of(const Mat44& transform);

// In canonical order.
struct PlacedPair {
    Body a, b;
};

class PairPlacer {
public:
    explicit PairPlacer(const Frame& frame) : PairPlacer(frame.bodies, frame.relative_poses) {}
    PairPlacer(const Bodies& bodies, const Strided<RelativePose>& relative_poses)
        : records_(bodies.records()), columns_(bodies.columns()), relative_poses_(relative_poses) {}

    // Whether the kernels can read the caller's memory as it is.
    bool reads_records() const { return relative_poses_.empty() && !records_.empty(); }
    // One body with itself.
    bool is_self(const Entry& entry) const { return relative_poses_.empty() && entry.a == entry.b; }

    PlacedPair operator()(const Entry& entry) const {
        if (!relative_poses_.empty()) return place_relative(entry);
        if (!records_.empty()) return {records_[entry.a], records_[entry.b]};
        if (!columns_.double_positions.empty()) return place_doubles(entry);
        return {{position(entry.a), columns_.shapes[entry.a], orientation(entry.a)},
                {position(entry.b), columns_.shapes[entry.b], orientation(entry.b)}};
    }

private:
    Vec3 position(std::uint32_t i) const {
        if (!columns_.positions.empty()) return columns_.positions[i];
        const Mat44 m = columns_.transforms[i];
        return {m.m[12], m.m[13], m.m[14]};
    }
    Quat orientation(std::uint32_t i) const {
        return columns_.orientations.empty() ? orientation_of(columns_.transforms[i]) : columns_.orientations[i];
    }

    // The way from A to B in double, as the difference of two floats: whatever takes it in double has 48 bits of it.
    PlacedPair place_doubles(const Entry& entry) const {
        const DVec3 from = columns_.double_positions[entry.a], to = columns_.double_positions[entry.b];
        const DVec3 way = {to.x - from.x, to.y - from.y, to.z - from.z};
        const Vec3 rounded = {static_cast<float>(way.x), static_cast<float>(way.y), static_cast<float>(way.z)};
        const Vec3 rest = {static_cast<float>(rounded.x - way.x), static_cast<float>(rounded.y - way.y), static_cast<float>(rounded.z - way.z)};
        return {{rest, columns_.shapes[entry.a], orientation(entry.a)}, {rounded, columns_.shapes[entry.b], orientation(entry.b)}};
    }

    PlacedPair place_relative(const Entry& entry) const {
        const RelativePose pose = relative_poses_[entry.pair()];
        const ShapeId a = columns_.shapes[entry.a], b = columns_.shapes[entry.b];
        if (entry.swapped()) return {{pose.position, a, pose.orientation}, {{}, b, {}}};
        return {{{}, a, {}}, {pose.position, b, pose.orientation}};
    }

    const Strided<Body> records_;
    const BodyColumns columns_;
    const Strided<RelativePose> relative_poses_;
};

}  // namespace abut
