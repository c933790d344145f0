// Supporting faces of a group of shapes, one shape per lane, seen along the contact normal: up to kPolygonCorners
// corners, or a capsule's line of contact. Coordinates are those of feature.hpp, which handles other features one by
// one.
#pragma once

#include "convex/lanes/names.hpp"
#include "convex/lanes/polytope.hpp"
#include "convex/manifold/face_axis.hpp"
#include "convex/manifold/face_span.hpp"
#include "convex/manifold/round_end.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The largest number of corners of a face that lanes clip. For a face with more corners, the four that span the largest
// area usually suffice (whole_face.hpp); other pairs are clipped one by one.
inline constexpr int kPolygonCorners = 4;

// The contact axes in the frame of one shape per lane, and the origin of that frame in contact axes.
struct ContactAxesW {
    Vec3W x, y, normal, origin;
    float normal_sign;  // 1 for A, -1 for B: the normal points from A to B

    Vec3W along(Vec3W v) const { return {dot(x, v), dot(y, v), dot(normal, v)}; }
};

// The addresses of a lane's corners, and their transformation into contact coordinates.
struct FaceViewW {
    const HullCorner* corners[kLanes];
    const ContactFace* face[kLanes];  // of hulls and caps
    MaskW usable;                     // lanes whose face can be clipped in lanes
    FloatW count;                     // the number of corners
    FloatW width;                     // lower bound on the face's width
    Vec3W x, y, normal;               // the contact axes in the shape's frame, times its scale
    Vec3W origin;                     // the origin of the shape's frame in contact axes, moved outwards by the radius
    FloatW slope_x, slope_y;          // of the face: rise of its height along x and y
    FloatW facing;                    // cosine between the face's normal and the contact normal towards the other shape
    FloatW winding;                   // 1 where corners run counter-clockwise, -1 where clockwise
    RoundEndW round;                  // of a segment
    Vec3W past;                       // the continuation of a segment's line beyond the segment's deeper end
    MaskW deepest_is_first;           // the deeper end is corner 0, otherwise corner 1
    IntW name;
};

struct PolygonW {
    int most;  // greatest number of corners in any lane; 2 for segments
    bool is_segment;
    FloatW
        aside_share;  // of a segment: the surface is at most h lower than the line within a squared lateral distance of h times this
    FloatW count;
    // Corner `count` and those beyond repeat corner 0.
    FloatW x[kPolygonCorners + 1], y[kPolygonCorners + 1], height[kPolygonCorners + 1];
    IntW vertex[kPolygonCorners + 1];
    // The offset from corner i to the next, its squared length, and the edge's line: distance inwards = line_x x +
    // line_y y + line_0.
    FloatW dx[kPolygonCorners], dy[kPolygonCorners], dh[kPolygonCorners], edge_squared[kPolygonCorners];
    FloatW line_x[kPolygonCorners], line_y[kPolygonCorners], line_0[kPolygonCorners];
    IntW name_of_edge[kPolygonCorners];
    FloatW slope_x, slope_y, height_0;  // plane of the face; slope of a segment
    RoundEndW round;                    // of a segment
    FloatW unit_x, unit_y, deepest_at;  // of a segment: its direction in the plane, and where on it the deepest end is
    IntW name;

    std::uint32_t corners() const { return static_cast<std::uint32_t>(most); }
    std::uint32_t next(std::uint32_t i) const { return i + 1; }
    int edge_count() const { return is_segment ? 1 : most; }
    MaskW has(int i) const { return count > FloatW(static_cast<float>(i)); }
    FloatW height_at(FloatW px, FloatW py) const { return height_0 + slope_x * px + slope_y * py; }
    // The distance of a segment's surface behind its line.
    FloatW behind(FloatW px, FloatW py) const { return round.behind(abs(unit_x * px + unit_y * py - deepest_at)); }
};

namespace polygon_detail {

// A capsule's axis, in units of its half height.
inline constexpr HullCorner kSegmentCorners[2] = {{0, 1, 0, 0, 0, -2, 0, 0}, {0, -1, 0, 1, 0, 2, 0, 0}};

inline void set_axes(FaceViewW& view, const ContactAxesW& axes, Vec3W scale, Vec3W shift) {
    view.x = multiply(axes.x, scale), view.y = multiply(axes.y, scale), view.normal = multiply(axes.normal, scale);
    view.origin = axes.origin + shift;
    view.winding = axes.normal_sign;
}

// `outward`: the faces' normals in their own frames.
ABUT_INLINE void set_face(FaceViewW& view, const ContactAxesW& axes, Vec3W outward, Vec3W scale, FloatW radius,
                          IntW face) {
    const Vec3W seen = axes.along(outward);
    view.facing = seen.z * FloatW(axes.normal_sign);
    view.usable &= view.facing > FloatW(kSteepFace);
    set_axes(view, axes, scale, seen * radius);
    const FloatW inverse = FloatW(1.0f) / seen.z;
    view.slope_x = -(seen.x * inverse);
    view.slope_y = -(seen.y * inverse);
    view.name = IntW(static_cast<std::int32_t>(kFaceName)) | (face & IntW(kNameIndex));
}

}  // namespace polygon_detail

inline FaceViewW view_of_face(const HullCore& core, const ContactAxesW& axes, const LaneArray<std::int32_t>& face,
                              FloatW radius, FloatW tolerance, const FrameView&) {
    FaceViewW view;
    LaneArray<float> count;
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const ContactFace& of = contact_face(*core.hull[lane], face[lane]);
        view.corners[lane] = core.hull[lane]->corners.data() + of.first;
        view.face[lane] = &of;
        count[lane] = static_cast<float>(of.count);
        rows[lane] = &of.x;
    }
    FloatW of[4];
    transpose_records4(rows, of);
    view.count = load(count);
    const FaceSpanW span = span_of_faces(core, face, of);
    view.width = span.width;
    view.usable = span.width > FloatW(kSliver) * tolerance;
    polygon_detail::set_face(view, axes, span.normal, core.scale, radius, load(face));
    return view;
}
inline FaceViewW view_of_face(const ExtentCore& core, const ContactAxesW& axes, const LaneArray<std::int32_t>& face,
                              FloatW radius, FloatW tolerance, const FrameView& frame) {
    FaceViewW view;
    for (int lane = 0; lane < kLanes; ++lane) view.corners[lane] = frame.cube->corners.data() + 4 * face[lane];
    view.count = 4.0f;
    const FaceAxisW axis(load(face));
    view.width = min(axis.u(core.extent), axis.v(core.extent)) * FloatW(2.0f);
    view.usable = view.width > tolerance;
    const FloatW zero = 0.0f;
    const Vec3W outward = {select(axis.is_x, axis.sign, zero), select(axis.is_y, axis.sign, zero),
                           select(axis.is_x | axis.is_y, zero, axis.sign)};
    polygon_detail::set_face(view, axes, outward, core.extent, radius, load(face));
    return view;
}
// A capsule's line of contact: the capsule's axis, moved by the radius along the perpendicular of the axis that is best
// aligned with the normal.
inline FaceViewW view_of_segment(const ExtentCore& core, const ContactAxesW& axes, FloatW radius) {
    FaceViewW view;
    for (int lane = 0; lane < kLanes; ++lane) view.corners[lane] = polygon_detail::kSegmentCorners;
    view.count = 2.0f;
    view.width = core.extent.y * FloatW(2.0f);
    const Vec3W seen = {axes.x.y, axes.y.y, axes.normal.y};  // the unit axis
    const FloatW flat = seen.x * seen.x + seen.y * seen.y, steep = FloatW(kSteepSegmentSquared);
    view.usable = (flat > steep) & (core.extent.y > FloatW(0.0f));
    view.facing = sqrt(max(flat, steep));
    const FloatW scale = FloatW(axes.normal_sign) * radius / view.facing;
    polygon_detail::set_axes(view, axes, core.extent,
                             {-(seen.x * seen.z) * scale, -(seen.y * seen.z) * scale, flat * scale});
    view.slope_x = view.slope_y = 0.0f;
    view.round = {radius, view.facing, abs(seen.z)};
    view.past = seen * (scale * seen.z);
    view.deepest_is_first = seen.z * FloatW(axes.normal_sign) > FloatW(0.0f);
    view.name = static_cast<std::int32_t>(edge_name(0, 1));
    return view;
}

ABUT_INLINE FaceViewW select(MaskW m, const FaceViewW& yes, const FaceViewW& no) {
    FaceViewW out;
    const std::uint32_t bits = m.bits();
    for (int lane = 0; lane < kLanes; ++lane)
        out.corners[lane] = bits >> lane & 1 ? yes.corners[lane] : no.corners[lane];
    out.usable = (yes.usable & m) | (no.usable & ~m);
    out.count = select(m, yes.count, no.count);
    out.width = select(m, yes.width, no.width);
    out.x = select(m, yes.x, no.x), out.y = select(m, yes.y, no.y), out.normal = select(m, yes.normal, no.normal);
    out.origin = select(m, yes.origin, no.origin);
    out.slope_x = select(m, yes.slope_x, no.slope_x), out.slope_y = select(m, yes.slope_y, no.slope_y);
    out.facing = select(m, yes.facing, no.facing);
    out.winding = select(m, yes.winding, no.winding);
    out.name = select(m, yes.name, no.name);
    return out;
}

// Continues a segment's line to the deepest point.
inline void continue_segment(const FaceViewW& view, PolygonW& f) {
    const Vec3W by = view.past, first = select(view.deepest_is_first, by, splat(0.0f)),
                second = select(view.deepest_is_first, splat(0.0f), by);
    f.x[0] = f.x[0] + first.x, f.y[0] = f.y[0] + first.y, f.height[0] = f.height[0] + first.z;
    f.x[1] = f.x[1] + second.x, f.y[1] = f.y[1] + second.y, f.height[1] = f.height[1] + second.z;
    f.dx[0] = f.dx[0] + (second.x - first.x), f.dy[0] = f.dy[0] + (second.y - first.y),
    f.dh[0] = f.dh[0] + (second.z - first.z);
    const FloatW flat = f.dx[0] * f.dx[0] + f.dy[0] * f.dy[0], inverse = FloatW(1.0f) / sqrt(max(flat, FloatW(kTiny)));
    f.edge_squared[0] = flat + f.dh[0] * f.dh[0];
    f.unit_x = f.dx[0] * inverse, f.unit_y = f.dy[0] * inverse;
    const FloatW x = select(view.deepest_is_first, f.x[0], f.x[1]), y = select(view.deepest_is_first, f.y[0], f.y[1]);
    f.deepest_at = f.unit_x * x + f.unit_y * y;
    f.round = view.round;
}

// Loads the corners of the usable lanes' faces.
inline void read_polygon(const FaceViewW& view, bool is_segment, PolygonW& f) {
    const FloatW zero = 0.0f, one = 1.0f;
    f.is_segment = is_segment;
    f.count = select(view.usable, view.count, zero);
    f.most = static_cast<int>(reduce_max(f.count));
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &view.corners[lane]->x;
    if (f.most <= 0) return;
    for (int i = 0; i < f.most; ++i) {
        FloatW corner[4], edge[4];
        transpose_records4(rows, corner, 8 * i);
        transpose_records4(rows, edge, 8 * i + 4);
        const Vec3W at = {corner[0], corner[1], corner[2]}, step = {edge[0], edge[1], edge[2]};
        const MaskW has = f.has(i);
        f.x[i] = dot(view.x, at) + view.origin.x;
        f.y[i] = dot(view.y, at) + view.origin.y;
        f.height[i] = dot(view.normal, at) + view.origin.z;
        f.vertex[i] = bits_of(corner[3]);
        if (i > 0) {
            f.x[i] = select(has, f.x[i], f.x[0]);
            f.y[i] = select(has, f.y[i], f.y[0]);
            f.height[i] = select(has, f.height[i], f.height[0]);
            f.vertex[i] = select(has, f.vertex[i], f.vertex[0]);
        }
        f.dx[i] = dot(view.x, step), f.dy[i] = dot(view.y, step), f.dh[i] = dot(view.normal, step);
        const FloatW flat = f.dx[i] * f.dx[i] + f.dy[i] * f.dy[i];
        f.edge_squared[i] = flat + f.dh[i] * f.dh[i];
        const FloatW inverse = view.winding / sqrt(max(flat, FloatW(kTiny)));
        // In lanes without corner i, every point is inside the line.
        f.line_x[i] = select(has, -(f.dy[i] * inverse), zero);
        f.line_y[i] = select(has, f.dx[i] * inverse, zero);
        f.line_0[i] = select(has, -(f.line_x[i] * f.x[i] + f.line_y[i] * f.y[i]), one);
    }
    f.x[f.most] = f.x[0], f.y[f.most] = f.y[0], f.height[f.most] = f.height[0], f.vertex[f.most] = f.vertex[0];
    for (int i = 0; i < f.most; ++i) f.name_of_edge[i] = edge_names(f.vertex[i], f.vertex[i + 1]);
    f.slope_x = view.slope_x, f.slope_y = view.slope_y;
    if (is_segment) {
        continue_segment(view, f);
        const FloatW rise = f.dh[0] / max(f.dx[0] * f.dx[0] + f.dy[0] * f.dy[0], FloatW(kTiny));
        f.slope_x = f.dx[0] * rise, f.slope_y = f.dy[0] * rise;
        f.aside_share = view.round.radius * view.facing;
    }
    f.height_0 = f.height[0] - (f.slope_x * f.x[0] + f.slope_y * f.y[0]);
    f.name = view.name;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
