// See hull_mirror.hpp. Only signs change, so the image is exact. A reflection reverses the order of corners around each
// face.
#include "cooking/hull/hull_mirror.hpp"

#include <algorithm>

#include "cooking/hull/hull_box.hpp"
#include "cooking/hull/hull_layout.hpp"

namespace abut {

HullGeometry mirrored(const HullGeometry& hull, Vec3 signs) {
    const auto image = [&](float x, float y, float z) {
        return Vec3{x * signs.x + 0.0f, y * signs.y + 0.0f, z * signs.z + 0.0f};
    };
    cooking::HullParts parts;
    parts.centre = image(hull.centre.x, hull.centre.y, hull.centre.z);
    parts.dimension = int(hull.report.dimension);
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        parts.vertices.push_back(image(hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z));
    const float* const planes = hull.planes.data();
    const std::size_t column = hull.padded_faces;
    for (std::uint32_t f = 0; f < hull.face_count; ++f)
        parts.normals.push_back(image(planes[f], planes[column + f], planes[2 * column + f]));
    parts.face_first = hull.face_first;
    parts.loop = hull.loop;
    if (signs.x * signs.y * signs.z < 0)
        for (std::uint32_t f = 0; f < hull.face_count; ++f)  // the lowest corner stays the first of each face
            std::reverse(parts.loop.begin() + hull.face_first[f] + 1, parts.loop.begin() + hull.face_first[f + 1]);
    HullGeometry out = cooking::lay_out(std::move(parts));
    cooking::recognise_box(out);
    out.report.dropped_points = hull.report.dropped_points;
    out.report.deviation = hull.report.deviation;
    out.report.overshoot = hull.report.overshoot;
    return out;
}

}  // namespace abut
