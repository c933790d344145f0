// Manifolds of a group of pairs: the supporting features along the contact normal, clipped against each other, up to four points of them.
//
// Every pair brings its answer (normal, separation and the deepest point between the surfaces). A normal next to that of a face, along which the
// shapes are as far apart to within the contact slack, is made that face's, so that resting contacts do not follow a solver's noise. The deepest
// point is put among the clipped ones where these do not reach its depth: at the round of an edge, or where the deepest vertex is not of the face
// that looks along the normal.
#pragma once

#include "depth/box_witness.hpp"
#include "depth/feature_witness.hpp"
#include "manifold/choose_four.hpp"
#include "manifold/clip.hpp"
#include "manifold/curved_feature.hpp"
#include "manifold/manifold_wide.hpp"
#include "separation/answer.hpp"
#include "separation/round_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct ManifoldW {
    std::uint32_t has[kManifoldPoints];  // lanes that have so many
    Vec3W normal;                        // unit, in A's frame
    Vec3W point[kManifoldPoints];        // in A's frame, scaled: halfway between the surfaces
    FloatW separation[kManifoldPoints];  // scaled; the least first
    IntW feature[kManifoldPoints];
};

// What a lane's contact starts from, in A's frame, scaled.
struct ContactSeedW {
    AnswerW answer;
    IntW names;     // of the features that hold the deepest point
    FloatW margin;  // scaled: points farther apart are left out
    FloatW slack;   // scaled: depths that differ by less are equal
};

// What may stand for the answer's normal: any face's within the slack, or, where no contact is found along that, one that differs by rounding.
enum class Turn { by_slack, by_rounding };

namespace manifold_detail {

// The face whose normal is most along each lane's direction (in the core's frame, any length).
ABUT_INLINE LaneArray<std::int32_t> best_faces(const ExtentCore&, Vec3W d, std::uint32_t) {
    const FloatW zero = 0.0f;
    const Vec3W m = abs(d);
    const MaskW x_most = (m.x >= m.y) & (m.x >= m.z), y_most = ~x_most & (m.y >= m.z);
    const FloatW along = select(x_most, d.x, select(y_most, d.y, d.z));
    return lanes_of(select(x_most, IntW(0), select(y_most, IntW(2), IntW(4))) | select(along < zero, IntW(1), IntW(0)));
}
inline LaneArray<std::int32_t> best_faces(const HullCore& core, Vec3W d, std::uint32_t lanes) {
    const LaneArray<float> x = lanes_of(d.x), y = lanes_of(d.y), z = lanes_of(d.z);
    const LaneArray<float> scale[3] = {lanes_of(core.scale.x), lanes_of(core.scale.y), lanes_of(core.scale.z)};
    LaneArray<std::int32_t> mask;
    FloatW best[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        best[lane] = float_of(IntW(kMostNegative));
        mask[lane] = 0;
        const HullGeometry& hull = *core.hull[lane];
        if ((lanes >> lane & 1) == 0 || hull.face_count == 0) continue;
        mask[lane] = index_mask(hull.padded_faces);
        const IntW index = mask[lane], keep = index ^ IntW(-1), iota = IntW::load(kIota);
        const Polytope p = polytope_of(core, scale, lane);
        const Vec3W direction = {x[lane], y[lane], z[lane]};
        best[lane] = with_planes(p, [&](auto planes) {
            FloatW most = float_of(IntW(kMostNegative));
            for_each_vector(hull.padded_faces, core.most_faces, [&](std::uint32_t i) {
                most = max(most, float_of((bits_of(dot(direction, planes(i).normal)) & keep) |
                                          (iota + IntW(static_cast<std::int32_t>(i)))));
            });
            return most;
        });
    }
    LaneArray<std::int32_t> face = lanes_of(bits_of(reduce_max_each(best)) & load(mask));
    for (int lane = 0; lane < kLanes; ++lane)
        if (mask[lane] != 0 && static_cast<std::uint32_t>(face[lane]) >= core.hull[lane]->face_count)
            face[lane] = 0;  // padding repeats it
    return face;
}

ABUT_INLINE Vec3W face_normals(const ExtentCore&, const LaneArray<std::int32_t>& face, Vec3W) {
    const IntW f = load(face);
    const FloatW one = float_of(IntW(0x3f800000) | (f << 31)), zero = 0.0f;  // odd faces look the other way
    const auto is = [&](std::int32_t axis) { return float_of(f >> 1) == float_of(IntW(axis)); };
    return {select(is(0), one, zero), select(is(1), one, zero), select(is(2), one, zero)};
}
inline Vec3W face_normals(const HullCore& core, const LaneArray<std::int32_t>& face, Vec3W) {
    LaneArray<float> n[3];
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = *core.hull[lane];
        for (std::uint32_t k = 0; k < 3; ++k)
            n[k][lane] =
                hull.face_count == 0 ? 0.0f : hull.planes[k * hull.padded_faces + static_cast<std::uint32_t>(face[lane])];
    }
    return unstretch_normals(core, {load(n[0]), load(n[1]), load(n[2])});
}

// The normal of a contact, and how far apart the cores are along it.
struct AxisW {
    Vec3W normal;
    FloatW separation;
    MaskW is_face, is_turned;  // a face's; a face's that is not the answer's to rounding

    // Takes `face` (a face's normal, from A to B) where no other face was taken, the cores are apart by as much along it, and, if only by
    // rounding, the nearest points are joined by it as well.
    template <class CoreA, class CoreB>
    ABUT_INLINE void turn_to(const PairW<CoreA, CoreB>& pair, Vec3W face, FloatW slack, Turn by, std::uint32_t lanes) {
        const FloatW share = FloatW(kFeatureShare) * pair.tolerance, zero = 0.0f, turn = length_squared(face - normal);
        // Shapes that hardly touch are apart in one frame and overlap in the next, along another normal: the face's serves both.
        // A curved side has no such face.
        constexpr bool is_curved = std::is_same_v<CoreA, CurvedCore> || std::is_same_v<CoreB, CurvedCore>;
        const MaskW touching = abs(separation - pair.radius) <= slack;
        const FloatW limit =
            is_curved ? FloatW(kSnapSquared) : select(touching, FloatW(kTouchingTurnSquared), FloatW(kSnapSquared));
        const MaskW same = turn == zero, near = (turn <= limit) & ~(same | is_face);
        is_face |= same;
        const FloatW lever = separation + pair.radius;
        const MaskW joined = (turn * lever * lever <= share * share) & (separation > zero);
        const std::uint32_t asked = (by == Turn::by_slack ? near : near & joined).bits() & lanes;
        if (asked == 0) return;
        const FloatW gap = gap_along(pair, face, asked);
        const MaskW can = MaskW::from_bits(asked), by_rounding = can & joined & (gap >= separation - share);
        const MaskW by_slack = can & ~by_rounding & (gap >= separation - slack);
        const MaskW taken = by == Turn::by_slack ? by_rounding | by_slack : by_rounding;
        normal = select(taken, face, normal);
        is_face |= taken;
        if (by == Turn::by_rounding) return;
        separation = select(by_slack, gap, separation);
        is_turned |= by_slack;
    }
};

template <class Core>
ABUT_INLINE bool has_faces(const Core&) {
    return true;
}
ABUT_INLINE bool has_faces(const CurvedCore& core) { return has_features(core.kind); }

// The axes of every lane's contact in a shape's frame, taken apart.
struct AxesW {
    LaneArray<float> at[12];

    ABUT_INLINE AxesW(const SideAxesW& a)
        : at{lanes_of(a.x.x),      lanes_of(a.x.y),      lanes_of(a.x.z),      lanes_of(a.y.x),
             lanes_of(a.y.y),      lanes_of(a.y.z),      lanes_of(a.normal.x), lanes_of(a.normal.y),
             lanes_of(a.normal.z), lanes_of(a.origin.x), lanes_of(a.origin.y), lanes_of(a.origin.z)} {}
    ABUT_INLINE ContactAxes of_lane(int lane) const {
        const auto v = [&](int i) { return Float3{at[i][lane], at[i + 1][lane], at[i + 2][lane]}; };
        return {v(0), v(3), v(6), v(9)};
    }
};

ABUT_INLINE IntW resolve_names(CoreForm form, IntW name, const LaneArray<std::int32_t>& face) {
    return form == CoreForm::segment ? segment_names(name) : face_names(name, load(face));
}

// Where the deepest point is, and what its features are called.
template <class CoreA, class CoreB>
ABUT_INLINE ContactSeedW with_points(const PairW<CoreA, CoreB>&, const ContactSeedW& seed) {
    return seed;
}
ABUT_INLINE ContactSeedW with_points(const PairW<ExtentCore, ExtentCore>& pair, const ContactSeedW& seed) {
    const MaskW owed = seed.names == IntW(kBoxAxis);
    if (!any(owed)) return seed;
    ContactSeedW out = seed;
    const WitnessW witness = box_witness(pair, {seed.answer.midpoint.x, seed.answer.normal, seed.answer.midpoint.y});
    out.answer.midpoint = select(owed, witness.answer.midpoint, seed.answer.midpoint);
    out.names = select(owed, select(witness.found, witness.names, IntW(kNoPoint)), seed.names);
    return out;
}

template <class CoreA, class CoreB>
ABUT_INLINE void set_deepest(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b, const ContactSeedW& owing,
                             ContactsW& contacts) {
    const ContactSeedW seed = with_points(pair, owing);
    const Vec3W deepest = contacts.in_a.along(seed.answer.midpoint);
    contacts.deepest = {deepest.x, deepest.y, deepest.z, seed.answer.signed_distance,
                        (resolve_names(form_a, seed.names >> 16, contacts.face_a) << 16) |
                            resolve_names(form_b, seed.names & IntW(0xffff), contacts.face_b)};
    contacts.is_known = ~(seed.names == IntW(kNoPoint));
}

// One side's features, lane by lane.
template <class Core>
struct SideW {
    const Core& core;
    const FrameView& frame;
    CoreForm form;
    float side;  // 1 for A, -1 for B
    LaneArray<float> scale[3], radius, tolerance;
    AxesW axes;
    static constexpr bool is_curved = std::is_same_v<Core, CurvedCore>;

    // Of the surface about an edge: a cylinder's side is an edge about its axis.
    ABUT_INLINE float edge_radius(int lane, std::int32_t face) const {
        if constexpr (is_curved)
            if (core.kind == ShapeKind::cylinder && face == kSideFace) return radius[lane] + scale[0][lane];
        return radius[lane];
    }
    ABUT_INLINE void feature_of(int lane, std::int32_t face, Feature& f) const {
        const Polytope p = polytope_of(core, scale, frame, lane);
        const ContactAxes at = axes.of_lane(lane);
        const auto chosen = static_cast<std::uint32_t>(face);
        f.count = 0;
        f.facing = 0.0f;
        if constexpr (is_curved) return set_curved_feature(f, core.kind, p, face, radius[lane], tolerance[lane], side, at);
        if (form == CoreForm::segment) return set_segment(f, {0.0f, p.y, 0.0f}, {0.0f, -p.y, 0.0f}, radius[lane], side, at);
        if (p.stretch == Stretch::box) return set_box_face(f, p, chosen, radius[lane], tolerance[lane], side, at);
        const bool is_wide = p.hull->face_count != 0 && p.hull->face_width[chosen] * least_scale(p) > kSliver * tolerance[lane];
        if (is_wide) return set_face(f, p, chosen, radius[lane], side, at);
        if (p.hull->report.dimension == 1) set_segment(f, vertex_of(p, 0), vertex_of(p, 1), radius[lane], side, at);
    }
    // Another face of a hull, where the deepest vertex is not of this one.
    ABUT_INLINE bool turn_to_support(int lane, std::int32_t& face) const {
        const Polytope p = polytope_of(core, scale, frame, lane);
        if (is_curved || p.stretch == Stretch::box || p.hull->face_count == 0) return false;
        const auto other = static_cast<std::int32_t>(face_at_support(p, axes.of_lane(lane).normal * side));
        if (other == face) return false;
        face = other;
        return true;
    }
};

// One pair's contact as the features see it: scalars of a lane.
struct ContactSeed {
    float x, y, height, separation;  // of the deepest point
    float along;                     // the separation along the contact's normal: nothing is nearer
    float margin, tolerance, near, same_place, slack;
    bool is_known;   // else x, y and height mean nothing
    bool is_turned;  // the deepest point does not lie along the normal
    std::int32_t names;

    // A candidate at no more than this is as deep as the answer.
    ABUT_INLINE float as_deep() const {
        const float rounding = kFeatureShare * tolerance;
        return separation + (slack > rounding ? slack : rounding);
    }
};

// No pair of points is nearer than the answer says: what seems to be by rounding is brought up to it, what is off a surface goes.
// Whether some candidate is as deep as the answer.
ABUT_INLINE bool reaches(Candidates& c, const ContactSeed& seed) {
    float least = __builtin_huge_valf();
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        if (c.separation[i] < seed.along - seed.tolerance) continue;
        c.copy(kept, i);
        c.separation[kept] = c.separation[kept] < seed.along ? seed.along : c.separation[kept];
        least = c.separation[kept] < least ? c.separation[kept] : least;
        ++kept;
    }
    c.count = kept;
    return least <= seed.as_deep();
}

// The deepest point joins the candidates, or takes the place of its namesake or its neighbour, and keeps that one's name.
ABUT_INLINE void add_deepest(Candidates& c, float x, float y, float height, float separation, std::int32_t name, float near) {
    std::uint32_t nearest = c.count;
    float nearest_squared = near * near;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        const float dx = c.x[i] - x, dy = c.y[i] - y, squared = c.name[i] == name ? -1.0f : dx * dx + dy * dy;
        if (squared <= nearest_squared) nearest = i, nearest_squared = squared;
    }
    if (nearest < c.count) name = c.name[nearest];
    if (nearest == c.count && c.count == kMaxCandidates) nearest = c.count - 1;
    if (nearest == c.count) ++c.count;
    c.x[nearest] = x, c.y[nearest] = y, c.height[nearest] = height, c.separation[nearest] = separation, c.name[nearest] = name;
}

// The steeper a face, the more height its slack would be worth.
ABUT_INLINE ClipLimits clip_limits(const Feature& a, const Feature& b, const ContactSeed& seed) {
    const float facing = a.facing < b.facing ? a.facing : b.facing, none = __builtin_huge_valf();
    const float width_a = a.count >= 3 ? a.width : none, width_b = b.count >= 3 ? b.width : none;
    const float width = kSamePlaceWidth * (width_a < width_b ? width_a : width_b);
    return {seed.margin, kClipShare * seed.tolerance * facing, (width < seed.same_place ? width : seed.same_place) * facing};
}

inline void clip_features(const Feature& a, const Feature& b, float radius_a, float radius_b, const ClipLimits& limits,
                          Candidates& found) {
    found.count = 0;
    found.apart = limits.apart;
    if (a.count >= 3 || b.count >= 3) {
        if (a.count != 0 && b.count != 0) clip(a, b, a.facing >= b.facing - kFacingBias, limits, found);
    } else if (a.count == 2 && b.count == 2) {
        clip_edges(a, b, radius_a, radius_b, limits, found);
    }
}

// Whether some side of one is nearly parallel to some side of the other.
ABUT_INLINE bool has_sides_side_by_side(const Feature& a, const Feature& b) {
    const std::uint32_t count = a.count == 2 ? 1 : a.count;
    const auto sides_of_b = [&](std::uint32_t i) {
        return Vec3W{FloatW::load(b.line_x + i), FloatW::load(b.line_y + i), FloatW(0.0f)};
    };
    for (std::uint32_t j = 0; j < count; ++j) {
        const float dx = a.side_x[j], dy = a.side_y[j];
        const FloatW limit = kSideBySideSineSquared * (dx * dx + dy * dy);
        for (std::uint32_t i = 0; i < b.count; i += kLanes) {
            const Vec3W line = sides_of_b(i);
            const FloatW across = FloatW(dx) * line.x + FloatW(dy) * line.y;
            if (((across * across <= limit).bits() & lane_bits(b.count - i)) != 0) return true;
        }
    }
    return false;
}

// The stretch that the edges nearest to the deepest point have in common.
inline void clip_near_edges(const Feature& a, const Feature& b, float x, float y, float radius_a, float radius_b,
                            const ClipLimits& limits, Candidates& found) {
    found.count = 0;
    found.apart = limits.apart;
    if (a.count < 2 || b.count < 2) return;
    if (a.count > 2 && b.count == 2) {
        if (!has_sides_side_by_side(b, a)) return;
    } else if (b.count > 2 && !has_sides_side_by_side(a, b)) {
        return;
    }
    Feature edge_a, edge_b;
    if (a.count > 2) set_nearest_side(edge_a, a, x, y, radius_a, 1.0f, limits.slack);
    if (b.count > 2) set_nearest_side(edge_b, b, x, y, radius_b, -1.0f, limits.slack);
    const Feature &ea = a.count > 2 ? edge_a : a, &eb = b.count > 2 ? edge_b : b;
    if (ea.count == 2 && eb.count == 2) clip_edges(ea, eb, radius_a, radius_b, limits, found);
}

// Of two capsules the deepest point and the end of their common stretch that is farther from it: they touch along one line.
ABUT_INLINE void keep_farther_end(const ContactSeed& seed, Candidates& found) {
    const auto off = [&](std::uint32_t i) {
        const float dx = found.x[i] - seed.x, dy = found.y[i] - seed.y;
        return dx * dx + dy * dy;
    };
    if (found.count != 2) return;
    if (off(1) > off(0)) found.copy(0, 1);
    found.count = 1;
}

enum class Found { all, no_deepest, nothing_along };

// Candidates of one pair from its features; the deepest point among them, or else what is missing.
template <class CoreA, class CoreB>
inline Found find_candidates(const SideW<CoreA>& side_a, const SideW<CoreB>& side_b, int lane, std::int32_t face_a,
                             std::int32_t face_b, const ContactSeed& seed, Candidates& found) {
    const float radius_a = side_a.edge_radius(lane, face_a), radius_b = side_b.edge_radius(lane, face_b);
    Feature a, b;
    const auto clipped = [&] {
        clip_features(a, b, radius_a, radius_b, clip_limits(a, b, seed), found);
        return reaches(found, seed);
    };
    const auto is_quad = [&](const Feature& of, const Feature& over, bool over_is_a) {
        found.count = 0;
        found.apart = clip_limits(a, b, seed).apart;
        return put_quad(of, over, over_is_a, seed.margin, found) && reaches(found, seed) && found.count == 4;
    };
    side_a.feature_of(lane, face_a, a);
    side_b.feature_of(lane, face_b, b);
    if (is_quad(b, a, true) || is_quad(a, b, false)) return Found::all;
    bool reached = clipped();
    if (!reached) {
        // The face that looks most along the normal need not hold the deepest vertex.
        const bool other_a = side_a.turn_to_support(lane, face_a), other_b = side_b.turn_to_support(lane, face_b);
        if (other_a) side_a.feature_of(lane, face_a, a);
        if (other_b) side_b.feature_of(lane, face_b, b);
        if (other_a || other_b) reached = clipped();
    }
    if (seed.is_known && (found.count < 2 || !reached)) {
        // Edges side by side: each face's own, as neither face need lie over the other.
        Candidates edges;
        clip_near_edges(a, b, seed.x, seed.y, radius_a, radius_b, clip_limits(a, b, seed), edges);
        if (edges.count == 2 && reaches(edges, seed)) {
            found.count = 0;
            for (std::uint32_t i = 0; i < edges.count; ++i)
                found.append(edges.x[i], edges.y[i], edges.height[i], edges.separation[i],
                             static_cast<std::uint32_t>(edges.name[i]));
            reached = true;
        }
    }
    if (reached) return Found::all;
    if (seed.is_turned) return Found::nothing_along;
    if (!seed.is_known) return Found::no_deepest;
    if (a.is_round && b.is_round) keep_farther_end(seed, found);
    add_deepest(found, seed.x, seed.y, seed.height, seed.separation, seed.names, seed.near);
    return Found::all;
}

// Lanes whose candidates are not complete.
struct Lacking {
    std::uint32_t deepest = 0,
                  along = 0;  // the deepest point is not known; nothing as deep lies along a normal that is not the answer's
};

// The candidates of those lanes that are looked at by themselves.
template <class CoreA, class CoreB>
[[gnu::noinline]] Lacking find_one_by_one(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b,
                                          const ContactsW& contacts, const FrameView& frame, std::uint32_t lanes,
                                          CandidatesW& out) {
    const Vec3W scale_a = scale_of(pair.a), scale_b = scale_of(pair.b);
    const CandidateW& deepest = contacts.deepest;
    const ClipLimitsW& limits = contacts.limits;
    const LaneArray<float> x = lanes_of(deepest.x), y = lanes_of(deepest.y), height = lanes_of(deepest.height),
                           separation = lanes_of(deepest.separation), along = lanes_of(limits.separation),
                           margin = lanes_of(limits.margin), tolerance = lanes_of(limits.tolerance),
                           near = lanes_of(contacts.near), same_place = lanes_of(limits.same_place),
                           slack = lanes_of(limits.slack);
    const LaneArray<std::int32_t> names = lanes_of(deepest.name);
    const SideW<CoreA> side_a = {pair.a,
                                 frame,
                                 form_a,
                                 1.0f,
                                 {lanes_of(scale_a.x), lanes_of(scale_a.y), lanes_of(scale_a.z)},
                                 lanes_of(pair.radius_a),
                                 tolerance,
                                 contacts.in_a};
    const SideW<CoreB> side_b = {pair.b,
                                 frame,
                                 form_b,
                                 -1.0f,
                                 {lanes_of(scale_b.x), lanes_of(scale_b.y), lanes_of(scale_b.z)},
                                 lanes_of(pair.radius_b),
                                 tolerance,
                                 contacts.in_b};
    const std::uint32_t known = contacts.is_known.bits(), turned = contacts.is_turned.bits();
    Lacking lacking;
    Candidates found;
    CandidateLanes lone = {};
    for_each_lane(lanes, [&](int lane) {
        const ContactSeed seed = {x[lane],
                                  y[lane],
                                  height[lane],
                                  separation[lane],
                                  along[lane],
                                  margin[lane],
                                  tolerance[lane],
                                  near[lane],
                                  same_place[lane],
                                  slack[lane],
                                  (known >> lane & 1) != 0,
                                  (turned >> lane & 1) != 0,
                                  names[lane]};
        switch (find_candidates(side_a, side_b, lane, contacts.face_a[lane], contacts.face_b[lane], seed, found)) {
            case Found::no_deepest:
                lacking.deepest |= 1u << lane;
                break;
            case Found::nothing_along:
                lacking.along |= 1u << lane;
                break;
            case Found::all:
                thin_out(found, along[lane] + slack[lane]), lone.set(lane, found);
        }
    });
    lone.merge_into(out);
    return lacking;
}

// The best four of the candidates, which are seen along `axes`, the last of which is the normal. Points are placed from the centre of the
// core that they are nearer to: the way there and back along three axes that are unit but for rounding costs up to 2e-6 of its length.
ABUT_INLINE void store_four(CandidatesW& found, const Mat3W& axes, Vec3W centre_b, const ClipLimitsW& limits, std::uint32_t lanes,
                            ManifoldW& out) {
    FourW four;
    const FloatW rounding = FloatW(kDeepShare) * limits.tolerance;
    choose_four(found, limits.separation + max(limits.slack, rounding), four);
    out.normal = axes.z;
    const Vec3W first = {four.at[0].x, four.at[0].y, four.at[0].height}, seen_b = rotate_back(axes, centre_b), none = splat(0.0f);
    const MaskW from_b = length_squared(first - seen_b) < length_squared(first);
    const Vec3W from = select(from_b, centre_b, none), seen = select(from_b, seen_b, none);
    ABUT_UNROLL(4)
    for (int k = 0; k < kManifoldPoints; ++k) {
        const CandidateW& at = four.at[k];
        out.has[k] = four.has[k].bits() & lanes;
        out.point[k] = from + rotate(axes, Vec3W{at.x, at.y, at.height} - seen);
        // The deepest is the answer's to rounding.
        out.separation[k] =
            k == 0 ? select(at.separation <= limits.separation + rounding, limits.separation, at.separation) : at.separation;
        out.feature[k] = at.name;
    }
}

// A unit vector square to the unit vector n, which does not jump where two of n's components are equal: most normals are next to an axis.
ABUT_INLINE Vec3W tangent(Vec3W n) {
    const FloatW zero = 0.0f;
    const MaskW is_x = abs(n.x) > FloatW(0.8f);
    const Vec3W t = {select(is_x, n.y, zero), select(is_x, -n.x, n.z), select(is_x, zero, -n.y)};
    return t * (FloatW(1.0f) / sqrt(length_squared(t)));
}

}  // namespace manifold_detail

// Lanes outside `lanes` are left without contacts, and so are those that are returned as lacking something.
template <class CoreA, class CoreB>
manifold_detail::Lacking find_manifolds(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b,
                                        const ContactSeedW& seed, const FrameView& frame, Turn by, std::uint32_t lanes,
                                        ManifoldW& out) {
    using namespace manifold_detail;
    AxisW axis = {seed.answer.normal, seed.answer.signed_distance + pair.radius, MaskW(), MaskW()};
    ContactsW contacts;
    contacts.face_a = contacts.face_b = lanes_of(IntW(0));
    if (form_a == CoreForm::polytope) {
        contacts.face_a = best_faces(pair.a, axis.normal, lanes);
        if (has_faces(pair.a)) axis.turn_to(pair, face_normals(pair.a, contacts.face_a, axis.normal), seed.slack, by, lanes);
    }
    if (form_b == CoreForm::polytope) {
        const Vec3W towards_a = rotate_back(pair.rotation, -axis.normal);
        contacts.face_b = best_faces(pair.b, towards_a, lanes);
        const Vec3W face = -rotate(pair.rotation, face_normals(pair.b, contacts.face_b, towards_a));
        if (has_faces(pair.b)) axis.turn_to(pair, face, seed.slack, by, lanes);
    }
    const Vec3W n = axis.normal, tx = tangent(n), ty = cross(n, tx);
    contacts.in_a = {tx, ty, n, splat(0.0f), 1.0f};
    contacts.in_b = {rotate_back(pair.rotation, tx), rotate_back(pair.rotation, ty), rotate_back(pair.rotation, n),
                     contacts.in_a.along(pair.offset), -1.0f};
    contacts.deepest.separation = seed.answer.signed_distance;
    contacts.is_turned = axis.is_turned;
    const FloatW along = select(axis.is_turned, axis.separation - pair.radius, seed.answer.signed_distance);
    contacts.limits = {seed.margin, along, pair.tolerance, FloatW(kSamePlaceShare) * pair.smaller, seed.slack};
    contacts.near = FloatW(kSamePointShare) * pair.smaller;

    const auto know_deepest = [&] { set_deepest(pair, form_a, form_b, seed, contacts); };
    CandidatesW found;
    std::uint32_t alone = lanes;
    Lacking lacking;
    if (form_b == CoreForm::polytope)
        alone &= ~find_wide(pair, form_a, contacts, know_deepest, frame, MaskW::from_bits(lanes), found).bits();
    if (alone != 0) {
        know_deepest();
        lacking = find_one_by_one(pair, form_a, form_b, contacts, frame, alone, found);
    }
    store_four(found, {tx, ty, n}, pair.offset, contacts.limits, lanes & ~(lacking.deepest | lacking.along), out);
    return lacking;
}

// The deepest point is all there is. `features`: both names.
ABUT_INLINE ManifoldW lone_point(const AnswerW& answer, IntW features) {
    ManifoldW out;
    out.has[0] = kAllLanes;
    for (int k = 1; k < kManifoldPoints; ++k) out.has[k] = 0;
    out.normal = answer.normal;
    out.point[0] = answer.midpoint;
    out.separation[0] = answer.signed_distance;
    out.feature[0] = features;
    return out;
}

// A sphere's contact.
template <class CoreB>
inline ManifoldW one_point(const PairW<PointCore, CoreB>& pair, CoreForm form_b, const AnswerW& answer, IntW names,
                           std::uint32_t lanes) {
    using namespace manifold_detail;
    IntW features = 0;
    if constexpr (!std::is_same_v<CoreB, PointCore>) {
        const LaneArray<std::int32_t> face = best_faces(pair.b, rotate_back(pair.rotation, -answer.normal), lanes);
        features = resolve_names(form_b, names & IntW(0xffff), face);
    }
    return lone_point(answer, features);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
