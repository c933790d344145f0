// Pairs of a chunk in lanes, in the frame of A: its axes, and the centre of its core.
#pragma once

#include "base/tolerances.hpp"
#include "d2/convex/plane_lanes.hpp"
#include "simd/doubles.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// What all kinds have: the pose of a body and the head of its shape's record.
struct PlaneBodyW {
    Vec2W position, centre;  // of the body; of its core, in the body's frame
    RotW given, rotation;    // as the caller gave it; unit
    FloatW radius, size;
    RecordsW records;  // of its shape

    // Returns the lanes with a valid pose. The others get the identity, which keeps them harmless. `Record`: Body of
    // the plane, whatever its address' type.
    template <class Record>
    ABUT_INLINE MaskW load(const Record* const* bodies, const abut::d2::RecordTable& of) {
        FloatW first[4], last[4], head[4];
        transpose_records4(bodies, first), transpose_records4(bodies, last, 1);
        static_assert(offsetof(abut::d2::Body, shape) == 4 * sizeof(float));
        const IntW slot = bits_of(last[3]) & IntW(abut::d2::ShapeId::kMaxSlots - 1);
        records.table = of.records, records.word0 = times(slot, of.record_bytes / 4);
        const LaneArray<std::int32_t> at = lanes_of(times(slot, of.record_bytes));
        ABUT_UNROLL(16)
        for (int lane = 0; lane < kLanes; ++lane)
            records.rows[lane] = reinterpret_cast<const float*>(of.records + static_cast<std::uint32_t>(at[lane]));
        transpose_records4(records.rows, head);
        // Adding zero turns -0 into 0, so that signs of zeros decide nothing.
        const FloatW zero = 0.0f, most = abut::d2::kMostMetres, c = last[1] + zero, s = last[2] + zero;
        FloatW squared = c * c + s * s;
        const MaskW good = (abs(first[0]) <= most) & (abs(last[0]) <= most) & (squared >= FloatW(kUnitSquaredLow)) &
                           (squared <= FloatW(kUnitSquaredHigh));
        position = {first[0] + zero, last[0] + zero}, given = {c, s};
        if (!all(good)) {
            const FloatW one = 1.0f;
            position = select(good, position, {zero, zero}), given = {select(good, c, one), select(good, s, zero)};
            squared = select(good, squared, one);
        }
        const FloatW by = FloatW(1.0f) / sqrt(squared);
        rotation = {given.c * by, given.s * by};
        centre = {head[0], head[1]}, radius = head[2], size = head[3];
        return good;
    }
};

// What writing an answer needs of two bodies.
struct PlaneFrameW {
    RotW a_rotation;
    Vec2W a_centre;  // of A's core, in its body's frame
    Vec2W b_from_a;  // from body A's position to body B's, world axes
};

// Two bodies.
struct PlanePairW : PlaneFrameW {
    FloatW radius_a, radius_b;
    Vec2W offset;            // from A's core centre to B's, in A's axes
    RotW rotation;           // of B's axes in A's
    FloatW smaller, larger;  // of the sizes
    FloatW tolerance;        // half of promise 1's bound
    MaskW good;              // lanes with two valid poses

    ABUT_INLINE PlanePairW(const PlaneBodyW& a, const PlaneBodyW& b, MaskW are_good);
    // Moves B.
    ABUT_INLINE void place(Vec2W at) {
        offset = at;
        // The larger size, or the distance of the centres if that is more.
        const FloatW extent = max(larger, max(abs(at.x), abs(at.y)));
        tolerance = FloatW(0.5f * kToleranceSmaller) * smaller + FloatW(0.5f * kToleranceLarger) * extent;
    }
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

// The offset of the cores' centres in A's axes, in double.
ABUT_INLINE DVec2W far_offset(const PlaneBodyW& a, const PlaneBodyW& b) {
    const DRotW ra = widen_unit(a.given), rb = widen_unit(b.given);
    const DVec2W to_b = rb * DVec2W{widen(b.centre.x), widen(b.centre.y)};
    const DVec2W in_a = unrotated(
        ra, {widen(b.position.x) - widen(a.position.x) + to_b.x, widen(b.position.y) - widen(a.position.y) + to_b.y});
    return {in_a.x - widen(a.centre.x), in_a.y - widen(a.centre.y)};
}
// In double only if a core lies beside its body's position by more than its size, because the difference of two far
// points has to keep its last bits.
ABUT_INLINE Vec2W centre_offset(const PlaneBodyW& a, const PlaneBodyW& b, RotW rotation, Vec2W b_from_a) {
    const auto is_near = [](const PlaneBodyW& body) {
        return max(abs(body.centre.x), abs(body.centre.y)) <= body.size;
    };
    const MaskW near = is_near(a) & is_near(b);
    const Vec2W offset = unrotated(a.rotation, b_from_a) + (rotation * b.centre - a.centre);
    if (all(near)) return offset;
    const DVec2W far = far_offset(a, b);
    return select(near, offset, {narrow(far.x), narrow(far.y)});
}

ABUT_INLINE PlanePairW::PlanePairW(const PlaneBodyW& a, const PlaneBodyW& b, MaskW are_good)
    : PlaneFrameW{a.rotation, a.centre, b.position - a.position},
      radius_a(a.radius),
      radius_b(b.radius),
      good(are_good) {
    rotation = {a.rotation.c * b.rotation.c + a.rotation.s * b.rotation.s,
                a.rotation.c * b.rotation.s - a.rotation.s * b.rotation.c};
    smaller = min(a.size, b.size), larger = max(a.size, b.size);
    place(centre_offset(a, b, rotation, b_from_a));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
