// Manifolds of a group of pairs: the supporting features along the contact normal are clipped against each other, and
// up to four points are chosen.
//
// The input is the answer of each pair: normal, separation and deepest point. The normal of a nearby face replaces the
// answer's normal if the shapes are as far apart along it, to within the contact slack, so that resting contacts do not
// follow a solver's noise. If the clipped points are not as deep as the answer, the deepest point is added: on round
// edges, or if the deepest vertex is not on the face best aligned with the normal.
#pragma once

#include "convex/depth/box_witness.hpp"
#include "convex/depth/feature_witness.hpp"
#include "convex/lanes/answer.hpp"
#include "convex/manifold/choose_four.hpp"
#include "convex/manifold/contact_axis.hpp"
#include "convex/manifold/contact_law.hpp"
#include "convex/manifold/edge_clip.hpp"
#include "convex/manifold/manifold_wide.hpp"
#include "convex/manifold/one_by_one.hpp"
#include "convex/manifold/slices.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct ManifoldW {
    std::uint32_t has[kManifoldPoints];  // has[k]: lanes with more than k contacts
    Vec3W normal;                        // unit, in A's frame
    std::uint32_t normal_of_b = 0;       // lanes whose normal is that of a face of B and of no face of A
    Vec3W point[kManifoldPoints];        // in A's frame, scaled: halfway between the surfaces
    FloatW separation[kManifoldPoints];  // scaled; the least first
    FloatW along;  // scaled: the shapes' separation along the normal, which may be less than the contacts' separations
    IntW feature[kManifoldPoints];
    ContactLawsW laws;  // of the lanes for which they were requested
};

// The input of contacts, in A's frame, scaled.
struct ContactSeedW {
    AnswerW answer;
    IntW names;     // of the features with the deepest point
    FloatW margin;  // scaled: points with a larger separation are left out
    FloatW slack;   // scaled: depths that differ by less are equal
};

namespace manifold_detail {

ABUT_INLINE IntW resolve_names(CoreForm form, IntW name, const LaneArray<std::int32_t>& face) {
    return form == CoreForm::segment ? segment_names(name) : face_names(name, load(face));
}

// Computes the deepest point and the names of its features in lanes whose seed has only a box axis instead.
template <class CoreA, class CoreB>
inline ContactSeedW with_points(const PairW<CoreA, CoreB>&, const ContactSeedW& seed) {
    return seed;
}
inline ContactSeedW with_points(const PairW<ExtentCore, ExtentCore>& pair, const ContactSeedW& seed) {
    const MaskW owed = seed.names == IntW(kBoxAxis);
    if (!any(owed)) return seed;
    ContactSeedW out = seed;
    const WitnessW witness =
        box_witness(pair, {seed.answer.midpoint.x, seed.answer.midpoint.z, seed.answer.normal, seed.answer.midpoint.y});
    out.answer.midpoint = select(owed, witness.answer.midpoint, seed.answer.midpoint);
    out.names = select(owed, select(witness.found, witness.names, IntW(kNoPoint)), seed.names);
    return out;
}

template <class CoreA, class CoreB>
inline void set_deepest(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b, const ContactSeedW& owing,
                        ContactsW& contacts) {
    const ContactSeedW seed = with_points(pair, owing);
    const Vec3W deepest = contacts.in_a.along(seed.answer.midpoint);
    contacts.deepest = {deepest.x, deepest.y, deepest.z, seed.answer.signed_distance,
                        (resolve_names(form_a, seed.names >> 16, contacts.face_a) << 16) |
                            resolve_names(form_b, seed.names & IntW(0xffff), contacts.face_b)};
    contacts.is_known = ~(seed.names == IntW(kNoPoint));
}

// Stores the best four candidates. `axes`: tangents and normal. Points are computed from the centre of the nearer core:
// transforming points to and from three axes that are unit only to rounding costs up to 2e-6 of the distance.
ABUT_INLINE void store_four(CandidatesW& found, const Mat3W& axes, Vec3W centre_b, const ClipLimitsW& limits,
                            std::uint32_t lanes, ManifoldW& out) {
    FourW four;
    const FloatW rounding = FloatW(kDeepShare) * limits.tolerance;
    choose_four(found, limits, four);
    out.normal = axes.z, out.along = limits.separation;
    const Vec3W first = {four.at[0].x, four.at[0].y, four.at[0].height}, seen_b = rotate_back(axes, centre_b),
                none = splat(0.0f);
    const MaskW from_b = length_squared(first - seen_b) < length_squared(first);
    const Vec3W from = select(from_b, centre_b, none), seen = select(from_b, seen_b, none);
    ABUT_UNROLL(4)
    for (int k = 0; k < kManifoldPoints; ++k) {
        const CandidateW& at = four.at[k];
        out.has[k] = four.has[k].bits() & lanes;
        out.point[k] = from + rotate(axes, Vec3W{at.x, at.y, at.height} - seen);
        // The deepest separation equals the answer's separation, to rounding.
        out.separation[k] =
            k == 0 ? select(at.separation <= limits.separation + rounding, limits.separation, at.separation)
                   : at.separation;
        out.feature[k] = at.name;
    }
}

}  // namespace manifold_detail

// Finds the contacts of the pairs in `lanes`. Returns the lanes that remain unfinished (Lacking::all()). `laws_for`:
// lanes whose contact laws are needed.
template <class CoreA, class CoreB>
manifold_detail::Lacking find_manifolds(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b,
                                        const ContactSeedW& seed, const FrameView& frame, AxisLimit by,
                                        std::uint32_t lanes, std::uint32_t laws_for, ManifoldW& out) {
    using namespace manifold_detail;
    AxisW axis = {seed.answer.normal, seed.answer.signed_distance + pair.radius, MaskW(), MaskW()};
    ContactsW contacts;
    contacts.face_a = contacts.face_b = lanes_of(IntW(0));
    std::uint32_t level = 0;  // lanes with faces that may be level with each other
    if (form_a == CoreForm::polytope) {
        contacts.face_a = best_faces(pair.a, axis.normal, lanes, pair.tolerance, level);
        if (has_faces(pair.a))
            axis.try_face_normals(pair, normals_of_faces(pair.a, contacts.face_a, axis.normal), seed.slack, by, lanes);
    }
    const MaskW is_face_of_a = axis.is_face;
    if (form_b == CoreForm::polytope) {
        const Vec3W towards_a = rotate_back(pair.rotation, -axis.normal);
        contacts.face_b = best_faces(pair.b, towards_a, lanes, pair.tolerance, level);
        const Vec3W face = -rotate(pair.rotation, normals_of_faces(pair.b, contacts.face_b, towards_a));
        if (has_faces(pair.b)) axis.try_face_normals(pair, face, seed.slack, by, lanes);
    }
    // The normal is normalized again: after two rotations, the error of a face's normal is multiplied by the depth.
    const Vec3W n = axis.normal * (FloatW(1.0f) / sqrt(length_squared(axis.normal))), tx = tangent(n),
                ty = cross(n, tx);
    contacts.in_a = {tx, ty, n, splat(0.0f), 1.0f};
    contacts.in_b = {rotate_back(pair.rotation, tx), rotate_back(pair.rotation, ty), rotate_back(pair.rotation, n),
                     contacts.in_a.along(pair.offset), -1.0f};
    contacts.deepest.separation = seed.answer.signed_distance;
    contacts.has_face_normal = axis.has_face_normal;
    // Rounding along a face's normal must not push a contact beyond the margin.
    const FloatW along =
        select(axis.has_face_normal, min(axis.separation - pair.radius, seed.margin), seed.answer.signed_distance);
    contacts.limits = {seed.margin, along,       pair.tolerance, FloatW(kSamePlaceShare) * pair.smaller,
                       seed.slack,  pair.smaller};
    contacts.near = FloatW(kSamePointShare) * pair.smaller;

    const auto know_deepest = [&] { set_deepest(pair, form_a, form_b, seed, contacts); };
    CandidatesW found;
    std::uint32_t alone = lanes;
    Lacking lacking;
    if (form_b == CoreForm::polytope)
        alone &= ~find_wide(pair, form_a, contacts, know_deepest, frame, MaskW::from_bits(lanes), found).bits();
    if constexpr (std::is_same_v<CoreB, ExtentCore>) {
        if (form_b == CoreForm::segment) {
            lacking.deepest =
                lanes & ~find_capsules(pair, contacts, know_deepest, MaskW::from_bits(lanes), found).bits();
            alone = 0;
        }
    }
    if (alone != 0) {
        know_deepest();
        lacking = find_one_by_one(LanesOfPair(pair, form_a, form_b, contacts, frame), alone, found);
    }
    constexpr bool a_is_curved = kIsCurved<CoreA>, b_is_curved = kIsCurved<CoreB>;
    const std::uint32_t complete = lanes & ~lacking.all();
    if constexpr (!a_is_curved && !b_is_curved) {
        level |= lacking.ends;
        const std::uint32_t asked =
            (level & complete) | may_lie_on_edges(found, axis.is_face & (pair.radius > FloatW(0.0f)), complete).bits();
        if (asked != 0) take_slices(LanesOfPair(pair, form_a, form_b, contacts, frame), level, asked, found);
    } else if constexpr (a_is_curved != b_is_curved) {
        const CoreForm other = a_is_curved ? form_b : form_a;
        const std::uint32_t asked = (level | ~found.uses(1).bits()) & complete;
        if (other == CoreForm::polytope && asked != 0)
            take_slice_features(LanesOfPair(pair, form_a, form_b, contacts, frame), level, asked, found);
    }
    store_four(found, {tx, ty, n}, pair.offset, contacts.limits, complete, out);
    out.normal_of_b = (axis.is_face & ~is_face_of_a).bits();
    out.laws = no_laws();
    if (const std::uint32_t of_faces = laws_for & complete & out.has[0]; of_faces != 0) {
        FloatW x[kManifoldPoints], y[kManifoldPoints];
        for (int k = 0; k < kManifoldPoints; ++k) x[k] = dot(tx, out.point[k]), y[k] = dot(ty, out.point[k]);
        find_contact_laws(LanesOfPair(pair, form_a, form_b, contacts, frame), of_faces, out.has, x, y, out.separation,
                          out.laws);
    }
    return lacking;
}

// Returns a manifold of the deepest point alone. `features`: both names.
inline ManifoldW lone_point(const AnswerW& answer, IntW features) {
    ManifoldW out;
    out.has[0] = kAllLanes;
    for (int k = 1; k < kManifoldPoints; ++k) out.has[k] = 0;
    out.normal = answer.normal;
    out.point[0] = answer.midpoint;
    out.separation[0] = out.along = answer.signed_distance;
    out.feature[0] = features;
    out.laws = no_laws();
    return out;
}

// The contact of a sphere.
template <class CoreB>
inline ManifoldW one_point(const PairW<PointCore, CoreB>& pair, CoreForm form_b, const AnswerW& answer, IntW names,
                           std::uint32_t lanes) {
    using namespace manifold_detail;
    IntW features = 0;
    if constexpr (!std::is_same_v<CoreB, PointCore>) {
        std::uint32_t level = 0;
        const LaneArray<std::int32_t> face =
            best_faces(pair.b, rotate_back(pair.rotation, -answer.normal), lanes, pair.tolerance, level);
        features = resolve_names(form_b, names & IntW(0xffff), face);
    }
    return lone_point(answer, features);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
