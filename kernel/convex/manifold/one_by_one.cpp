// Candidates of one pair from its two features.
#include "convex/manifold/one_by_one.hpp"

#include "convex/manifold/clip.hpp"
#include "convex/manifold/edge_clip.hpp"
#include "convex/manifold/rim.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace manifold_detail {

void ContactShape::set_feature(std::int32_t face, Feature& f) const {
    const Polytope& p = polytope;
    f.count = 0;
    f.facing = f.slope_x = f.slope_y = f.rise = 0.0f;
    f.past = {0.0f, 0.0f, 0.0f};
    if (is_curved()) return set_curved_feature(f, kind, p, face, radius, tolerance, normal_sign, axes);
    if (kind == ShapeKind::capsule)
        return set_capsule(f, {0.0f, p.y, 0.0f}, {0.0f, -p.y, 0.0f}, radius, normal_sign, axes);
    if (kind == ShapeKind::box) return set_box_face(f, p, face, radius, tolerance, normal_sign, axes);
    if (p.hull->report.dimension == 1)
        return set_capsule(f, vertex_of(p, 0), vertex_of(p, 1), radius, normal_sign, axes);
    const bool is_wide = span_of_face(p, contact_face(*p.hull, face)).width > kSliver * tolerance;
    if (!is_wide) return set_sliver(f, p, face, radius, tolerance, normal_sign, axes);
    set_face(f, p, face, radius, normal_sign, axes);
    if (f.count == 0) set_top_edge(f, p, radius, tolerance, normal_sign, axes);
}

bool ContactShape::choose_support_face(std::int32_t& face) const {
    if (kind != ShapeKind::hull || polytope.hull->face_count == 0) return false;
    const std::int32_t other = face_at_support(polytope, axes.normal * normal_sign, tolerance);
    if (other == face) return false;
    face = other;
    return true;
}

namespace {

// Raises separations that are smaller than the answer's by rounding, and removes candidates whose separations are
// smaller by more: they are off a surface. Returns true if some candidate is as deep as the answer.
bool reaches_answer(Candidates& c, const ContactSeed& seed, float share = kFeatureShare) {
    const FloatW along = seed.along, lowest = seed.along - seed.tolerance, infinite = HUGE_VALF;
    FloatW least = infinite;
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < c.count; i += kLanes) {
        const FloatW s = FloatW::load(c.separation + i);
        const std::uint32_t lanes = lane_bits(c.count - i), keep = ~(s < lowest).bits() & lanes;
        const FloatW raised = select(s < along, along, s);
        least = min(least, select(MaskW::from_bits(keep), raised, infinite));
        raised.store(c.separation + i);
        if (keep == lanes && kept == i)
            kept += static_cast<std::uint32_t>(bit_count(lanes));
        else
            for_each_lane(keep, [&](int lane) { c.copy(kept++, i + static_cast<std::uint32_t>(lane)); });
    }
    c.count = kept;
    return -reduce_max(-least) <= seed.as_deep(share);
}

// Adds the deepest point. If a candidate has the same name or is within `near`, replaces that candidate and keeps its
// name.
void add_deepest(Candidates& c, float x, float y, float height, float separation, std::int32_t name, float near) {
    std::uint32_t nearest = c.count;
    float nearest_squared = near * near;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        const float dx = c.x[i] - x, dy = c.y[i] - y, squared = c.name[i] == name ? -1.0f : dx * dx + dy * dy;
        if (squared <= nearest_squared) nearest = i, nearest_squared = squared;
    }
    if (nearest < c.count) name = c.name[nearest];
    if (nearest == c.count && c.count == kMaxCandidates) nearest = c.count - 1;
    if (nearest == c.count) ++c.count;
    c.set(nearest, x, y, height, separation, name);
}

// Both distances in the plane are scaled by the steeper face's cosine, because the same distance is more height on a
// steeper face.
ClipLimits clip_limits(const Feature& a, const Feature& b, const ContactSeed& seed) {
    const float facing = a.facing < b.facing ? a.facing : b.facing, none = HUGE_VALF;
    const float width_a = a.count >= 3 ? a.width : none, width_b = b.count >= 3 ? b.width : none;
    const float width = kSamePlaceWidth * (width_a < width_b ? width_a : width_b);
    return {seed.margin, kClipShare * seed.tolerance * facing,
            (width < seed.same_place ? width : seed.same_place) * facing};
}

void clip_edges(const Feature& a, const Feature& b, float radius_a, float radius_b, const ClipLimits& limits,
                Candidates& out) {
    const StretchW stretch(EdgeW(a, radius_a, 1.0f), EdgeW(b, radius_b, -1.0f), limits.separation, limits.slack,
                           limits.apart, MaskW::from_bits(kAllLanes));
    for (int k = 0; k < 2; ++k) {
        const CandidateW& c = stretch.end[k];
        if ((stretch.has[k].bits() & 1) != 0) out.append(1, c.x, c.y, c.height, c.separation, c.name);
    }
}

void clip_candidates(const Feature& a, const Feature& b, float radius_a, float radius_b, const ClipLimits& limits,
                     Candidates& found) {
    found.count = 0;
    found.apart = limits.apart;
    if (a.count >= 3 || b.count >= 3) {
        if (a.count == 0 || b.count == 0) return;
        clip_faces(a, b, limits, found);
    } else if (a.count == 2 && b.count == 2) {
        clip_edges(a, b, radius_a, radius_b, limits, found);
    }
}

// True if some edge of a is parallel to some edge of b, up to an angle given by its squared sine.
bool has_parallel_edges(const Feature& a, const Feature& b, float sine_squared = kParallelSineSquared) {
    const std::uint32_t count = a.count == 2 ? 1 : a.count;
    const auto lines_of_b = [&](std::uint32_t i) {
        return Vec3W{FloatW::load(b.line_x + i), FloatW::load(b.line_y + i), FloatW(0.0f)};
    };
    for (std::uint32_t j = 0; j < count; ++j) {
        const float dx = a.edge_x[j], dy = a.edge_y[j];
        const FloatW limit = sine_squared * (dx * dx + dy * dy);
        for (std::uint32_t i = 0; i < b.count; i += kLanes) {
            const Vec3W line = lines_of_b(i);
            const FloatW across = FloatW(dx) * line.x + FloatW(dy) * line.y;
            if (((across * across <= limit).bits() & lane_bits(b.count - i)) != 0) return true;
        }
    }
    return false;
}

// Finds the ends of the common segment of the two edges that are nearest to the deepest point (x, y).
void clip_near_edges(const Feature& a, const Feature& b, float x, float y, float radius_a, float radius_b,
                     const ClipLimits& limits, Candidates& found) {
    found.count = 0;
    found.apart = limits.apart;
    if (a.count < 2 || b.count < 2 || a.has_chords || b.has_chords) return;
    if (a.count > 2 && b.count == 2) {
        if (!has_parallel_edges(b, a)) return;
    } else if (b.count > 2 && !has_parallel_edges(a, b)) {
        return;
    }
    Feature edge_a, edge_b;
    if (a.count > 2) set_nearest_edge(edge_a, a, x, y, radius_a, 1.0f, limits.slack);
    if (b.count > 2) set_nearest_edge(edge_b, b, x, y, radius_b, -1.0f, limits.slack);
    const Feature &ea = a.count > 2 ? edge_a : a, &eb = b.count > 2 ? edge_b : b;
    if (ea.count == 2 && eb.count == 2) clip_edges(ea, eb, radius_a, radius_b, limits, found);
}

// For two capsules that touch along one line: keeps the end farther from the deepest point (of equally far ends the
// first). The deepest point is added later.
void keep_farther_end(const ContactSeed& seed, Candidates& found) {
    const auto off = [&](std::uint32_t i) {
        const float dx = found.x[i] - seed.x, dy = found.y[i] - seed.y;
        return dx * dx + dy * dy;
    };
    if (found.count != 2) return;
    if (off(1) > kSameEnd * kSameEnd * off(0)) found.copy(0, 1);
    found.count = 1;
}

enum class Found { all, no_deepest, nothing_along };

}  // namespace

bool clip_features(const Feature& a, const Feature& b, float radius_a, float radius_b, const ContactSeed& seed,
                   float share, Candidates& found) {
    clip_candidates(a, b, radius_a, radius_b, clip_limits(a, b, seed), found);
    return reaches_answer(found, seed, share);
}

namespace {

// Finds the candidates of one pair, including the deepest point if no other is as deep. Returns what is missing, or
// Found::all.
Found find_candidates(const ContactShape& shape_a, const ContactShape& shape_b, std::int32_t face_a,
                      std::int32_t face_b, const ContactSeed& seed, Candidates& found, bool& lacks_ends) {
    const float radius_a = shape_a.edge_radius(face_a), radius_b = shape_b.edge_radius(face_b);
    Feature a, b;
    const auto clipped = [&] { return clip_features(a, b, radius_a, radius_b, seed, kFeatureShare, found); };
    shape_a.set_feature(face_a, a);
    shape_b.set_feature(face_b, b);
    lacks_ends = false;
    bool reached = clipped();
    if (!reached) {
        // The face best aligned with the normal may lack the deepest vertex.
        const bool other_a = shape_a.choose_support_face(face_a), other_b = shape_b.choose_support_face(face_b);
        if (other_a) shape_a.set_feature(face_a, a);
        if (other_b) shape_b.set_feature(face_b, b);
        if (other_a || other_b) reached = clipped();
    }
    // Tries two parallel edges, which may be outside the other shape's face. (Features that are edges were clipped
    // above.)
    if (seed.is_known && (a.count > 2 || b.count > 2) && (found.are_few(seed.near) || !reached)) {
        Candidates edges;
        clip_near_edges(a, b, seed.x, seed.y, radius_a, radius_b, clip_limits(a, b, seed), edges);
        if (edges.count == 2 && reaches_answer(edges, seed) &&
            (found.count < 2 || !reached || !edges.are_few(seed.near))) {
            for (found.count = 0; found.count < edges.count; ++found.count) found.copy(found.count, edges, found.count);
            reached = true;
        }
    }
    if (!reached) {
        if (seed.has_face_normal) return Found::nothing_along;
        if (!seed.is_known) return Found::no_deepest;
        if (a.is_round && b.is_round) keep_farther_end(seed, found);
        add_deepest(found, seed.x, seed.y, seed.height, seed.separation, seed.names, seed.near);
    }
    // Only faces have lines, so a face is the second argument.
    const bool b_has_lines = b.count > 2;
    lacks_ends = found.are_few(seed.near) && (b_has_lines || a.count > 2) &&
                 has_parallel_edges(b_has_lines ? a : b, b_has_lines ? b : a, kLevelEdgesSineSquared);
    return Found::all;
}

}  // namespace

Lacking find_one_by_one(const LanesOfPair& of, std::uint32_t lanes, CandidatesW& out) {
    Lacking lacking;
    Candidates found;
    bool lacks_ends = false;
    CandidateLanes lone;
    for_each_lane(lanes, [&](int lane) {
        const ContactSeed seed = of.seeds.of_lane(lane);
        switch (find_candidates(of.a.of_lane(lane), of.b.of_lane(lane), of.face_a[lane], of.face_b[lane], seed, found,
                                lacks_ends)) {
            case Found::no_deepest: lacking.deepest |= 1u << lane; break;
            case Found::nothing_along: lacking.along |= 1u << lane; break;
            case Found::all:
                sort_by_name(found), thin_out(found, seed.slack, seed.smaller), lone.set(lane, found);
                lacking.ends |= static_cast<std::uint32_t>(lacks_ends) << lane;
        }
    });
    lone.merge_into(out);
    return lacking;
}

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
