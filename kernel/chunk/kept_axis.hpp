// Contacts of touching pairs that hardly move: along the axis of a frame before, without a search.
//
// For any axis, the distance between the two shapes' support planes along it is no greater than their signed distance. So an axis gives a lower bound
// wherever the shapes are. What the signed distance was in the frame before, plus the motion since then, is an upper bound. Where both differ by less
// than the contact slack, contacts along the axis are as good as those along the exact normal. The contacts themselves are clipped again in every
// frame: nothing lags behind.
#pragma once

#include "chunk/begin.hpp"
#include "lanes/polytope.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace kept_detail {

// An upper bound on the distance of a point (in the core's frame) outside the core's planes; infinite for cores without such a bound.
template <class Core>
ABUT_INLINE FloatW outside(const Core&, Vec3W, std::uint32_t) {
    return HUGE_VALF;
}
ABUT_INLINE FloatW outside(const ExtentCore& core, Vec3W p, std::uint32_t) {
    const Vec3W over = abs(p) - core.extent;
    return max(over.x, max(over.y, over.z));
}
inline FloatW outside(const HullCore& core, Vec3W p, std::uint32_t lanes) {
    const LaneArray<float> x = lanes_of(p.x), y = lanes_of(p.y), z = lanes_of(p.z);
    const LaneArray<float> scale[3] = {lanes_of(core.scale.x), lanes_of(core.scale.y), lanes_of(core.scale.z)};
    FloatW most[kLanes];
    for (FloatW& lane : most) lane = HUGE_VALF;
    for_each_lane(lanes, [&](int lane) {
        const Polytope polytope = polytope_of(core, scale, lane);
        if (polytope.hull->face_count == 0) return;
        const Vec3W point = {x[lane], y[lane], z[lane]};
        most[lane] = -HUGE_VALF;
        for (std::uint32_t i = 0; i < polytope.hull->padded_faces; i += kLanes) {
            const PlaneW plane =
                polytope.stretch == Stretch::even ? load_planes<Stretch::even>(polytope, i) : load_planes<Stretch::uneven>(polytope, i);
            most[lane] = max(most[lane], dot(plane.normal, point) - plane.offset);
        }
    });
    return reduce_max_each(most);
}
template <Curved Core>
ABUT_INLINE FloatW outside(const Core& core, Vec3W p, std::uint32_t) {
    if (core.kind != ShapeKind::cylinder) return HUGE_VALF;
    return max(sqrt(p.x * p.x + p.z * p.z) - core.extent.x, abs(p.y) - core.extent.y);
}

}  // namespace kept_detail

// Returns those of `lanes` that surely overlap: the deepest contact, moved a little towards the others, is in both cores. All have three contacts at
// least.
template <class Pair>
ABUT_INLINE std::uint32_t surely_overlap(const Pair& pair, const ManifoldW& manifold, std::uint32_t lanes) {
    using namespace kept_detail;
    const Vec3W inwards = (manifold.point[1] - manifold.point[0]) + (manifold.point[2] - manifold.point[0]);
    const Vec3W point = manifold.point[0] + inwards * FloatW(kInwardShare);
    const FloatW in_a = outside(pair.a, point, lanes), in_b = outside(pair.b, rotate_back(pair.rotation, point - pair.offset), lanes);
    return (max(in_a, in_b) <= FloatW(kCertificateShare) * pair.tolerance).bits() & lanes;
}

// A lower bound on the depth of A below the middle of its side of the contacts, metres; 0 if it is small, unknown, or the lane has no contacts of
// faces.
template <class Pair>
ABUT_INLINE FloatW depth_below(const Pair& pair, const ManifoldW& manifold, std::uint32_t lanes) {
    const std::uint32_t of_faces = lanes & manifold.has[kContactsOfFaces - 1];
    if (of_faces == 0) return 0.0f;
    const MaskW has_four = MaskW::from_bits(manifold.has[kManifoldPoints - 1]);
    const FloatW quarter = 0.25f, last_separation = select(has_four, manifold.separation[3], manifold.separation[0]);
    const Vec3W last = select(has_four, manifold.point[3], manifold.point[0]);
    const Vec3W middle = ((manifold.point[0] + manifold.point[1]) + (manifold.point[2] + last)) * quarter;
    const FloatW apart = ((manifold.separation[0] + manifold.separation[1]) + (manifold.separation[2] + last_separation)) * quarter;
    const FloatW deep = FloatW(kDeepBelowShare) * pair.smaller + pair.radius_a;
    const MaskW is_in_a = kept_detail::outside(pair.a, middle - manifold.normal * (apart * FloatW(0.5f) + deep), of_faces) <= FloatW(0.0f);
    return select(is_in_a & MaskW::from_bits(of_faces), deep * pair.to_world.unit, FloatW(0.0f));
}

// The axis lies in A's frame. What it cannot answer starts from the beginning.
template <class CoreA, class CoreB>
void run_kept_axis(Run& run) {
    for_each_group<CoreA, CoreB>(run.chunk, run.kept_axis,
                                 [&](const auto& pair, const std::uint16_t* list, std::uint32_t group, const KeptAxisW& kept) {
        const std::uint32_t lanes = run.admit(pair, list, group);
        const FloatW most = kept.most * pair.scale, least = gap_along(pair, kept.normal, lanes) - pair.radius;
        const FloatW uncertainty = max(most - least, pair.tolerance);
        const MaskW certain =
            (most <= run.writer.reach(list, lanes) * pair.scale) & (uncertainty <= FloatW(kKeptShare) * contact_slack(run.chunk, pair));
        const std::uint32_t serves = certain.bits() & lanes;
        run.manifold.append(list, serves, {{least, kept.normal, splat(0.0f)}, IntW(kNoPoint), uncertainty});
        restart_cold(run, list, lanes & ~serves);
    });
}

// Returns those of `lanes`, whose contacts are along a kept axis, that need a search. Fewer than three contacts are of an edge or a corner, whose
// position only a search finds; contacts of an overlap need a proof that there is one.
template <class Pair>
ABUT_INLINE std::uint32_t doubtful_contacts(const Pair& pair, const ContactPayloadW& found, const ManifoldW& manifold, std::uint32_t lanes) {
    const FloatW zero = 0.0f;
    const std::uint32_t of_faces = lanes & manifold.has[kContactsOfFaces - 1];
    const MaskW unproved = (manifold.separation[0] <= zero) & (found.answer.signed_distance + found.uncertainty > zero);
    const std::uint32_t asked = of_faces & unproved.bits();
    const std::uint32_t certain = of_faces & ~asked;
    return lanes & ~(certain | (asked == 0 ? 0 : surely_overlap(pair, manifold, asked)));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
