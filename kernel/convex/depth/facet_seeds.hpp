// Seeds for the proof of a depth in the next frame (enclosing.hpp): three corners of the facet of B - A with that
// depth, and a vertex deep inside B - A.
#pragma once

#include "convex/depth/enclosing.hpp"
#include "convex/depth/feature_witness.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace facet_detail {

// Three corners of a facet, as in SimplexW.
struct Corners {
    std::uint32_t id[3];
};

// Three corners of a polygon that surround a point in it: the farthest corner, and the ends of the edge opposite to
// that corner, beyond the point.
inline Corners corners_around(const Polytope& p, std::uint32_t face, Float3 normal, Float3 point) {
    const std::uint16_t* const loop = p.hull->loop.data() + p.hull->face_first[face];
    const std::uint32_t count = p.hull->face_first[face + 1] - p.hull->face_first[face];
    std::uint32_t farthest = 0;
    float most = -1.0f;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Float3 offset = vertex_of(p, loop[i]) - point;
        if (const float squared = dot(offset, offset); squared > most) farthest = i, most = squared;
    }
    const auto corner = [&](std::uint32_t k) {
        return loop[farthest + k < count ? farthest + k : farthest + k - count];
    };
    const Float3 from = vertex_of(p, corner(0)), across = cross(point - from, normal);
    std::uint32_t k = 1;
    while (k + 2 < count && dot(across, vertex_of(p, corner(k + 1)) - from) > 0.0f) ++k;
    return {{corner(0), corner(k), corner(k + 1)}};
}

// Three of the four corners formed by two crossing edges, around the crossing at `t` of A's edge and `u` of B's.
inline Corners corners_around(const std::uint32_t (&a)[2], const std::uint32_t (&b)[2], float t, float u) {
    const auto id = [&](int i, int j) { return a[i] | b[j] << 16; };
    const float along = t - u, across = t + u - 1.0f;
    if (abs_of(along) > abs_of(across)) return {{id(0, 0), id(1, 1), along > 0.0f ? id(1, 0) : id(0, 1)}};
    return {{id(0, 1), id(1, 0), across > 0.0f ? id(1, 1) : id(0, 0)}};
}

// The parameter in [0, 1] of a point on the segment from p to q.
inline float part_along(Float3 p, Float3 q, Float3 point) {
    const Float3 offset = q - p;
    const float squared = dot(offset, offset);
    return squared > 0.0f ? dot(offset, point - p) / squared : 0.0f;
}

// The corners of the facet formed by the features `names`, around `point`, a witness point in A's frame. `normal`: the
// direction of least depth.
ABUT_INLINE Corners corners_of(const Polytope& a, const Polytope& b, const LanePose& pose, std::uint32_t names,
                               Float3 normal, Float3 point) {
    const std::uint32_t of_a = names >> 16, of_b = names & 0xffff, index_a = of_a & kNameIndex,
                        index_b = of_b & kNameIndex;
    if ((of_a & kFaceName) != 0) {
        Corners out = corners_around(a, index_a, normal, point);
        for (std::uint32_t& id : out.id) id |= index_b << 16;
        return out;
    }
    if ((of_b & kFaceName) != 0) {
        Corners out = corners_around(b, index_b, pose.rotate_back(-normal), pose.place_back(point));
        for (std::uint32_t& id : out.id) id = index_a | id << 16;
        return out;
    }
    const std::uint32_t ends_a[2] = {index_a / 128, index_a % 128}, ends_b[2] = {index_b / 128, index_b % 128};
    const Float3 in_b = pose.place_back(point);
    return corners_around(ends_a, ends_b, part_along(vertex_of(a, ends_a[0]), vertex_of(a, ends_a[1]), point),
                          part_along(vertex_of(b, ends_b[0]), vertex_of(b, ends_b[1]), in_b));
}

}  // namespace facet_detail

// Computes new seeds from `seeds`, four vertices of B - A that enclose the origin: three corners of the facet with the
// least depth, and the vertex of `seeds` that is farthest from that facet. `lanes`: those with known witness points.
struct FacetSeedsW {
    TetrahedronW seeds;
    MaskW found;  // the new seeds would have proved the depth
};
template <class CoreA, class CoreB>
ABUT_NOINLINE FacetSeedsW facet_seeds(const PairW<CoreA, CoreB>& pair, const TetrahedronW& seeds,
                                      const FrameView& frame, const WitnessW& witness, std::uint32_t lanes) {
    using namespace facet_detail;
    const AnswerW& answer = witness.answer;
    const FloatW depth = -(answer.signed_distance + pair.radius);
    const Vec3Lanes normal(answer.normal),
        point(answer.midpoint - answer.normal * ((pair.radius_a - pair.radius_b) * FloatW(0.5f)));
    const LaneArray<std::int32_t> names = lanes_of(witness.names);
    const Vec3W scale_a = scale_of(pair.a), scale_b = scale_of(pair.b);
    const LaneArray<float> by_a[3] = {lanes_of(scale_a.x), lanes_of(scale_a.y), lanes_of(scale_a.z)};
    const LaneArray<float> by_b[3] = {lanes_of(scale_b.x), lanes_of(scale_b.y), lanes_of(scale_b.z)};
    const PoseLanes poses(pair);
    LaneArray<std::int32_t> id[3];
    for (LaneArray<std::int32_t>& of_lanes : id) of_lanes = lanes_of(IntW(0));
    for_each_lane(lanes, [&](int lane) {
        const Polytope a = polytope_of(pair.a, by_a, frame, lane), b = polytope_of(pair.b, by_b, frame, lane);
        const Corners corners =
            corners_of(a, b, poses[lane], static_cast<std::uint32_t>(names[lane]), normal[lane], point[lane]);
        for (int k = 0; k < 3; ++k) id[k][lane] = static_cast<std::int32_t>(corners.id[k]);
    });
    // The seed farthest from the facet.
    FloatW most = -HUGE_VALF;
    IntW apex = 0;
    ABUT_UNROLL(4)
    for (int k = 0; k < 4; ++k) {
        const FloatW inside = dot(answer.normal, minkowski_vertex(pair, seeds.id[k]));
        apex = select(inside > most, seeds.id[k], apex);
        most = max(most, inside);
    }
    FacetSeedsW out = {{{load(id[0]), load(id[1]), load(id[2]), apex}}, MaskW()};
    const NearestFaceW face = nearest_face(enclosing_of(pair, out.seeds));
    out.found = face.distance >= depth - FloatW(kCertificateShare) * pair.tolerance;
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
