// Candidates of a group's contacts, one pair per lane: clipped faces and, if these are not as deep, the deepest point.
// Pairs that may have parallel edges, or another face at the deepest vertex, are handled one by one.
#pragma once

#include "convex/depth/feature_witness.hpp"
#include "convex/manifold/box_clip.hpp"
#include "convex/manifold/lens.hpp"
#include "convex/manifold/polygon_clip.hpp"
#include "convex/manifold/whole_face.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

enum class CoreForm { segment, polytope };

// The input of clipping, for a group.
struct ContactsW {
    ContactAxesW in_a, in_b;
    LaneArray<std::int32_t> face_a, face_b;  // the faces best aligned with the normal
    CandidateW deepest;                      // its separation is the answer's; set_deepest sets the other values
    MaskW is_known;                          // otherwise only the separation of `deepest` is known
    MaskW has_face_normal;  // the normal is a face's, not the answer's: the deepest point is not along the normal
    ClipLimitsW limits;
    FloatW near;  // a candidate within this distance of the deepest point is that point

    // The greatest separation of a candidate that is as deep as the answer. A solver's noise must not change the
    // corners of a face, but may change those of a line.
    FloatW as_deep(bool is_line) const {
        return deepest.separation + (is_line ? limits.deepest_within(kFeatureShare)
                                             : max(limits.slack, FloatW(kFeatureShare) * limits.tolerance));
    }
};

namespace manifold_detail {

// The greatest entry of each row of the rotation shows whether some axis of A is nearly parallel to some axis of B.
// Only then can edges be parallel.
inline MaskW may_have_parallel_edges(const Mat3W& r, bool a_is_segment) {
    const auto most = [](FloatW x, FloatW y, FloatW z) { return max(abs(x), max(abs(y), abs(z))); };
    const FloatW y = most(r.x.y, r.y.y, r.z.y);
    if (a_is_segment) return y > FloatW(kParallelCosine);
    return max(y, max(most(r.x.x, r.y.x, r.z.x), most(r.x.z, r.y.z, r.z.z))) > FloatW(kParallelCosine);
}

// The state of lanes after clipping.
struct OutcomeW {
    MaskW settled, open;  // lanes with all candidates; lanes that need the deepest point

    OutcomeW(const CandidatesW& found, FloatW as_deep, MaskW able) : settled(able & ~found.overflow), open(settled) {
        const MaskW reached = found.least_separation() <= as_deep;
        settled &= reached;
        open &= ~reached;
    }
};

// The face best aligned with `direction` among those at the support vertex along it, or the face into which that face
// is merged.
ABUT_INLINE std::int32_t face_at_support(const Polytope& p, Float3 direction, float tolerance) {
    const HullGeometry& hull = *p.hull;
    const std::uint32_t vertex = support_vertex_of(p, direction);
    std::uint32_t best = 0;
    float most = -HUGE_VALF;
    for (std::uint32_t i = hull.vertex_first[vertex]; i < hull.vertex_first[vertex + 1]; ++i)
        if (const float along = dot(normal_of(p, hull.vertex_face[i]), direction); along > most)
            best = hull.vertex_face[i], most = along;
    return merged_face(p, static_cast<std::int32_t>(best), tolerance);
}

// Returns those of `lanes` whose `face` is also the one of face_at_support.
inline std::uint32_t keeps_face(const ExtentCore&, Vec3W, const LaneArray<std::int32_t>&, FloatW, const FrameView&,
                                std::uint32_t lanes) {
    return lanes;
}
inline std::uint32_t keeps_face(const HullCore& core, Vec3W outward, const LaneArray<std::int32_t>& face,
                                FloatW tolerance, const FrameView& frame, std::uint32_t lanes) {
    const LaneArray<float> scale[3] = {lanes_of(core.scale.x), lanes_of(core.scale.y), lanes_of(core.scale.z)};
    const LaneArray<float> x = lanes_of(outward.x), y = lanes_of(outward.y), z = lanes_of(outward.z),
                           bound = lanes_of(tolerance);
    std::uint32_t kept = 0;
    for_each_lane(lanes, [&](int lane) {
        const std::int32_t at_support =
            face_at_support(polytope_of(core, scale, frame, lane), {x[lane], y[lane], z[lane]}, bound[lane]);
        kept |= static_cast<std::uint32_t>(at_support == face[lane]) << lane;
    });
    return kept;
}

// Finds the contacts of those of `lanes` in which one face of many corners is (nearly) entirely over the other.
inline void find_covered_faces(const WholeFaceW& a, const WholeFaceW& b, const ContactsW& contacts, MaskW lanes,
                               WholeFacesW& out) {
    const FloatW few = kFewCorners;
    const MaskW asked = lanes & a.fits() & b.fits() & ((a.view.count > few) | (b.view.count > few));
    out.found = MaskW();
    if (any(asked)) find_whole_faces(a, b, contacts.limits, contacts.as_deep(false), asked, out);
}

// Returns the lanes that have all their candidates. Of curved features only caps are handled here. `know_deepest()`:
// computes the deepest points.
template <class CoreA, Curved CoreB, class Know>
inline MaskW find_wide(const PairW<CoreA, CoreB>& pair, CoreForm form_a, const ContactsW& contacts, Know&&,
                       const FrameView& frame, MaskW lanes, CandidatesW& found) {
    if (form_a == CoreForm::segment || !has_features(pair.b.kind)) return MaskW();
    if constexpr (kIsCurved<CoreA>)
        if (!has_features(pair.a.kind)) return MaskW();
    const WholeFaceW a = whole_face(pair.a, contacts.in_a, contacts.face_a, pair.radius_a, pair.tolerance, frame);
    const WholeFaceW b = whole_face(pair.b, contacts.in_b, contacts.face_b, pair.radius_b, pair.tolerance, frame);
    WholeFacesW whole;
    find_covered_faces(a, b, contacts, lanes, whole);
    if (any(whole.found)) whole.merge_into(found);
    if constexpr (kIsCurved<CoreA>) {
        LensesW lenses;
        find_lenses(a, b, contacts.limits, contacts.as_deep(false), lanes & ~whole.found, lenses);
        if (any(lenses.found)) lenses.merge_into(found);
        return whole.found | lenses.found;
    }
    return whole.found;
}
template <class CoreA, class Know>
inline MaskW find_wide(const PairW<CoreA, HullCore>& pair, CoreForm form_a, const ContactsW& contacts,
                       Know&& know_deepest, const FrameView& frame, MaskW lanes, CandidatesW& found) {
    know_deepest();
    const bool a_is_segment = form_a == CoreForm::segment;
    WholeFaceW b = whole_face(pair.b, contacts.in_b, contacts.face_b, pair.radius_b, pair.tolerance, frame);
    WholeFacesW whole;
    const auto view_of_a = [&]() -> FaceViewW {
        if constexpr (std::is_same_v<CoreA, ExtentCore>)
            if (a_is_segment) return view_of_segment(pair.a, contacts.in_a, pair.radius_a);
        const WholeFaceW of_a =
            whole_face(pair.a, contacts.in_a, contacts.face_a, pair.radius_a, pair.tolerance, frame);
        find_covered_faces(of_a, b, contacts, lanes, whole);
        return of_a.view;
    };
    FaceViewW a = view_of_a();
    const FloatW most = static_cast<float>(kPolygonCorners);
    a.usable &= a.count <= most, b.view.usable &= b.view.count <= most;
    const PolygonsW polygons(a, a_is_segment, b.view, contacts.limits, lanes, found);
    OutcomeW outcome(found, contacts.as_deep(a_is_segment), polygons.able);
    outcome.open &= contacts.is_known & ~contacts.has_face_normal;
    const MaskW few = outcome.settled & contacts.is_known & found.are_few(contacts.near), rest = few | outcome.open;
    if (any(rest)) {
        const MaskW are_parallel = polygons.have_parallel_edges();
        outcome.settled &= ~(few & are_parallel);
        outcome.open &= ~are_parallel;
        const std::uint32_t open =
            keeps_face(pair.a, contacts.in_a.normal, contacts.face_a, pair.tolerance, frame, outcome.open.bits());
        outcome.open =
            MaskW::from_bits(keeps_face(pair.b, -contacts.in_b.normal, contacts.face_b, pair.tolerance, frame, open));
        found.add_deepest(outcome.open, contacts.deepest, contacts.near);
    }
    if (any(whole.found)) whole.merge_into(found);
    return ((outcome.settled | outcome.open) & ~found.overflow) | whole.found;
}
template <class Know>
inline MaskW find_wide(const PairW<ExtentCore, ExtentCore>& pair, CoreForm form_a, const ContactsW& contacts,
                       Know&& know_deepest, const FrameView&, MaskW lanes, CandidatesW& found) {
    const bool a_is_segment = form_a == CoreForm::segment;
    const IntW face_a = load(contacts.face_a), face_b = load(contacts.face_b);
    const auto clip = a_is_segment ? &clip_boxes<true> : &clip_boxes<false>;
    const MaskW able = clip(pair, contacts.in_a, contacts.in_b, face_a, face_b, contacts.limits, lanes, found);
    OutcomeW outcome(found, contacts.as_deep(a_is_segment), able);
    const MaskW are_parallel = may_have_parallel_edges(pair.rotation, a_is_segment);
    outcome.settled &= ~(found.are_few(contacts.near) & are_parallel);
    outcome.open &= ~(are_parallel | contacts.has_face_normal);
    if (any(outcome.open)) {
        know_deepest();
        outcome.open &= contacts.is_known;
        found.add_deepest(outcome.open, contacts.deepest, contacts.near);
    }
    return (outcome.settled | outcome.open) & ~found.overflow;
}

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
