// One lane's core as a polytope with faces and edges: a hull, or the unit cube scaled to a box (a segment, a point).
#pragma once

#include "separation/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct Polytope {
    const HullGeometry* hull;
    float x, y, z;  // scale
    bool is_box;    // plane offsets are |n| . scale instead of scale times the hull's
};

ABUT_INLINE Polytope polytope_of(const HullCore& core, const LaneArray<float> (&scale)[3], const FrameView&, int lane) {
    return {core.hull[lane], scale[0][lane], scale[1][lane], scale[2][lane], false};
}
ABUT_INLINE Polytope polytope_of(const ExtentCore&, const LaneArray<float> (&scale)[3], const FrameView& frame, int lane) {
    return {frame.cube, scale[0][lane], scale[1][lane], scale[2][lane], true};
}
ABUT_INLINE Polytope polytope_of(const PointCore&, const LaneArray<float> (&)[3], const FrameView& frame, int) {
    return {frame.cube, 0.0f, 0.0f, 0.0f, true};
}
ABUT_INLINE Vec3W scale_of(const PointCore&) { return splat(0.0f); }
ABUT_INLINE Vec3W scale_of(const HullCore& core) { return core.scale; }
ABUT_INLINE Vec3W scale_of(const ExtentCore& core) { return core.extent; }

struct PlaneW {
    Vec3W normal;
    FloatW offset;
};

// Faces i .. i + kLanes, one a lane.
ABUT_INLINE PlaneW load_planes(const Polytope& p, std::uint32_t i) {
    const float* planes = p.hull->planes.data() + i;
    const std::uint32_t stride = p.hull->padded_faces;
    PlaneW plane;
    plane.normal = {FloatW::load(planes), FloatW::load(planes + stride), FloatW::load(planes + 2 * stride)};
    if (p.is_box)
        plane.offset = abs(plane.normal.x) * FloatW(p.x) + abs(plane.normal.y) * FloatW(p.y) + abs(plane.normal.z) * FloatW(p.z);
    else
        plane.offset = FloatW::load(planes + 3 * stride) * FloatW(p.x);
    return plane;
}

ABUT_INLINE float offset_of(const Polytope& p, std::uint32_t face) {
    const float* plane = p.hull->planes.data() + face;
    const std::uint32_t stride = p.hull->padded_faces;
    if (!p.is_box) return plane[3 * stride] * p.x;
    return __builtin_fabsf(plane[0]) * p.x + __builtin_fabsf(plane[stride]) * p.y + __builtin_fabsf(plane[2 * stride]) * p.z;
}

struct Float3 {
    float x, y, z;
};
ABUT_INLINE Float3 operator+(Float3 a, Float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ABUT_INLINE Float3 operator-(Float3 a, Float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ABUT_INLINE Float3 operator-(Float3 a) { return {-a.x, -a.y, -a.z}; }
ABUT_INLINE Float3 operator*(Float3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
ABUT_INLINE float dot(Float3 a, Float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ABUT_INLINE Float3 cross(Float3 a, Float3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

// A pose for one lane's scalar work: B's axes and centre in A's frame.
struct LanePose {
    Float3 x, y, z, offset;

    ABUT_INLINE Float3 rotate(Float3 v) const { return x * v.x + y * v.y + z * v.z; }
    ABUT_INLINE Float3 rotate_back(Float3 v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
    ABUT_INLINE Float3 place(Float3 v) const { return rotate(v) + offset; }
    ABUT_INLINE Float3 place_back(Float3 v) const { return rotate_back(v - offset); }
};
ABUT_INLINE Float3 normal_of(const Polytope& p, std::uint32_t face) {
    const float* planes = p.hull->planes.data() + face;
    const std::uint32_t stride = p.hull->padded_faces;
    return {planes[0], planes[stride], planes[2 * stride]};
}
ABUT_INLINE Float3 vertex_of(const Polytope& p, std::uint32_t i) {
    const HullVertex& v = p.hull->vertices[i];
    return {v.x * p.x, v.y * p.y, v.z * p.z};
}
// From one vertex to another, unscaled, so that an edge of a flat box keeps its direction.
ABUT_INLINE Float3 direction_of(const Polytope& p, std::uint32_t from, std::uint32_t to) {
    const HullVertex &a = p.hull->vertices[from], &b = p.hull->vertices[to];
    return {b.x - a.x, b.y - a.y, b.z - a.z};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
