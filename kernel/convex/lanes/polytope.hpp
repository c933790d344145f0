// The core of one lane as a polytope with faces and edges: a hull, or the unit cube scaled to a box (a segment, a
// point).
#pragma once

#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// How the planes of a core's faces follow from the tables: a box's offsets are |n| . scale; an evenly scaled hull keeps
// its normals; an uneven scale changes a hull's normals.
enum class Stretch { box, even, uneven };

struct Polytope {
    const HullGeometry* hull;
    float x, y, z;  // scale
    Stretch stretch;
};

ABUT_INLINE Polytope polytope_of(const HullCore& core, const LaneArray<float> (&scale)[3], int lane) {
    const float x = scale[0][lane], y = scale[1][lane], z = scale[2][lane];
    return {core.hull[lane], x, y, z, x == y && y == z ? Stretch::even : Stretch::uneven};
}
ABUT_INLINE Polytope polytope_of(const HullCore& core, const LaneArray<float> (&scale)[3], const FrameView&, int lane) {
    return polytope_of(core, scale, lane);
}
ABUT_INLINE Polytope polytope_of(const ExtentCore&, const LaneArray<float> (&scale)[3], const FrameView& frame,
                                 int lane) {
    return {frame.cube, scale[0][lane], scale[1][lane], scale[2][lane], Stretch::box};
}
ABUT_INLINE Polytope polytope_of(const PointCore&, const LaneArray<float> (&)[3], const FrameView& frame, int) {
    return {frame.cube, 0.0f, 0.0f, 0.0f, Stretch::box};
}
ABUT_INLINE Vec3W scale_of(const PointCore&) { return splat(0.0f); }
ABUT_INLINE Vec3W scale_of(const HullCore& core) { return core.scale; }
ABUT_INLINE Vec3W scale_of(const ExtentCore& core) { return core.extent; }

struct Float3 {
    float x, y, z;
};
ABUT_INLINE Float3 operator+(Float3 a, Float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ABUT_INLINE Float3 operator-(Float3 a, Float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ABUT_INLINE Float3 operator-(Float3 a) { return {-a.x, -a.y, -a.z}; }
ABUT_INLINE Float3 operator*(Float3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
ABUT_INLINE float dot(Float3 a, Float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ABUT_INLINE Float3 cross(Float3 a, Float3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// One plane, or one plane per lane.
template <class V, class F>
struct PlaneOf {
    V normal;
    F offset;
};
using Plane = PlaneOf<Float3, float>;
using PlaneW = PlaneOf<Vec3W, FloatW>;

// The normals of a scaled hull are the unscaled normals divided by the scale and normalized; offsets are divided by the
// same length. The scale is taken relative to its largest factor, so that no square overflows.
template <class V, class F>
ABUT_INLINE PlaneOf<V, F> unstretch(V n, F offset, F x, F y, F z) {
    const F most = max_of(max_of(x, y), z);
    const V m = {n.x * (most / x), n.y * (most / y), n.z * (most / z)};
    const F inverse = F(1.0f) / sqrt_of(max_of(dot(m, m), F(kTiny)));
    return {m * inverse, offset * most * inverse};
}
// The unit normals of one face per lane of scaled hulls. `n`: the unit normals before the scale.
ABUT_INLINE Vec3W unstretch_normals(const HullCore& core, Vec3W n) {
    const Vec3W scale = core.scale;
    const MaskW even = (scale.x == scale.y) & (scale.y == scale.z);
    return all(even) ? n : select(even, n, unstretch(n, FloatW(0.0f), scale.x, scale.y, scale.z).normal);
}
// The smallest factor by which the scale multiplies a length.
ABUT_INLINE float least_scale(const Polytope& p) {
    const float smaller = p.y < p.x ? p.y : p.x;
    return p.z < smaller ? p.z : smaller;
}

// The bit that marks a merged face: the face's index in contacts is the lowest index of its faces plus this bit.
// Feature names do not include the bit.
inline constexpr std::int32_t kMergedFace = 0x10000;

ABUT_INLINE const ContactFace& contact_face(const HullGeometry& hull, std::int32_t face) {
    if (face >= kMergedFace) return hull.merged_faces.data()[hull.merged.data()[face - kMergedFace]].face;
    return hull.contact_faces.data()[face];
}
// The face that represents a face in contacts: its merged face, if that is flat enough for the pair.
ABUT_INLINE std::int32_t merged_face(const Polytope& p, std::int32_t face, float tolerance) {
    if (p.hull->merged.empty() || p.hull->merged.data()[face] == kNotMerged) return face;
    const MergedFace& merged = p.hull->merged_faces.data()[p.hull->merged.data()[face]];
    // `moved`: a unit displacement along the face's normal, scaled.
    const Float3 moved = {merged.face.x * p.x, merged.face.y * p.y, merged.face.z * p.z};
    const bool is_flat = merged.thickness * sqrt_of(dot(moved, moved)) <= kMergedShare * tolerance;
    return is_flat ? kMergedFace | static_cast<std::int32_t>(merged.name) : face;
}

// The scaled plane of a table's normal `n` and `offset`.
template <Stretch stretch, class V, class F>
ABUT_INLINE PlaneOf<V, F> scaled_plane(const Polytope& p, V n, F offset) {
    if constexpr (stretch == Stretch::box)
        return {n, abs_of(n.x) * F(p.x) + abs_of(n.y) * F(p.y) + abs_of(n.z) * F(p.z)};
    if constexpr (stretch == Stretch::even) return {n, offset * F(p.x)};
    return unstretch(n, offset, F(p.x), F(p.y), F(p.z));
}
// Loads kLanes faces from i, one per lane.
template <Stretch stretch>
ABUT_INLINE PlaneW load_planes(const Polytope& p, std::uint32_t i) {
    const float* planes = p.hull->planes.data() + i;
    const std::uint32_t stride = p.hull->padded_faces;
    const Vec3W n = {FloatW::load(planes), FloatW::load(planes + stride), FloatW::load(planes + 2 * stride)};
    return scaled_plane<stretch>(p, n, FloatW::load(planes + 3 * stride));
}
// Calls loop(planes), where planes(i) loads kLanes faces from i. The switch on the stretch, with its use of registers,
// is outside the loop.
template <class Loop>
ABUT_INLINE auto with_planes(const Polytope& p, Loop&& loop) {
    switch (p.stretch) {
        case Stretch::box: return loop([&](std::uint32_t i) { return load_planes<Stretch::box>(p, i); });
        case Stretch::even: return loop([&](std::uint32_t i) { return load_planes<Stretch::even>(p, i); });
        default: return loop([&](std::uint32_t i) { return load_planes<Stretch::uneven>(p, i); });
    }
}
// The polytopes of a group.
struct PolytopesW {
    Polytope lane[kLanes];
    Vec3W scale;
    FloatW uneven;  // 1 in lanes with an uneven stretch
    bool has_uneven, are_boxes;
};
// The scaled planes of one face of each polytope. `n` and `offset`: from the tables.
ABUT_INLINE PlaneW scaled_planes(const PolytopesW& shapes, Vec3W n, FloatW offset) {
    const Vec3W scale = shapes.scale;
    if (shapes.are_boxes) return {n, abs(n.x) * scale.x + abs(n.y) * scale.y + abs(n.z) * scale.z};
    PlaneW plane = {n, offset * scale.x};
    if (!shapes.has_uneven) return plane;
    const PlaneW other = unstretch(n, offset, scale.x, scale.y, scale.z);
    const MaskW uneven = shapes.uneven > FloatW(0.0f);
    return {select(uneven, other.normal, n), select(uneven, other.offset, plane.offset)};
}

ABUT_INLINE Plane plane_of(const Polytope& p, std::uint32_t face) {
    const float* plane = p.hull->planes.data() + face;
    const std::uint32_t stride = p.hull->padded_faces;
    const Float3 n = {plane[0], plane[stride], plane[2 * stride]};
    const float offset = plane[3 * stride];
    if (p.stretch == Stretch::box) return scaled_plane<Stretch::box>(p, n, offset);
    return p.stretch == Stretch::even ? scaled_plane<Stretch::even>(p, n, offset)
                                      : scaled_plane<Stretch::uneven>(p, n, offset);
}
ABUT_INLINE Float3 normal_of(const Polytope& p, std::uint32_t face) { return plane_of(p, face).normal; }
ABUT_INLINE Float3 normal_of(const Polytope& p, const ContactFace& face) {
    const Float3 n = {face.x, face.y, face.z};
    return p.stretch != Stretch::uneven ? n : scaled_plane<Stretch::uneven>(p, n, 0.0f).normal;
}

ABUT_INLINE Float3 vertex_of(const Polytope& p, std::uint32_t i) {
    const HullVertex& v = p.hull->vertices[i];
    return {v.x * p.x, v.y * p.y, v.z * p.z};
}
// The offset from one vertex to another. In a unit cube the offset is unscaled, so that edges of flat boxes keep their
// direction. (A hull's lengths may be of any order.)
ABUT_INLINE Float3 direction_of(const Polytope& p, std::uint32_t from, std::uint32_t to) {
    const HullVertex &a = p.hull->vertices[from], &b = p.hull->vertices[to];
    const Float3 edge = {b.x - a.x, b.y - a.y, b.z - a.z};
    if (p.stretch == Stretch::box) return edge;
    return {edge.x * p.x, edge.y * p.y, edge.z * p.z};
}

// The pose of one lane for scalar work: B's axes and centre in A's frame.
struct LanePose {
    Float3 x, y, z, offset;

    ABUT_INLINE Float3 rotate(Float3 v) const { return x * v.x + y * v.y + z * v.z; }
    ABUT_INLINE Float3 rotate_back(Float3 v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
    ABUT_INLINE Float3 transform(Float3 v) const { return rotate(v) + offset; }
    ABUT_INLINE Float3 place_back(Float3 v) const { return rotate_back(v - offset); }
};

// The poses of a group.
struct PoseW {
    Mat3W rotation;  // B's axes in A's frame
    Vec3W offset;    // B's centre
};

// Vectors and poses of a group, as scalars per lane.
struct Vec3Lanes {
    LaneArray<float> x, y, z;

    ABUT_INLINE explicit Vec3Lanes(Vec3W v) : x(lanes_of(v.x)), y(lanes_of(v.y)), z(lanes_of(v.z)) {}
    ABUT_INLINE Float3 operator[](int lane) const { return {x[lane], y[lane], z[lane]}; }
    ABUT_INLINE void set(int lane, Float3 v) { x[lane] = v.x, y[lane] = v.y, z[lane] = v.z; }
    ABUT_INLINE Vec3W wide() const { return {load(x), load(y), load(z)}; }
};
struct PoseLanes {
    Vec3Lanes x, y, z, offset;

    template <class Pair>
    ABUT_INLINE explicit PoseLanes(const Pair& pair)
        : x(pair.rotation.x), y(pair.rotation.y), z(pair.rotation.z), offset(pair.offset) {}
    ABUT_INLINE LanePose operator[](int lane) const { return {x[lane], y[lane], z[lane], offset[lane]}; }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
