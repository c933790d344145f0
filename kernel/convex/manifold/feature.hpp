// The supporting feature of one shape in a contact (a face or an edge), seen along the contact normal.
//
// Coordinates are those of the contact: x and y along two tangents, the height along the normal from A to B. Features
// of rounded shapes are on the surface, not on the core: moved outwards by the radius.
#pragma once

#include "convex/lanes/names.hpp"
#include "convex/lanes/polytope_support.hpp"
#include "convex/manifold/face_span.hpp"
#include "convex/manifold/round_end.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxCorners =
    kCornerPad;  // the number of corners, evenly spread, that represent a larger face
inline constexpr std::uint32_t kCornerRoom = kMaxCorners + 16;  // because whole vectors are read and written

// The contact axes in the shape's frame, and the origin of that frame in contact axes.
struct ContactAxes {
    Float3 x, y, normal;
    Float3 origin;
};

struct Feature {
    std::uint32_t count = 0;  // corners: 2 for an edge, 3 or more for a face, 0 for a point
    std::uint32_t face = 0;
    std::uint32_t stands_for = 0;  // the name of the flat face on whose border this edge lies
    float slope_x = 0, slope_y = 0,
          height0 = 0;      // plane of a face: height = height0 + slope_x x + slope_y y; slope of an edge
    float facing = 0;       // cosine between the outward normal and the contact normal towards the other shape
    bool is_round = false;  // an edge without adjacent faces
    float radius = 0;       // of a round edge
    float aside[2] = {0,
                      0};  // at an edge's ends: squared lateral distance up to which the surface is as high as the edge
    bool has_chords =
        false;  // the polygon of the face has chords instead of edges: a cap, or a large face with some of its corners
    bool has_flat_ends = false;  // the line of a lateral face (cylinder or cone), which has no balls at its ends
    float width = 0;             // least extent of a face
    float winding = 1;           // 1 where the corners run counter-clockwise, -1 where clockwise
    alignas(64) float x[kCornerRoom], y[kCornerRoom], height[kCornerRoom];
    // The offset from corner i to the next corner, and its squared length.
    alignas(64) float edge_x[kCornerRoom], edge_y[kCornerRoom], edge_height[kCornerRoom], edge_squared[kCornerRoom];
    // Lines through corner i and the next: distance inwards = line_x x + line_y y + line_0.
    alignas(64) float line_x[kCornerRoom], line_y[kCornerRoom], line_0[kCornerRoom];
    alignas(64) std::int32_t vertex[kCornerRoom];  // ids of the corners
    Float3 shift;                                  // offset of the corners from those of the core, due to the radius
    // Set for a tilted edge that ends in balls (round_end.hpp), otherwise 0.
    float rise = 0;             // cosine between the edge and the normal
    std::uint32_t deepest = 0;  // the corner at which the edge's line is continued
    Float3 past = {0, 0, 0};    // the continuation

    std::uint32_t id(std::uint32_t i) const { return static_cast<std::uint32_t>(vertex[i]); }
    std::uint32_t corner_name(std::uint32_t i) const { return vertex_name(id(i)); }
    std::uint32_t corners() const { return count; }
    std::uint32_t next(std::uint32_t i) const { return i + 1 < count ? i + 1 : 0; }
    std::uint32_t name_of_edge(std::uint32_t i) const { return edge_name(id(i), id(next(i))); }
    // The distance of an edge's surface behind its line.
    FloatW behind(FloatW px, FloatW py) const {
        if (!(rise > 0.0f)) return 0.0f;
        const float dx = edge_x[0], dy = edge_y[0], by = 1.0f / sqrt_of(dx * dx + dy * dy);
        const RoundEndW end = {radius, facing, rise};
        return end.behind(
            abs((px - FloatW(x[deepest])) * FloatW(dx * by) + (py - FloatW(y[deepest])) * FloatW(dy * by)));
    }
    float behind(float px, float py) const { return rise > 0.0f ? lanes_of(behind(FloatW(px), FloatW(py)))[0] : 0.0f; }
    std::uint32_t own_name() const {
        if (stands_for != 0) return stands_for;
        return count == 2 ? edge_name(id(0), id(1)) : face_name(face);
    }
};

namespace feature_detail {

inline void set_corner(Feature& f, std::uint32_t i, Float3 p, const ContactAxes& axes, std::uint32_t vertex) {
    f.x[i] = dot(axes.x, p) + axes.origin.x;
    f.y[i] = dot(axes.y, p) + axes.origin.y;
    f.height[i] = dot(axes.normal, p) + axes.origin.z;
    f.vertex[i] = static_cast<std::int32_t>(vertex);
}

// Sets kLanes corners from i, moved by `out`, and the lines of their edges. The directions of the lines are differences
// in the shape's own frame, which are exact for near vertices. For boxes they are the axes, which exist even if the box
// is flat.
ABUT_INLINE void set_corners(Feature& f, std::uint32_t i, const HullCorner* corners, const Polytope& p,
                             const ContactAxes& axes, Float3 out) {
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &corners[i + static_cast<std::uint32_t>(lane)].x;
    FloatW corner[4], step[4];
    transpose_records4(rows, corner);
    transpose_records4(rows, step, 4);
    const Vec3W scale = {p.x, p.y, p.z}, offset = {step[0], step[1], step[2]};
    const Vec3W at = multiply({corner[0], corner[1], corner[2]}, scale), scaled = multiply(offset, scale);
    const Vec3W direction = p.stretch == Stretch::box ? offset : scaled;
    const auto along = [](Float3 axis, Vec3W v) {
        return FloatW(axis.x) * v.x + FloatW(axis.y) * v.y + FloatW(axis.z) * v.z;
    };
    const FloatW x = along(axes.x, at) + FloatW(out.x), y = along(axes.y, at) + FloatW(out.y);
    x.store(f.x + i);
    y.store(f.y + i);
    bits_of(corner[3]).store(f.vertex + i);
    (along(axes.normal, at) + FloatW(out.z)).store(f.height + i);
    along(axes.x, scaled).store(f.edge_x + i);
    along(axes.y, scaled).store(f.edge_y + i);
    along(axes.normal, scaled).store(f.edge_height + i);
    length_squared(scaled).store(f.edge_squared + i);
    const FloatW ex = along(axes.x, direction), ey = along(axes.y, direction);
    const FloatW inverse = FloatW(f.winding) / sqrt(max(ex * ex + ey * ey, FloatW(kTiny)));
    const FloatW nx = -(ey * inverse), ny = ex * inverse;
    nx.store(f.line_x + i);
    ny.store(f.line_y + i);
    (-(nx * x + ny * y)).store(f.line_0 + i);
}

// Sets kMaxCorners evenly spread corners of a larger face.
inline void set_spread_corners(Feature& f, const Polytope& p, const HullCorner* of, std::uint32_t total,
                               const ContactAxes& axes, Float3 out) {
    const auto chosen = [&](std::uint32_t i) -> const HullCorner& {
        return of[(i % kMaxCorners) * total / kMaxCorners];
    };
    HullCorner corners[kMaxCorners];
    for (std::uint32_t i = 0; i < kMaxCorners; ++i) {
        const HullCorner &v = chosen(i), &next = chosen(i + 1);
        corners[i] = {v.x, v.y, v.z, v.vertex, next.x - v.x, next.y - v.y, next.z - v.z, 0.0f};
    }
    for (std::uint32_t i = 0; i < kMaxCorners; i += kLanes) set_corners(f, i, corners, p, axes, out);
}

}  // namespace feature_detail

// The least scale of those axes of a box that lie in the face with normal `m`.
inline float least_across(const Polytope& p, Float3 m) {
    const float half = 0.5f, none = HUGE_VALF;
    const float x = m.x * m.x < half ? p.x : none, y = m.y * m.y < half ? p.y : none, z = m.z * m.z < half ? p.z : none;
    const float xy = x < y ? x : y;
    return xy < z ? xy : z;
}

// Sets the plane of a face with outward normal `m` (in the shape's frame), moved outwards by the radius, but no
// corners. `normal_sign`: 1 for A, -1 for B. False if the face is perpendicular to the contact plane.
inline bool set_plane(Feature& f, Float3 m, std::int32_t face, float radius, float normal_sign,
                      const ContactAxes& axes) {
    f.count = 0;
    const Float3 seen = {dot(axes.x, m), dot(axes.y, m), dot(axes.normal, m)};
    f.face = static_cast<std::uint32_t>(face);
    if (!(seen.z * normal_sign > kSteepFace)) return false;
    f.winding = normal_sign;
    f.facing = seen.z * normal_sign;
    f.shift = seen * radius;
    const float inverse = 1.0f / seen.z;
    f.slope_x = -(seen.x * inverse);
    f.slope_y = -(seen.y * inverse);
    return true;
}

// Sets a face with its corners; no corners if the face is perpendicular to the contact plane.
ABUT_INLINE void set_face(Feature& f, const Polytope& p, std::int32_t face, float radius, float normal_sign,
                          const ContactAxes& axes) {
    using namespace feature_detail;
    const ContactFace& of = contact_face(*p.hull, face);
    const FaceSpan span = span_of_face(p, of);
    const Float3 m = span.normal;
    if (!set_plane(f, m, face, radius, normal_sign, axes)) return;
    const Float3 out = f.shift + axes.origin;
    const std::uint32_t total = of.count;
    f.has_chords = total > kMaxCorners;
    const HullCorner* const corners = p.hull->corners.data() + of.first;
    f.width = p.stretch == Stretch::box ? of.width * least_across(p, m) : span.width;
    if (total <= kMaxCorners) {
        f.count = total;
        for (std::uint32_t i = 0; i < total; i += kLanes) set_corners(f, i, corners, p, axes, out);
    } else {
        f.count = kMaxCorners;
        set_spread_corners(f, p, corners, total, axes, out);
    }
    f.height0 = f.height[0] - (f.slope_x * f.x[0] + f.slope_y * f.y[0]);
}

namespace feature_detail {

// Moves corners 0 and 1 from the core's edge to the line of contact on the rounded surface. Sets no feature if the edge
// is along the normal. `seen`: the edge in contact axes. The difference of the corners' positions would be too inexact
// for an edge ten thousand times shorter than the radius.
inline void round_edge(Feature& f, Float3 seen, float radius, float normal_sign) {
    const float squared = dot(seen, seen), flat = seen.x * seen.x + seen.y * seen.y;
    f.count = 0;
    if (!(flat > kSteepSegmentSquared * squared)) return;
    // The direction perpendicular to the edge that is best aligned with the normal.
    const float inverse = 1.0f / sqrt_of(flat * squared), scale = normal_sign * radius * inverse;
    const Float3 out = {-(seen.x * seen.z) * scale, -(seen.y * seen.z) * scale, flat * scale};
    f.count = 2;
    f.winding = normal_sign;
    f.aside[0] = f.aside[1] = 0.0f;
    f.facing = flat * inverse;
    for (std::uint32_t i = 0; i < 2; ++i) f.x[i] += out.x, f.y[i] += out.y, f.height[i] += out.z;
    f.edge_squared[0] = squared;
    f.edge_x[0] = seen.x, f.edge_y[0] = seen.y, f.edge_height[0] = seen.z;
    f.slope_x = seen.x * seen.z / flat, f.slope_y = seen.y * seen.z / flat;
    f.shift = out;
}

// Continues the line of an edge that ends in balls to its deepest point. `seen`: the core's edge.
inline void continue_edge(Feature& f, Float3 seen, float normal_sign) {
    const float inverse = 1.0f / sqrt_of(f.edge_squared[0]), up = seen.z * inverse * normal_sign;
    f.deepest = up > 0.0f ? 1 : 0, f.rise = up > 0.0f ? up : -up;
    f.past = seen * (up * f.radius * inverse / f.facing);
    f.x[f.deepest] += f.past.x, f.y[f.deepest] += f.past.y, f.height[f.deepest] += f.past.z;
    const float longer = 1.0f + f.radius * f.rise * inverse / f.facing;
    f.edge_x[0] *= longer, f.edge_y[0] *= longer, f.edge_height[0] *= longer, f.edge_squared[0] *= longer * longer;
}

}  // namespace feature_detail

// Sets the round edge from `from` to `to`, which are in the shape's frame.
ABUT_INLINE void set_segment(Feature& f, Float3 from, Float3 to, float radius, float normal_sign,
                             const ContactAxes& axes) {
    f.is_round = true;
    f.radius = radius;
    feature_detail::set_corner(f, 0, from, axes, 0);
    feature_detail::set_corner(f, 1, to, axes, 1);
    const Float3 along = to - from;
    feature_detail::round_edge(f, {dot(axes.x, along), dot(axes.y, along), dot(axes.normal, along)}, radius,
                               normal_sign);
}

// Sets the round edge between two balls.
ABUT_INLINE void set_capsule(Feature& f, Float3 from, Float3 to, float radius, float normal_sign,
                             const ContactAxes& axes) {
    set_segment(f, from, to, radius, normal_sign, axes);
    if (f.count == 2) feature_detail::continue_edge(f, {f.edge_x[0], f.edge_y[0], f.edge_height[0]}, normal_sign);
}

// True if no part of the hull is above the edge through `at`, in the direction perpendicular to the edge that is best
// aligned with `n`. `along`: the edge; `n`: the contact normal towards the other shape.
inline bool is_top(const Polytope& p, Float3 at, Float3 along, Float3 n, float tolerance) {
    const Float3 out = n - along * (dot(n, along) / dot(along, along));
    const float above = dot(out, vertex_of(p, support_vertex_of(p, out)) - at);
    return above * above <= kFeatureShare * kFeatureShare * tolerance * tolerance * dot(out, out);
}

// For hulls whose faces at the highest vertex are perpendicular to the contact plane: sets the most level edge at that
// vertex, or nothing.
inline void set_top_edge(Feature& f, const Polytope& p, float radius, float tolerance, float normal_sign,
                         const ContactAxes& axes) {
    const std::uint32_t top = support_vertex_of(p, axes.normal * normal_sign);
    float steepest = 1.0f - kSteepSegmentSquared;
    const float shortest = kSliver * tolerance;
    std::uint32_t from = top, to = top;
    for (const HullEdge& edge : p.hull->edges) {
        if (edge.v0 != top && edge.v1 != top) continue;
        const Float3 along = vertex_of(p, edge.v1) - vertex_of(p, edge.v0);
        const float rise = dot(axes.normal, along), squared = dot(along, along);
        if (!(squared > shortest * shortest) || !(rise * rise < steepest * squared)) continue;
        steepest = rise * rise / squared, from = edge.v0, to = edge.v1;
    }
    if (from == to) return;
    const Float3 at = vertex_of(p, from);
    if (p.hull->report.dimension == 3 && !is_top(p, at, vertex_of(p, to) - at, axes.normal * normal_sign, tolerance))
        return;
    set_segment(f, vertex_of(p, from), vertex_of(p, to), radius, normal_sign, axes);
    f.is_round = radius > 0.0f;
    f.vertex[0] = static_cast<std::int32_t>(from), f.vertex[1] = static_cast<std::int32_t>(to);
}

// For faces of hulls that are too narrow to clip: sets the highest of the face's long edges, or nothing.
inline void set_sliver(Feature& f, const Polytope& p, std::int32_t face, float radius, float tolerance,
                       float normal_sign, const ContactAxes& axes) {
    const ContactFace& of = contact_face(*p.hull, face);
    const HullCorner* const corners = p.hull->corners.data() + of.first;
    const auto along = [&](std::uint32_t i) {
        return Float3{corners[i].edge_x * p.x, corners[i].edge_y * p.y, corners[i].edge_z * p.z};
    };
    const auto at = [&](std::uint32_t i) { return Float3{corners[i].x * p.x, corners[i].y * p.y, corners[i].z * p.z}; };
    float longest = 0.0f, highest = -HUGE_VALF;
    for (std::uint32_t i = 0; i < of.count; ++i)
        if (const float squared = dot(along(i), along(i)); squared > longest) longest = squared;
    if (!(longest > kSliver * kSliver * tolerance * tolerance)) return;
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < of.count; ++i) {
        const float height = normal_sign * dot(axes.normal, at(i) + along(i) * 0.5f);
        if (dot(along(i), along(i)) > 0.25f * longest && height > highest) best = i, highest = height;
    }
    if (radius > 0.0f) {
        // The edge is part of the surface only if no part of the hull is above it.
        if (!is_top(p, at(best), along(best), axes.normal * normal_sign, tolerance)) return;
    }
    set_segment(f, at(best), at(best) + along(best), radius, normal_sign, axes);
    f.is_round = false;
    f.radius = 0.0f;
    f.face = static_cast<std::uint32_t>(face);
    const auto id = [&](std::uint32_t i) { return static_cast<std::int32_t>(corners[i < of.count ? i : 0].vertex); };
    f.vertex[0] = id(best), f.vertex[1] = id(best + 1);
}

// Sets the edge of a face that is nearest to the point (x, y); nothing if that edge is not on the outline.
ABUT_INLINE void set_nearest_edge(Feature& f, const Feature& face, float x, float y, float radius, float normal_sign,
                                  float slack) {
    f.is_round = false;
    // A contact on the border of a level face gets the same name on both sides of the border.
    f.stands_for = face.facing > kFlatFacing ? face.own_name() : 0;
    std::uint32_t best = 0;
    float least = HUGE_VALF;
    for (std::uint32_t i = 0; i < face.count; ++i) {
        const float dx = face.edge_x[i], dy = face.edge_y[i], px = x - face.x[i], py = y - face.y[i];
        const float squared = dx * dx + dy * dy, along = px * dx + py * dy;
        const float t = squared > kTiny ? along / squared : 0.0f, at = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
        const float ox = px - dx * at, oy = py - dy * at;
        if (const float off = ox * ox + oy * oy; off < least) best = i, least = off;
    }
    f.count = 0;
    // If a corner of the face is above the edge, the edge is not on the outline.
    const float dx = face.edge_x[best], dy = face.edge_y[best], squared = dx * dx + dy * dy;
    if (!(squared > kTiny)) return;
    for (std::uint32_t i = 0; i < face.count; ++i) {
        const float t = ((face.x[i] - face.x[best]) * dx + (face.y[i] - face.y[best]) * dy) / squared;
        const float level = face.height[best] + face.edge_height[best] * t;
        if ((face.height[i] - level) * normal_sign > slack) return;
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
        const std::uint32_t corner = i == 0 ? best : face.next(best);
        f.x[i] = face.x[corner] - face.shift.x, f.y[i] = face.y[corner] - face.shift.y;
        f.height[i] = face.height[corner] - face.shift.z, f.vertex[i] = face.vertex[corner];
    }
    feature_detail::round_edge(f, {dx, dy, face.edge_height[best]}, radius, normal_sign);
}

// Sets a box's face. If the face is too narrow in one direction, sets its middle line; if in both directions, nothing.
inline void set_box_face(Feature& f, const Polytope& p, std::int32_t face, float radius, float sliver,
                         float normal_sign, const ContactAxes& axes) {
    const float extent[3] = {p.x, p.y, p.z};
    const std::uint32_t axis = static_cast<std::uint32_t>(face) / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool wide_u = 2.0f * extent[u] > sliver, wide_v = 2.0f * extent[v] > sliver;
    if (wide_u && wide_v) return set_face(f, p, face, radius, normal_sign, axes);
    f.count = 0;
    f.face = static_cast<std::uint32_t>(face);
    if (!wide_u && !wide_v) return;
    float middle[3] = {0.0f, 0.0f, 0.0f}, along[3] = {0.0f, 0.0f, 0.0f};
    middle[axis] = face % 2 == 0 ? extent[axis] : -extent[axis];
    along[wide_u ? u : v] = extent[wide_u ? u : v];
    const Float3 m = {middle[0], middle[1], middle[2]}, w = {along[0], along[1], along[2]};
    set_segment(f, m + w, m - w, radius, normal_sign, axes);
    f.is_round = false;
    f.radius = 0.0f;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
