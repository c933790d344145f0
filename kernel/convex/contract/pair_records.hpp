// Records of a pair's two bodies: the caller's own records, or records made of its columns or of the pair's relative
// pose.
#pragma once

#include <abut/frame.hpp>

#include "base/compiler_support.hpp"
#include "convex/contract/chunk.hpp"

namespace abut {

// The rotation as a quaternion [Shepperd 1978]; zero (an invalid pose) if the axes are not perpendicular, of unit
// length and right-handed.
Quat orientation_of(const Mat44& transform);
inline Vec3 translation_of(const Mat44& transform) { return {transform.m[12], transform.m[13], transform.m[14]}; }

// A difference of doubles rounded to the nearest floats, and the rounded difference minus the exact one.
struct RoundedOffset {
    Vec3 rounded;
    DVec3 more;
};
inline RoundedOffset rounded_offset(const DVec3& from, const DVec3& to) {
    const DVec3 offset = {to.x - from.x, to.y - from.y, to.z - from.z};
    const Vec3 rounded = {static_cast<float>(offset.x), static_cast<float>(offset.y), static_cast<float>(offset.z)};
    return {rounded, {rounded.x - offset.x, rounded.y - offset.y, rounded.z - offset.z}};
}

// The bodies of a pair in canonical order.
struct PosedPair {
    Body a, b;
};

// Keeps references: the bodies and poses must outlive the builder.
class PairRecordBuilder {
public:
    explicit PairRecordBuilder(const Frame& frame) : PairRecordBuilder(frame.bodies, frame.relative_poses) {}
    PairRecordBuilder(const Bodies& bodies, const Strided<RelativePose>& relative_poses)
        : records_(bodies.records()), columns_(bodies.columns()), relative_poses_(relative_poses) {}

    // True if the kernels can read the records in the caller's memory.
    bool reads_records() const { return relative_poses_.empty() && !records_.empty(); }
    // True for a pair of a body with itself.
    bool is_self(const Entry& entry) const { return relative_poses_.empty() && entry.a == entry.b; }

    PosedPair operator()(const Entry& entry) const {
        PosedPair out;
        put(entry, out.a, out.b);
        return out;
    }
    // Writes field by field into the output, because copies of a chunk's pairs are expensive.
    ABUT_ALWAYS_INLINE void put(const Entry& entry, Body& a, Body& b) const {
        if (!relative_poses_.empty()) {
            put_relative(entry, a, b);
        } else if (!records_.empty()) {
            a = records_[entry.a], b = records_[entry.b];
        } else if (!columns_.double_positions.empty()) {
            put_ways(entry, a.position, b.position);
            put_rest(entry.a, a), put_rest(entry.b, b);
        } else {
            put_body(entry.a, a), put_body(entry.b, b);
        }
    }
    // Writes one body from columns of floats.
    ABUT_ALWAYS_INLINE void put_body(std::uint32_t i, Body& out) const {
        out.position = columns_.positions.empty() ? translation_of(columns_.transforms[i]) : columns_.positions[i];
        put_rest(i, out);
    }

private:
    // Writes all columns of a body except the position.
    ABUT_ALWAYS_INLINE void put_rest(std::uint32_t i, Body& out) const {
        out.shape = columns_.shapes[i];
        out.orientation =
            columns_.orientations.empty() ? orientation_of(columns_.transforms[i]) : columns_.orientations[i];
    }

    // Writes the offset from A to B as the difference of two floats: an offset in double has 48 bits.
    ABUT_ALWAYS_INLINE void put_ways(const Entry& entry, Vec3& of_a, Vec3& of_b) const {
        const auto [rounded, more] =
            rounded_offset(columns_.double_positions[entry.a], columns_.double_positions[entry.b]);
        of_a = {static_cast<float>(more.x), static_cast<float>(more.y), static_cast<float>(more.z)};
        of_b = rounded;
    }

    void put_relative(const Entry& entry, Body& a, Body& b) const {
        const RelativePose pose = relative_poses_[entry.pair()];
        const Body here = {{}, {}, {}}, there = {pose.position, {}, pose.orientation};
        a = entry.swapped() ? there : here, b = entry.swapped() ? here : there;
        a.shape = columns_.shapes[entry.a], b.shape = columns_.shapes[entry.b];
    }

    const Strided<Body>& records_;
    const BodyColumns& columns_;
    const Strided<RelativePose>& relative_poses_;
};

}  // namespace abut
