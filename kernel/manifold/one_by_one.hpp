// Candidates of pairs that do not fit lanes, one pair at a time: curved features, faces of many corners, edges side by side, and deepest vertices of
// other faces than those that look most along the normal.
#pragma once

#include "manifold/clip.hpp"
#include "manifold/curved_feature.hpp"
#include "manifold/manifold_wide.hpp"
#include "manifold/rim.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace manifold_detail {

// The axes of every lane's contact in a shape's frame, taken apart.
struct AxesW {
    LaneArray<float> at[12];

    ABUT_INLINE AxesW(const SideAxesW& a)
        : at{lanes_of(a.x.x),      lanes_of(a.x.y),      lanes_of(a.x.z),      lanes_of(a.y.x),      lanes_of(a.y.y),      lanes_of(a.y.z),
             lanes_of(a.normal.x), lanes_of(a.normal.y), lanes_of(a.normal.z), lanes_of(a.origin.x), lanes_of(a.origin.y), lanes_of(a.origin.z)} {}
    ABUT_INLINE ContactAxes of_lane(int lane) const {
        const auto v = [&](int i) { return Float3{at[i][lane], at[i + 1][lane], at[i + 2][lane]}; };
        return {v(0), v(3), v(6), v(9)};
    }
};

// One side's features, lane by lane.
template <class Core>
struct SideW {
    const Core& core;
    const FrameView& frame;
    CoreForm form;
    float side;  // 1 for A, -1 for B
    LaneArray<float> scale[3], radius, tolerance, smaller;
    AxesW axes;
    static constexpr bool is_curved = std::is_same_v<Core, CurvedCore>;

    ABUT_INLINE SideW(const Core& of_core, FloatW of_radius, const FrameView& view, CoreForm of_form, float of_side, FloatW bound,
                      FloatW smaller_size, const SideAxesW& along)
        : core(of_core),
          frame(view),
          form(of_form),
          side(of_side),
          radius(lanes_of(of_radius)),
          tolerance(lanes_of(bound)),
          smaller(lanes_of(smaller_size)),
          axes(along) {
        const Vec3W by = scale_of(core);
        scale[0] = lanes_of(by.x), scale[1] = lanes_of(by.y), scale[2] = lanes_of(by.z);
    }

    // Of the surface about an edge: a cylinder's side is an edge about its axis.
    ABUT_INLINE float edge_radius(int lane, std::int32_t face) const {
        if constexpr (is_curved)
            if (core.kind == ShapeKind::cylinder && face == kSideFace) return radius[lane] + scale[0][lane];
        return radius[lane];
    }
    ABUT_INLINE void feature_of(int lane, std::int32_t face, Feature& f) const {
        const Polytope p = polytope_of(core, scale, frame, lane);
        const ContactAxes at = axes.of_lane(lane);
        f.count = 0;
        f.facing = f.slope_x = f.slope_y = 0.0f;
        if constexpr (is_curved) return set_curved_feature(f, core.kind, p, face, radius[lane], tolerance[lane], smaller[lane], side, at);
        if (form == CoreForm::segment) return set_segment(f, {0.0f, p.y, 0.0f}, {0.0f, -p.y, 0.0f}, radius[lane], side, at);
        if (p.stretch == Stretch::box) return set_box_face(f, p, face, radius[lane], tolerance[lane], side, at);
        const bool is_wide = span_of_face(p, contact_face(*p.hull, face)).width > kSliver * tolerance[lane];
        if (p.hull->report.dimension == 1) return set_segment(f, vertex_of(p, 0), vertex_of(p, 1), radius[lane], side, at);
        if (!is_wide) return set_sliver(f, p, face, radius[lane], tolerance[lane], side, at);
        set_face(f, p, face, radius[lane], side, at);
        if (f.count == 0) set_top_edge(f, p, radius[lane], tolerance[lane], side, at);
    }
    // Another face of a hull, where the deepest vertex is not of this one.
    ABUT_INLINE bool turn_to_support(int lane, std::int32_t& face) const {
        const Polytope p = polytope_of(core, scale, frame, lane);
        if (is_curved || p.stretch == Stretch::box || p.hull->face_count == 0) return false;
        const std::int32_t other = face_at_support(p, axes.of_lane(lane).normal * side, tolerance[lane]);
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

// Of a group, taken apart.
struct ContactSeedsW {
    LaneArray<float> x, y, height, separation, along, margin, tolerance, near, same_place, slack;
    LaneArray<std::int32_t> names;
    std::uint32_t known, turned;

    ABUT_INLINE explicit ContactSeedsW(const ContactsW& c)
        : x(lanes_of(c.deepest.x)),
          y(lanes_of(c.deepest.y)),
          height(lanes_of(c.deepest.height)),
          separation(lanes_of(c.deepest.separation)),
          along(lanes_of(c.limits.separation)),
          margin(lanes_of(c.limits.margin)),
          tolerance(lanes_of(c.limits.tolerance)),
          near(lanes_of(c.near)),
          same_place(lanes_of(c.limits.same_place)),
          slack(lanes_of(c.limits.slack)),
          names(lanes_of(c.deepest.name)),
          known(c.is_known.bits()),
          turned(c.is_turned.bits()) {}
    ABUT_INLINE ContactSeed of_lane(int lane) const {
        return {x[lane],
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
    }
};

// A group of pairs, lane by lane.
template <class CoreA, class CoreB>
struct LanesOfPair {
    SideW<CoreA> a;
    SideW<CoreB> b;
    ContactSeedsW seeds;

    ABUT_INLINE LanesOfPair(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b, const ContactsW& contacts, const FrameView& frame)
        : a(pair.a, pair.radius_a, frame, form_a, 1.0f, pair.tolerance, pair.smaller, contacts.in_a),
          b(pair.b, pair.radius_b, frame, form_b, -1.0f, pair.tolerance, pair.smaller, contacts.in_b),
          seeds(contacts) {}
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

inline void clip_features(const Feature& a, const Feature& b, float radius_a, float radius_b, const ClipLimits& limits, Candidates& found) {
    found.count = 0;
    found.apart = limits.apart;
    if (a.count >= 3 || b.count >= 3) {
        if (a.count == 0 || b.count == 0) return;
        clip(a, b, a.facing >= b.facing - kFacingBias, limits, found);
        clip_rims(a, b, limits, found);
    } else if (a.count == 2 && b.count == 2) {
        clip_edges(a, b, radius_a, radius_b, limits, found);
    }
}

// Whether some side of one is parallel to some side of the other, to within an angle of this sine, squared.
ABUT_INLINE bool has_sides_side_by_side(const Feature& a, const Feature& b, float sine_squared = kSideBySideSineSquared) {
    const std::uint32_t count = a.count == 2 ? 1 : a.count;
    const auto sides_of_b = [&](std::uint32_t i) { return Vec3W{FloatW::load(b.line_x + i), FloatW::load(b.line_y + i), FloatW(0.0f)}; };
    for (std::uint32_t j = 0; j < count; ++j) {
        const float dx = a.side_x[j], dy = a.side_y[j];
        const FloatW limit = sine_squared * (dx * dx + dy * dy);
        for (std::uint32_t i = 0; i < b.count; i += kLanes) {
            const Vec3W line = sides_of_b(i);
            const FloatW across = FloatW(dx) * line.x + FloatW(dy) * line.y;
            if (((across * across <= limit).bits() & lane_bits(b.count - i)) != 0) return true;
        }
    }
    return false;
}

// The stretch that the edges nearest to the deepest point have in common.
inline void clip_near_edges(const Feature& a, const Feature& b, float x, float y, float radius_a, float radius_b, const ClipLimits& limits,
                            Candidates& found) {
    found.count = 0;
    found.apart = limits.apart;
    if (a.count < 2 || b.count < 2 || a.has_chords || b.has_chords) return;
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

// Of two capsules the deepest point and the end of their common stretch that is farther from it, the first of ends that are as far: they touch along
// one line.
ABUT_INLINE void keep_farther_end(const ContactSeed& seed, Candidates& found) {
    const auto off = [&](std::uint32_t i) {
        const float dx = found.x[i] - seed.x, dy = found.y[i] - seed.y;
        return dx * dx + dy * dy;
    };
    if (found.count != 2) return;
    if (off(1) > kSameEnd * kSameEnd * off(0)) found.copy(0, 1);
    found.count = 1;
}

enum class Found { all, no_deepest, nothing_along };

// Candidates of one pair from its features; the deepest point among them, or else what is missing.
template <class CoreA, class CoreB>
inline Found find_candidates(const SideW<CoreA>& side_a, const SideW<CoreB>& side_b, int lane, std::int32_t face_a, std::int32_t face_b,
                             const ContactSeed& seed, Candidates& found, bool& lacks_ends) {
    const float radius_a = side_a.edge_radius(lane, face_a), radius_b = side_b.edge_radius(lane, face_b);
    Feature a, b;
    const auto clipped = [&] {
        clip_features(a, b, radius_a, radius_b, clip_limits(a, b, seed), found);
        return reaches(found, seed);
    };
    const auto is_quad = [&](const Feature& of, const Feature& over, bool over_is_a) {
        if (!may_have_quad(of, over)) return false;
        found.count = 0;
        found.apart = clip_limits(a, b, seed).apart;
        return put_quad(of, over, over_is_a, seed.margin, found) && reaches(found, seed) && found.count == 4;
    };
    side_a.feature_of(lane, face_a, a);
    side_b.feature_of(lane, face_b, b);
    lacks_ends = false;
    if (is_quad(b, a, true) || is_quad(a, b, false)) return Found::all;
    bool reached = clipped();
    if (!reached) {
        // The face that looks most along the normal need not hold the deepest vertex.
        const bool other_a = side_a.turn_to_support(lane, face_a), other_b = side_b.turn_to_support(lane, face_b);
        if (other_a) side_a.feature_of(lane, face_a, a);
        if (other_b) side_b.feature_of(lane, face_b, b);
        if (other_a || other_b) reached = clipped();
    }
    // Edges side by side: each face's own, as neither face need lie over the other. Two edges have been clipped already.
    if (seed.is_known && (a.count > 2 || b.count > 2) && (found.are_few(seed.near) || !reached)) {
        Candidates edges;
        clip_near_edges(a, b, seed.x, seed.y, radius_a, radius_b, clip_limits(a, b, seed), edges);
        if (edges.count == 2 && reaches(edges, seed) && (found.count < 2 || !reached || !edges.are_few(seed.near))) {
            found.count = 0;
            for (std::uint32_t i = 0; i < edges.count; ++i)
                found.append(edges.x[i], edges.y[i], edges.height[i], edges.separation[i], static_cast<std::uint32_t>(edges.name[i]));
            reached = true;
        }
    }
    if (!reached) {
        if (seed.is_turned) return Found::nothing_along;
        if (!seed.is_known) return Found::no_deepest;
        if (a.is_round && b.is_round) keep_farther_end(seed, found);
        add_deepest(found, seed.x, seed.y, seed.height, seed.separation, seed.names, seed.near);
    }
    // Only faces have lines: they are the second.
    const bool b_has_lines = b.count > 2;
    lacks_ends = found.are_few(seed.near) && (b_has_lines || a.count > 2) &&
                 has_sides_side_by_side(b_has_lines ? a : b, b_has_lines ? b : a, kLevelEdgesSineSquared);
    return Found::all;
}

// Lanes whose candidates are not complete.
struct Lacking {
    std::uint32_t deepest = 0,
                  along = 0,  // the deepest point is not known; nothing as deep lies along a normal that is not the answer's
        ends = 0;             // few candidates, where edges may be side by side: not the ends of what they share

    ABUT_INLINE std::uint32_t all() const { return deepest | along; }  // these have no contacts yet
};

// The candidates of those lanes that are looked at by themselves.
template <class CoreA, class CoreB>
[[gnu::noinline]] Lacking find_one_by_one(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b, const ContactsW& contacts,
                                          const FrameView& frame, std::uint32_t lanes, CandidatesW& out) {
    const LanesOfPair of(pair, form_a, form_b, contacts, frame);
    Lacking lacking;
    Candidates found;
    bool lacks_ends = false;
    CandidateLanes lone = {};
    for_each_lane(lanes, [&](int lane) {
        const ContactSeed seed = of.seeds.of_lane(lane);
        switch (find_candidates(of.a, of.b, lane, contacts.face_a[lane], contacts.face_b[lane], seed, found, lacks_ends)) {
            case Found::no_deepest: lacking.deepest |= 1u << lane; break;
            case Found::nothing_along: lacking.along |= 1u << lane; break;
            case Found::all:
                sort_by_name(found), thin_out(found, seed.along + seed.slack), lone.set(lane, found);
                lacking.ends |= static_cast<std::uint32_t>(lacks_ends) << lane;
        }
    });
    lone.merge_into(out);
    return lacking;
}

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
