// Normals and widths of hull faces for contacts. Under an uneven scale they are computed from the corners, whose
// differences are exact in the shape's own frame: the normals of the tables are rounded before the scale, and widths
// scale differently in each direction.
#pragma once

#include "convex/lanes/polytope.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct FaceSpan {
    Float3 normal;
    float width;  // least extent, approximately
};

// `tabled`: the table's values, which are kept if the corners span no area.
inline FaceSpan span_of_corners(const HullGeometry& hull, const ContactFace& face, Float3 scale,
                                const FaceSpan& tabled) {
    const HullCorner* const corners = hull.corners.data() + face.first;
    Float3 at = {0.0f, 0.0f, 0.0f}, sum = at;  // offset from the first corner; twice the vector area
    float longest = kTiny;
    for (std::uint32_t i = 0; i < face.count; ++i) {
        const Float3 edge = {corners[i].edge_x * scale.x, corners[i].edge_y * scale.y, corners[i].edge_z * scale.z};
        sum = sum + cross(at, edge);
        at = at + edge;
        const float squared = dot(at, at);
        longest = squared > longest ? squared : longest;
    }
    const float area = sqrt_of(dot(sum, sum)), width = 0.5f * area / sqrt_of(longest);
    if (!(dot(sum, tabled.normal) > kFaceOfCorners * longest))
        return {tabled.normal, width > tabled.width ? width : tabled.width};
    return {sum * (1.0f / area), width};
}

inline FaceSpan span_of_face(const Polytope& p, const ContactFace& face) {
    const FaceSpan tabled = {normal_of(p, face), face.width * least_scale(p)};
    return p.stretch == Stretch::uneven ? span_of_corners(*p.hull, face, {p.x, p.y, p.z}, tabled) : tabled;
}

struct FaceSpanW {
    Vec3W normal;
    FloatW width;
};
// `tabled`: x, y, z and width of the tables.
ABUT_INLINE FaceSpanW span_of_faces(const HullCore& core, const LaneArray<std::int32_t>& face,
                                    const FloatW (&tabled)[4]) {
    const FaceSpanW even = {unstretch_normals(core, {tabled[0], tabled[1], tabled[2]}),
                            tabled[3] * min(core.scale.x, min(core.scale.y, core.scale.z))};
    const std::uint32_t uneven = (~((core.scale.x == core.scale.y) & (core.scale.y == core.scale.z))).bits();
    if (uneven == 0) return even;
    const LaneArray<float> scale[3] = {lanes_of(core.scale.x), lanes_of(core.scale.y), lanes_of(core.scale.z)};
    LaneArray<float> x = lanes_of(even.normal.x), y = lanes_of(even.normal.y), z = lanes_of(even.normal.z),
                     width = lanes_of(even.width);
    for_each_lane(uneven, [&](int lane) {
        const HullGeometry& hull = *core.hull[lane];
        if (hull.face_count == 0) return;
        const Float3 by = {scale[0][lane], scale[1][lane], scale[2][lane]};
        const FaceSpan of =
            span_of_corners(hull, contact_face(hull, face[lane]), by, {{x[lane], y[lane], z[lane]}, width[lane]});
        x[lane] = of.normal.x, y[lane] = of.normal.y, z[lane] = of.normal.z, width[lane] = of.width;
    });
    return {{load(x), load(y), load(z)}, load(width)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
