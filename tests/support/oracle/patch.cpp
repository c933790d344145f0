// Supporting features and what they share, see patch.hpp.
#include "support/oracle/patch.hpp"

#include <algorithm>
#include <optional>

#include "support/oracle/feature.hpp"

namespace abut::oracle {
namespace {

// One core and one side of it: `out` is the normal for A, its opposite for B.
struct Side {
    const Posed& core;
    Vec3d out;
    const Plane& plane;
    double one_plane, within;
    double top = dot(out, core.support(out));

    bool touches(const Vec3d& p) const { return dot(out, p) >= top - within; }
    const Vec3d& vertex(std::uint32_t i) const { return core.vertices[i]; }
};

struct FlatTriangle {
    const Polytope::Triangle* triangle;
    Vec3d normal;
    double area, tilt;  // sine of the angle to `out`
};

// Triangles that face `out` to within kClearAngle.
std::vector<FlatTriangle> flat_triangles(const Side& side) {
    std::vector<FlatTriangle> found;
    for (const Polytope::Triangle& t : side.core.core->triangles) {
        const Vec3d p = side.vertex(t.v[0]);
        Vec3d twice = cross(side.vertex(t.v[1]) - p, side.vertex(t.v[2]) - p);
        if (side.core.core->dimension == 2 && dot(twice, side.out) < 0) twice = -twice;  // a polygon has two sides
        const double area = length(twice), tilt = length(cross(twice, side.out)) / area;
        if (dot(twice, side.out) > 0 && tilt <= kClearAngle) found.push_back({&t, twice / area, area, tilt});
    }
    return found;
}

// None where no face is anywhere near flat.
std::optional<Feature> supporting_face(const Side& side) {
    const std::vector<FlatTriangle> flat = flat_triangles(side);
    if (flat.empty()) return std::nullopt;
    const FlatTriangle& best =
        *std::max_element(flat.begin(), flat.end(), [](const auto& x, const auto& y) { return x.area < y.area; });
    const Vec3d base = side.vertex(best.triangle->v[0]);
    bool touching = false;
    Loop points;
    for (const FlatTriangle& t : flat) {
        for (const std::uint32_t i : t.triangle->v) {
            if (std::fabs(dot(best.normal, side.vertex(i) - base)) > side.one_plane) return kUnclear;
            touching |= side.touches(side.vertex(i));
            points.push_back(side.plane.seen(side.vertex(i)));
        }
    }
    if (!touching || best.tilt > kFlatAngle) return kUnclear;
    return face_feature(side.plane, base, best.normal, points);
}

// None where no edge at the top is anywhere near flat.
std::optional<Feature> supporting_edge(const Side& side) {
    std::optional<Feature> found;
    for (const Polytope::Edge& edge : side.core.core->edges) {
        const Vec3d &p = side.vertex(edge.v0), &q = side.vertex(edge.v1);
        const double tilt = std::fabs(dot(side.out, normalised(q - p)));
        if (tilt > kClearAngle || !(side.touches(p) || side.touches(q))) continue;
        if (found || tilt > kFlatAngle) return kUnclear;
        found = segment_feature(side.plane, p, q);
    }
    return found;
}

Feature supporting_feature(const Placed& core, const Vec3d& out, const Plane& plane, double within,
                           const Placed& other) {
    switch (core.solid->form) {
        case Form::polytope: return polytope_feature(core.polytope, core.solid->size, out, plane, within);
        case Form::halfspace: return plane_feature(core, plane, other);
        default: return curved_feature(core, out, plane, within);
    }
}

// Two segments share a stretch where they lie on one line; where they cross, a point: then it is `clear` only if they
// plainly do.
Loop shared_stretch(const Loop& a, const Loop& b, double within, bool& clear) {
    const Vec2d along = (a[1] - a[0]) * (1 / length(a[1] - a[0])), other = b[1] - b[0];
    const double sine = std::fabs(cross(along, other)) / length(other);
    double b_low = dot(along, b[0] - a[0]), b_high = dot(along, b[1] - a[0]);
    if (b_low > b_high) std::swap(b_low, b_high);
    const double low = std::max(0.0, b_low), high = std::min(length(a[1] - a[0]), b_high);
    if (low > high) return {};
    const auto off_line = [&](double t) { return std::fabs(cross(other, a[0] + along * t - b[0])) / length(other); };
    if (off_line(low) <= within && off_line(high) <= within) return {a[0] + along * low, a[0] + along * high};
    clear = sine > kClearAngle;
    return {};
}

}  // namespace

Plane::Plane(const Vec3d& unit_normal) : normal(unit_normal) {
    const Vec3d least = std::fabs(normal.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    u = normalised(cross(normal, least));
    v = cross(normal, u);
}

Feature point_feature(const Plane& plane, const Vec3d& p) {
    return {.loop = {plane.seen(p)}, .origin = plane.seen(p), .slope = {}, .height = dot(plane.normal, p)};
}

Feature segment_feature(const Plane& plane, const Vec3d& p, const Vec3d& q) {
    Feature feature = point_feature(plane, p);
    const Vec2d along = plane.seen(q - p);
    feature.slope = along * (dot(plane.normal, q - p) / dot(along, along));
    feature.loop.push_back(plane.seen(q));
    return feature;
}

Feature face_feature(const Plane& plane, const Vec3d& p, const Vec3d& face_normal, const Loop& loop) {
    Feature feature = point_feature(plane, p);
    feature.loop = convex_loop(loop);
    feature.slope = plane.seen(face_normal) * (-1 / dot(face_normal, plane.normal));
    return feature;
}

Feature polytope_feature(const Posed& core, double size, const Vec3d& out, const Plane& plane, double within) {
    const Side side{core, out, plane, kOnePlane * size, within};
    if (core.core->dimension >= 2)
        if (const auto face = supporting_face(side)) return *face;
    if (const auto edge = supporting_edge(side)) return *edge;
    return point_feature(plane, core.support(out));
}

Patch contact_patch(const Placed& a, const Placed& b, const Plane& plane, double within) {
    const Feature on_a = supporting_feature(a, plane.normal, plane, within, b);
    const Feature on_b = supporting_feature(b, -plane.normal, plane, within, a);
    Patch patch;
    patch.clear = on_a.clear && on_b.clear;
    if (!patch.clear) return patch;
    if (on_a.loop.size() >= 3) {
        patch.corners = convex_loop(clipped(on_b.loop, on_a.loop));
    } else if (on_b.loop.size() >= 3) {
        patch.corners = convex_loop(clipped(on_a.loop, on_b.loop));
    } else if (on_a.loop.size() == 2 && on_b.loop.size() == 2) {
        patch.corners = shared_stretch(on_a.loop, on_b.loop, within, patch.clear);
    }
    for (const Vec2d& corner : patch.corners) {
        patch.height.push_back(on_a.height_at(corner));
        patch.separation.push_back(on_b.height_at(corner) - patch.height.back());
    }
    return patch;
}

}  // namespace abut::oracle
