// Polytopes that are apart along the normal of a face. For nearly parallel faces, GJK's simplices are slivers whose
// direction float32 does not resolve. The face's normal is known, and a point of the other shape over the face proves
// that no point is nearer. One pair at a time, because few pairs need this.
#pragma once

#include "convex/lanes/answer.hpp"
#include "convex/lanes/polytope_support.hpp"
#include "convex/separation/certify.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace face_axes_detail {

// The face best aligned with a unit direction; none if that face is more than some degrees off.
inline std::int32_t face_along(const Polytope& p, Float3 d) {
    float most = kAlongFaceCosine;
    std::int32_t best = -1;
    for (std::uint32_t f = 0; f < p.hull->face_count; ++f)
        if (const float along = dot(normal_of(p, f), d); along > most)
            most = along, best = static_cast<std::int32_t>(f);
    return best;
}

// True if the line through a point along the face's normal meets the face's interior. Faces without area have none.
inline bool is_over(const Polytope& p, std::int32_t face, Float3 normal, Float3 point) {
    const HullGeometry& hull = *p.hull;
    const std::uint32_t first = hull.face_first[static_cast<std::uint32_t>(face)],
                        end = hull.face_first[static_cast<std::uint32_t>(face) + 1];
    Float3 from = vertex_of(p, hull.loop[end - 1]);
    for (std::uint32_t i = first; i < end; ++i) {
        const Float3 to = vertex_of(p, hull.loop[i]);
        if (!(dot(cross(normal, to - from), point - from) > 0.0f)) return false;
        from = to;
    }
    return true;
}

// The separation along a face normal of `own`, in the frame of `own`.
struct FaceAxis {
    Float3 normal, point;  // the face's outward normal; a point of the other shape over the face
    float above;           // the point's height over the face, an upper bound on the distance
    float distance;        // the mean of `above` and of the gap along the normal, which is the lower bound
};
template <class Support>
ABUT_INLINE bool find_axis(const Polytope& own, Float3 towards, Float3 found_of_other, float allowed,
                           Support&& support_of_other, FaceAxis& out) {
    const std::int32_t face = face_along(own, towards);
    if (face < 0) return false;
    const Float3 n = normal_of(own, static_cast<std::uint32_t>(face)), nearest = support_of_other(-n);
    // Relative to a point of the face: heights over the origin would round to more than the distance of the shapes.
    const Float3 on_face = vertex_of(own, support_vertex_of(own, n));
    const float gap = dot(n, nearest - on_face);
    if (!(gap > allowed)) return false;
    const Float3 points[2] = {nearest, found_of_other};
    for (const Float3& point : points) {
        const float above = dot(n, point - on_face);
        if (!(above - gap <= allowed) || !is_over(own, face, n, point)) continue;
        out = {n, point, above, 0.5f * (above + gap)};
        return true;
    }
    return false;
}

}  // namespace face_axes_detail

// Certifies those of `lanes` that are apart along the normal of a face near `s.v`. `a_has_faces`: A is a hull or a box.
template <class CoreA, class CoreB>
ABUT_NOINLINE CertifiedW certify_by_faces(const PairW<CoreA, CoreB>& pair, const SimplexW& s, bool a_has_faces,
                                          const FrameView& frame, std::uint32_t lanes) {
    using namespace face_axes_detail;
    const FloatW half = 0.5f, inverse = FloatW(1.0f) / sqrt(max(length_squared(s.v), FloatW(kTiny)));
    const Vec3W scale_a = scale_of(pair.a), scale_b = scale_of(pair.b);
    const LaneArray<float> of_a[3] = {lanes_of(scale_a.x), lanes_of(scale_a.y), lanes_of(scale_a.z)};
    const LaneArray<float> of_b[3] = {lanes_of(scale_b.x), lanes_of(scale_b.y), lanes_of(scale_b.z)};
    const LaneArray<float> allowed = lanes_of(FloatW(kCertificateShare) * pair.tolerance);
    const PoseLanes poses(pair);
    const Vec3Lanes along(s.v * inverse), found_a(point_on_a(pair, s)), found_b(point_on_b(pair, s));
    Vec3Lanes normal(splat(0.0f)), midpoint(splat(0.0f));
    LaneArray<float> distance = lanes_of(FloatW(0.0f));
    std::uint32_t certified = 0;
    for_each_lane((pair.tolerance > FloatW(kSureAxisBound)).bits() & lanes, [&](int lane) {
        const Polytope a = polytope_of(pair.a, of_a, frame, lane), b = polytope_of(pair.b, of_b, frame, lane);
        const LanePose pose = poses[lane];
        FaceAxis axis;
        const auto support_b = [&](Float3 d) {
            return pose.transform(vertex_of(b, support_vertex_of(b, pose.rotate_back(d))));
        };
        const auto support_a = [&](Float3 d) {
            return pose.place_back(vertex_of(a, support_vertex_of(a, pose.rotate(d))));
        };
        if (a_has_faces && find_axis(a, along[lane], found_b[lane], allowed[lane], support_b, axis)) {
            normal.set(lane, axis.normal);
            midpoint.set(lane, axis.point - axis.normal * (0.5f * axis.above));
        } else if (find_axis(b, -pose.rotate_back(along[lane]), pose.place_back(found_a[lane]), allowed[lane],
                             support_a, axis)) {
            normal.set(lane, pose.rotate(-axis.normal));
            midpoint.set(lane, pose.transform(axis.point - axis.normal * (0.5f * axis.above)));
        } else {
            return;
        }
        distance[lane] = axis.distance;
        certified |= 1u << lane;
    });
    const Vec3W n = normal.wide();
    return {{load(distance) - pair.radius, n, midpoint.wide() + n * ((pair.radius_a - pair.radius_b) * half)},
            MaskW::from_bits(certified)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
