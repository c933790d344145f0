// See triangle_hull.hpp. All triangles have the same topology, which is copied once; positions and planes are written
// for each.
#include "shapes/triangle_hull.hpp"

#include <bit>
#include <cmath>

#include "base/four_wide.hpp"
#include "base/rounding.hpp"
#include "base/scratch_columns.hpp"
#include "base/tolerances.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// A triangle is a prism of height 0: the tables of a flat hull lack axes that depths need, those of a solid have all of
// them. Face 0 is the front, face 1 the back, face 2 + k the lateral face, without width, along the edge from corner k
// to the next.
constexpr std::uint32_t kFaces = 5;
constexpr std::uint32_t kFaceFirst[kFaces + 1] = {0, 3, 6, 8, 10, 12};
constexpr std::uint16_t kLoop[12] = {0, 1, 2, 0, 2, 1, 0, 1, 1, 2, 2, 0};
constexpr HullEdge kEdges[6] = {{0, 1, 0, 2}, {0, 1, 2, 1}, {0, 2, 0, 4}, {0, 2, 4, 1}, {1, 2, 0, 3}, {1, 2, 3, 1}};

HullGeometry make_template() {
    HullGeometry hull;
    hull.report.dimension = 3;
    hull.vertex_count = 3;
    hull.padded_count = hull.padded_faces = kHullPad;
    hull.columns.resize(3 * kHullPad);
    hull.vertices.resize(kHullPad);
    hull.planes.resize(4 * kHullPad);
    hull.face_count = kFaces;
    hull.face_first.assign(kFaceFirst, kFaceFirst + kFaces + 1);
    hull.loop.assign(kLoop, kLoop + 12);
    hull.vertex_first = {0, 4, 8, 12};
    hull.vertex_face = {0, 1, 2, 4, 0, 1, 2, 3, 0, 1, 3, 4};
    hull.edges.assign(kEdges, kEdges + 6);
    hull.contact_faces.resize(kFaces);
    hull.corners.assign(12 + kCornerPad, {});
    for (std::uint32_t face = 0; face < kFaces; ++face) {
        ContactFace& f = hull.contact_faces[face];
        f.first = kFaceFirst[face], f.count = kFaceFirst[face + 1] - f.first;
        for (std::uint16_t k = 0; k < 4; ++k) f.quad[k] = std::uint16_t(k < f.count ? k : f.count - 1);
        for (std::uint32_t k = f.first; k < f.first + f.count; ++k) hull.corners[k].vertex = kLoop[k];
    }
    lay_out_edge_faces(hull);
    return hull;
}

Vec3 narrow(const Vec3d& v) { return {float(v.x) + 0.0f, float(v.y) + 0.0f, float(v.z) + 0.0f}; }

// A column of a table: eight values, then the first one as padding.
void put_column(float* to, Float4 first, Float4 second, std::uint32_t padded) {
    store4(to, first);
    store4(to + 4, second);
    const Float4 padding = {first[0], first[0], first[0], first[0]};
    for (std::uint32_t i = 8; i < padded; i += 4) store4(to + i, padding);
}

void set_vertices(HullGeometry& hull, const Vec3 (&v)[3]) {
    HullVertex* const vertices = hull.vertices.data();
    float* const columns = hull.columns.data();
    const std::uint32_t padded = hull.padded_count;
    const Float4 first = {v[0].x, v[0].y, v[0].z, 0.0f};
    store4(&vertices[0].x, first);
    for (std::uint32_t i = 1; i < 3; ++i) store4(&vertices[i].x, Float4{v[i].x, v[i].y, v[i].z, 0.0f});
    for (std::uint32_t i = 3; i < padded; ++i) store4(&vertices[i].x, first);
    const auto put = [columns, padded](std::uint32_t axis, float a, float b, float c) {
        put_column(columns + std::size_t(axis) * padded, Float4{a, b, c, a}, Float4{a, a, a, a}, padded);
    };
    put(0, v[0].x, v[1].x, v[2].x), put(1, v[0].y, v[1].y, v[2].y), put(2, v[0].z, v[1].z, v[2].z);
}

// The outward normal of an edge in the triangle's plane; any perpendicular of an edge without length.
Vec3d outward_edge_normal(const Vec3d& edge, const Vec3d& normal) {
    const Vec3d out = cross(edge, normal);
    return maths::is_zero(out) ? normal : maths::unit(out);
}

// The support heights of the corners along a normal, and against it.
struct Offsets {
    float along, against;
};
Offsets offsets_of(const Vec3& normal, const Vec3d (&v)[3]) {
    const Vec3d n = maths::to_double(normal);
    const double a = dot(n, v[0]), b = dot(n, v[1]), c = dot(n, v[2]);
    return {round_up(maths::max(a, maths::max(b, c))) + 0.0f, round_up(-maths::min(a, maths::min(b, c))) + 0.0f};
}

void set_planes(HullGeometry& hull, const Vec3 (&n)[kFaces], const Vec3d (&v)[3]) {
    float* const planes = hull.planes.data();
    const std::uint32_t padded = hull.padded_faces;
    const auto put = [planes, padded](std::uint32_t column, float a, float b, float c, float d, float e) {
        put_column(planes + std::size_t(column) * padded, Float4{a, b, c, d}, Float4{e, a, a, a}, padded);
    };
    put(0, n[0].x, n[1].x, n[2].x, n[3].x, n[4].x);
    put(1, n[0].y, n[1].y, n[2].y, n[3].y, n[4].y);
    put(2, n[0].z, n[1].z, n[2].z, n[3].z, n[4].z);
    const Offsets face = offsets_of(n[0], v);
    const auto reach = [&](std::uint32_t k) { return offsets_of(n[k], v).along; };
    put(3, face.along, face.against, reach(2), reach(3), reach(4));
}

// The smallest height of the triangle.
float width_of(const Vec3d (&edges)[3]) {
    const double longest =
        maths::max(dot(edges[0], edges[0]), maths::max(dot(edges[1], edges[1]), dot(edges[2], edges[2])));
    const Vec3d across = cross(edges[0], edges[1]);
    return longest > 0 ? static_cast<float>(std::sqrt(dot(across, across) / longest)) : 0.0f;
}

// Copies the normals to the contact faces. Only contacts read the width.
void set_faces(HullGeometry& hull, const Vec3 (&n)[kFaces], float width) {
    for (std::uint32_t face = 0; face < kFaces; ++face)
        store4(&hull.contact_faces[face].x, Float4{n[face].x, n[face].y, n[face].z, face < 2 ? width : 0.0f});
}

// Sets the tables that contacts read.
void set_corners(HullGeometry& hull, const Vec3 (&v)[3]) {
    HullCorner* corner = hull.corners.data();
    const auto put = [&](std::uint32_t from, std::uint32_t to) {
        const Vec3 &a = v[from], &b = v[to];
        store4(&corner->x, Float4{a.x, a.y, a.z, std::bit_cast<float>(from)});
        store4(&corner->edge_x, Float4{b.x - a.x, b.y - a.y, b.z - a.z, 0.0f});
        ++corner;
    };
    put(0, 1), put(1, 2), put(2, 0);
    put(0, 2), put(2, 1), put(1, 0);
    put(0, 1), put(1, 0), put(1, 2), put(2, 1), put(2, 0), put(0, 2);
}

float half_extent_of(const Vec3d (&v)[3]) {
    const maths::BoxD box = joined(joined(maths::BoxD{v[0], v[0]}, v[1]), v[2]);
    return float(0.5 * max_abs(box.high - box.low));
}

}  // namespace

void TriangleHulls::make_room(std::size_t triangles) {
    if (hulls.size() >= triangles) return;
    hulls.reserve(triangles);
    if (hulls.empty()) hulls.push_back(make_template());
    hulls.resize(triangles, hulls[0]);
    records.resize(triangles);
}

CentredTriangle::CentredTriangle(const Vec3d (&around)[3], const Vec3d& unit_normal, float swept)
    : corners{narrow(around[0]), narrow(around[1]), narrow(around[2])},
      normal(narrow(unit_normal)),
      radius(swept),
      size(half_extent_of({maths::to_double(corners[0]), maths::to_double(corners[1]), maths::to_double(corners[2])}) +
           swept) {}

void CentredTriangle::measure_reach() {
    double most = 0;
    for (const Vec3& corner : corners) most = maths::max(most, maths::norm(maths::to_double(corner)));
    reach = round_up(most);
}

void TriangleHulls::set(std::uint32_t index, const CentredTriangle& triangle, bool with_contacts) {
    HullGeometry& hull = hulls[index];
    const Vec3(&v)[3] = triangle.corners;
    const Vec3d corners[3] = {maths::to_double(v[0]), maths::to_double(v[1]), maths::to_double(v[2])};
    const Vec3d edges[3] = {corners[1] - corners[0], corners[2] - corners[1], corners[0] - corners[2]};
    const Vec3 n = triangle.normal;
    const Vec3d normal = maths::to_double(n);
    const Vec3 normals[kFaces] = {n,
                                  {0.0f - n.x, 0.0f - n.y, 0.0f - n.z},
                                  narrow(outward_edge_normal(edges[0], normal)),
                                  narrow(outward_edge_normal(edges[1], normal)),
                                  narrow(outward_edge_normal(edges[2], normal))};
    set_vertices(hull, v);
    set_planes(hull, normals, corners);
    set_faces(hull, normals, with_contacts ? width_of(edges) : 0.0f);
    if (with_contacts) set_corners(hull, v);
    hull.bounds_max = {triangle.reach, triangle.reach, 0.0f};
    hull.half_extent = triangle.size - triangle.radius;
    const double squared =
        maths::max(dot(corners[0], corners[0]), maths::max(dot(corners[1], corners[1]), dot(corners[2], corners[2])));
    hull.bound_radius = round_up(std::sqrt(squared) * kRootExcess);
    InstanceRecord& record = records[index];
    record.extent_x = record.extent_y = record.extent_z = 1.0f;
    record.radius = record.rounding = triangle.radius;
    record.size = triangle.size;
    record.geometry = index;
    record.bound_radius = round_up(double(hull.bound_radius) + triangle.radius);
}

std::size_t TriangleHulls::bytes() const {
    const auto of = [](const HullGeometry& h) {
        return sizeof(HullGeometry) + bytes_of(h.columns, h.vertices, h.planes, h.corners, h.contact_faces);
    };
    return hulls.empty() ? 0 : hulls.capacity() * of(hulls[0]) + bytes_of(records);
}

}  // namespace abut
