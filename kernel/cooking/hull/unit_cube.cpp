// The unit cube's tables, written down rather than cooked: its vertex order is a contract.
#include "cooking/hull/unit_cube.hpp"

#include "cooking/hull/contact_faces.hpp"

namespace abut {

HullGeometry make_unit_cube() {
    HullGeometry cube;
    cube.vertex_count = 8;
    cube.padded_count = kHullPad;
    cube.face_count = 6;
    cube.padded_faces = kHullPad;
    cube.half_extent = 1.0f;
    cube.bound_radius = 1.7320509f;
    cube.bounds_min = {-1.0f, -1.0f, -1.0f};
    cube.bounds_max = {1.0f, 1.0f, 1.0f};
    cube.report.vertices = 8;
    cube.report.faces = 6;
    cube.report.edges = 12;

    const auto corner = [](std::uint32_t i) {
        return HullVertex{(i & 1) ? -1.0f : 1.0f, (i & 2) ? -1.0f : 1.0f, (i & 4) ? -1.0f : 1.0f, 0.0f};
    };
    cube.columns.resize(3 * kHullPad);
    cube.vertices.resize(kHullPad);
    for (std::uint32_t i = 0; i < kHullPad; ++i) {
        const HullVertex v = corner(i < 8 ? i : 0);
        cube.vertices[i] = v;
        cube.columns[i] = v.x;
        cube.columns[kHullPad + i] = v.y;
        cube.columns[2 * kHullPad + i] = v.z;
    }

    // Faces +x, -x, +y, -y, +z, -z.
    cube.planes.assign(4 * kHullPad, 0.0f);
    for (std::uint32_t i = 0; i < kHullPad; ++i) {
        const std::uint32_t face = i < 6 ? i : 0;
        cube.planes[(face / 2) * kHullPad + i] = face % 2 == 0 ? 1.0f : -1.0f;
        cube.planes[3 * kHullPad + i] = 1.0f;
    }
    // Counter-clockwise from outside: on positive faces 0, u, u + v, v; on negative faces the reverse order.
    cube.face_first.push_back(0);
    for (std::uint32_t face = 0; face < 6; ++face) {
        const std::uint32_t axis = face / 2, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
        const std::uint32_t at = face % 2 == 0 ? 0 : 1u << axis;
        const std::uint32_t around[2][4] = {{0, u, u | v, v}, {0, v, u | v, u}};
        for (const std::uint32_t offset : around[face % 2])
            cube.loop.push_back(static_cast<std::uint16_t>(at | offset));
        cube.face_first.push_back(static_cast<std::uint32_t>(cube.loop.size()));
    }
    // An edge along `axis` lies between a face of axis u and one of axis v; the two bits of `side` are set for the
    // negative faces.
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const std::uint32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (std::uint32_t side = 0; side < 4; ++side) {
            const std::uint32_t su = side & 1, sv = side >> 1;
            const std::uint32_t positive = su << u | sv << v, negative = positive | 1u << axis;
            const auto face_u = static_cast<std::uint16_t>(2 * u + su), face_v = static_cast<std::uint16_t>(2 * v + sv);
            // From -axis to +axis, seen from outside the corner (u+, v+), u's face is on the left.
            const bool flipped = su != sv;
            cube.edges.push_back({static_cast<std::uint16_t>(negative), static_cast<std::uint16_t>(positive),
                                  flipped ? face_v : face_u, flipped ? face_u : face_v});
        }
    }
    lay_out_contact_faces(cube);
    lay_out_edge_faces(cube);
    return cube;
}

}  // namespace abut
