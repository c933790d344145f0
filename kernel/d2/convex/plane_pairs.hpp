// Pairs of a chunk in lanes, in the frame of A: its axes, and the centre of its core.
#pragma once

#include "base/tolerances.hpp"
#include "d2/convex/plane_lanes.hpp"
#include "simd/doubles.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// What all kinds have: the pose of a body and the head of its shape's record.
struct PlaneBodyW {
    Vec2W position, centre;  // of the body; of its core, in the body's frame
    RotW rotation;           // unit
    RotW given;              // as the caller gave it
    FloatW radius, size;
    const float* rows[kLanes];  // the shapes' records

    // Returns the lanes with a valid pose. The others get the identity, which keeps them harmless.
    ABUT_INLINE MaskW load(const abut::d2::Body* const* bodies, const std::byte* records, std::uint32_t record_bytes) {
        FloatW pose[4], head[4];
        transpose_records4(bodies, pose);
        for (int lane = 0; lane < kLanes; ++lane)
            rows[lane] =
                reinterpret_cast<const float*>(records + std::size_t(record_bytes) * bodies[lane]->shape.slot());
        transpose_records4(rows, head);
        // Adding zero turns -0 into 0, so that signs of zeros decide nothing.
        const FloatW zero = 0.0f, most = abut::d2::kMostMetres, c = pose[2] + zero, s = pose[3] + zero;
        const FloatW squared = c * c + s * s;
        const MaskW good = (abs(pose[0]) <= most) & (abs(pose[1]) <= most) & (squared >= FloatW(kUnitSquaredLow)) &
                           (squared <= FloatW(kUnitSquaredHigh));
        position = {select(good, pose[0] + zero, zero), select(good, pose[1] + zero, zero)};
        given = {select(good, c, FloatW(1.0f)), select(good, s, zero)};
        rotation = normalised(given);
        centre = {head[0], head[1]}, radius = head[2], size = head[3];
        return good;
    }
};

struct PlanePairW {
    PlaneBodyW a, b;
    Vec2W b_from_a;    // from body A's position to body B's, world axes
    Vec2W offset;      // from A's core centre to B's, in A's axes
    RotW rotation;     // of B's axes in A's
    FloatW tolerance;  // half of promise 1's bound
    FloatW extent;     // the larger size, or the distance of the centres if that is more
    MaskW good;        // lanes with two valid poses

    ABUT_INLINE PlanePairW(const abut::d2::PlaneChunk& chunk, std::uint32_t first);
};

struct DVec2W {
    DoubleW x, y;
};
struct DRotW {
    DoubleW c, s;
};
// A rotation in double: unit, and of the bits that the caller gave.
ABUT_INLINE DRotW widen_unit(RotW r) {
    const DoubleW c = widen(r.c), s = widen(r.s), by = DoubleW(1.0) / sqrt(c * c + s * s);
    return {c * by, s * by};
}
ABUT_INLINE DVec2W operator*(const DRotW& r, const DVec2W& v) { return {r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y}; }
ABUT_INLINE DVec2W unrotated(const DRotW& r, const DVec2W& v) { return {r.c * v.x + r.s * v.y, r.c * v.y - r.s * v.x}; }

// The offset of the cores' centres in A's axes. In double if a core lies beside its body's position, because the
// difference of two far points has to keep its last bits.
ABUT_INLINE Vec2W centre_offset(const PlaneBodyW& a, const PlaneBodyW& b, Vec2W b_from_a) {
    const FloatW zero = 0.0f;
    const MaskW centred = (a.centre.x == zero) & (a.centre.y == zero) & (b.centre.x == zero) & (b.centre.y == zero);
    if (all(centred)) return unrotated(a.rotation, b_from_a);
    const DRotW ra = widen_unit(a.given), rb = widen_unit(b.given);
    const DVec2W to_b = rb * DVec2W{widen(b.centre.x), widen(b.centre.y)};
    const DVec2W between = {widen(b.position.x) - widen(a.position.x) + to_b.x,
                            widen(b.position.y) - widen(a.position.y) + to_b.y};
    const DVec2W in_a = unrotated(ra, between);
    return select(centred, unrotated(a.rotation, b_from_a),
                  {narrow(in_a.x - widen(a.centre.x)), narrow(in_a.y - widen(a.centre.y))});
}

ABUT_INLINE PlanePairW::PlanePairW(const abut::d2::PlaneChunk& chunk, std::uint32_t first) {
    // Lanes past the end repeat the last pair.
    const abut::d2::Body *some_a[kLanes], *some_b[kLanes];
    const abut::d2::Body* const* bodies_a = chunk.pairs->a + first;
    const abut::d2::Body* const* bodies_b = chunk.pairs->b + first;
    if (const std::uint32_t left = chunk.count - first; left < kLanes) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            some_a[lane] = bodies_a[lane < left ? lane : left - 1];
            some_b[lane] = bodies_b[lane < left ? lane : left - 1];
        }
        bodies_a = some_a, bodies_b = some_b;
    }
    good = a.load(bodies_a, chunk.records_a, chunk.bytes_a);
    good &= b.load(bodies_b, chunk.records_b, chunk.bytes_b);
    b_from_a = b.position - a.position;
    offset = centre_offset(a, b, b_from_a);
    rotation = {a.rotation.c * b.rotation.c + a.rotation.s * b.rotation.s,
                a.rotation.c * b.rotation.s - a.rotation.s * b.rotation.c};
    extent = max(max(a.size, b.size), max(abs(offset.x), abs(offset.y)));
    tolerance = FloatW(0.5f * kToleranceSmaller) * min(a.size, b.size) + FloatW(0.5f * kToleranceLarger) * extent;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
