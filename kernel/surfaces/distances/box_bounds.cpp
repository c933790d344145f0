// See box_bounds.hpp. One of the sixteen boxes per lane, in double: a distance may be any number of sizes.
#include "surfaces/distances/box_bounds.hpp"

#include "simd/doubles.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void bound_boxes(const BoxTask& task, double* bounds);

namespace {

struct BoxesW {
    DVec3W centre, half;
};

ABUT_INLINE DVec3W splat(const double (&v)[3]) { return {v[0], v[1], v[2]}; }

ABUT_INLINE BoxesW load_boxes(const BoxTask& task, int first) {
    const auto low = [&](int axis) { return widen(FloatW::load_unaligned(task.low[axis] + first)); };
    const auto high = [&](int axis) { return widen(FloatW::load_unaligned(task.high[axis] + first)); };
    const DVec3W least = {low(0), low(1), low(2)}, most = {high(0), high(1), high(2)};
    return {(most + least) * DoubleW(0.5), (most - least) * DoubleW(0.5)};
}

// The boxes around `boxes`, along the axes of the other frame.
ABUT_INLINE BoxesW seen(const BoxesW& boxes, const FrameChange& to) {
    const auto centre = [&](int i) { return dot(splat(to.axes[i]), boxes.centre) + DoubleW(to.offset[i]); };
    const auto half = [&](int i) { return dot(abs(splat(to.axes[i])), boxes.half); };
    return {{centre(0), centre(1), centre(2)}, {half(0), half(1), half(2)}};
}

ABUT_INLINE DoubleW bound_along_axes(const BoxesW& boxes, const CentredBox& other) {
    const DVec3W gap = abs(boxes.centre - splat(other.centre)) - (boxes.half + splat(other.half));
    const DoubleW zero = 0.0, most = max(gap.x, max(gap.y, gap.z));
    const DVec3W apart = {max(gap.x, zero), max(gap.y, zero), max(gap.z, zero)};
    return select(zero < most, sqrt(dot(apart, apart)), most);
}

struct SlabsW {
    DVec3W axis;
    DoubleW middle, half;
};
ABUT_INLINE SlabsW splat(const Slab& slab) { return {splat(slab.axis), slab.middle, slab.half}; }
ABUT_INLINE SlabsW load_slabs(const ChildSlabs& slabs, int first) {
    const auto load = [&](const float* column) { return widen(FloatW::load_unaligned(column + first)); };
    return {{load(slabs.axis[0]), load(slabs.axis[1]), load(slabs.axis[2])}, load(slabs.middle), load(slabs.half)};
}

// An interval along an axis that contains all points that are both in a box and in its slab.
struct ExtentW {
    DoubleW middle, half;
};
// Splits the axis into a part along the slab's axis, whose extent is that of the slab, and the rest, which is short if
// the axis is nearly normal to the surface.
ABUT_INLINE ExtentW extent(const DVec3W& axis, const BoxesW& boxes, const SlabsW& slabs) {
    const DoubleW cosine = dot(axis, slabs.axis);
    return {dot(axis, boxes.centre) + cosine * (slabs.middle - dot(slabs.axis, boxes.centre)),
            abs(cosine) * slabs.half + dot(abs(axis - slabs.axis * cosine), boxes.half)};
}
ABUT_INLINE DoubleW gap(const ExtentW& a, const ExtentW& b) { return abs(a.middle - b.middle) - (a.half + b.half); }

// Lower bounds on the distance along the axes of the slabs and along the axis between the centres.
ABUT_INLINE DoubleW bound_along_slabs(const BoxTask& task, const BoxesW& boxes, int first) {
    const BoxesW other = {splat(task.other_seen.centre), splat(task.other_seen.half)};
    const SlabsW slabs = load_slabs(*task.slabs, first), other_slab = splat(task.other_slab);
    const DoubleW along = gap({slabs.middle, slabs.half}, extent(slabs.axis, other, other_slab));
    const DoubleW along_other = gap({other_slab.middle, other_slab.half}, extent(other_slab.axis, boxes, slabs));
    const DVec3W between = boxes.centre - other.centre;
    const DoubleW squared = dot(between, between), zero = 0.0;
    const DoubleW apart = gap(extent(between, boxes, slabs), extent(between, other, other_slab));
    const DoubleW along_centres =
        select(zero < apart, apart / sqrt(select(zero < apart, squared, DoubleW(1.0))), DoubleW(-HUGE_VAL));
    return max(max(along, along_other), along_centres);
}

}  // namespace

void bound_boxes(const BoxTask& task, double* bounds) {
    for (int first = 0; first < int(task.count); first += kLanes) {
        const BoxesW boxes = load_boxes(task, first);
        DoubleW bound = bound_along_axes(boxes, task.other_seen);
        const auto goes_on = [&] { return any(~(DoubleW(task.limit) < bound)); };
        if (task.slabs != nullptr && goes_on()) bound = max(bound, bound_along_slabs(task, boxes, first));
        if (goes_on()) bound = max(bound, bound_along_axes(seen(boxes, task.to_other), task.other));
        bound.lo.store_unaligned(bounds + first), bound.hi.store_unaligned(bounds + first + kLanes / 2);
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
