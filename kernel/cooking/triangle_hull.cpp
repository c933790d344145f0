// See triangle_hull.hpp. How the tables hang together is the same for all triangles and is copied once; places and planes are written anew.
#include "cooking/triangle_hull.hpp"

#include <cmath>

#include "cooking/hull_layout.hpp"
#include "geometry/four_wide.hpp"
#include "geometry/rounding.hpp"

namespace abut {
namespace {

using exact::Vec3d;

// A prism without height: a flat hull has no axes for depths, a solid's tables have them all. Front face 0, back face 1, and face 2 + k along the edge
// from corner k to the next, which is of no width.
constexpr std::uint32_t kFaces = 5;
constexpr std::uint32_t kFaceFirst[kFaces + 1] = {0, 3, 6, 8, 10, 12};
constexpr std::uint16_t kLoop[12] = {0, 1, 2, 0, 2, 1, 0, 1, 1, 2, 2, 0};
constexpr HullEdge kEdges[6] = {{0, 1, 0, 2}, {0, 1, 2, 1}, {0, 2, 0, 4}, {0, 2, 4, 1}, {1, 2, 0, 3}, {1, 2, 3, 1}};

HullGeometry make_template() {
    cooking::Loops loops;
    loops.add(cooking::Triangle{0, 1, 2});
    loops.add(cooking::Triangle{0, 2, 1});
    HullGeometry hull = cooking::lay_out({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2}, loops, 2);
    hull.centre = {};
    hull.drop.clear();  // nothing is level with it
    hull.report.dimension = 3;
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
        f.width = 0;
        for (std::uint16_t k = 0; k < 4; ++k) f.quad[k] = std::uint16_t(k < f.count ? k : f.count - 1);
        for (std::uint32_t k = f.first; k < f.first + f.count; ++k) hull.corners[k].vertex = kLoop[k];
    }
    lay_out_edge_faces(hull);
    return hull;
}

Vec3 narrow(const Vec3d& v) { return {float(v.x) + 0.0f, float(v.y) + 0.0f, float(v.z) + 0.0f}; }

// A column of a table: the first values, then the first one to the end of the padding.
void put_column(float* to, const float (&values)[8], std::uint32_t padded) {
    const float first = values[0];
    store4(to, load4(values));
    store4(to + 4, load4(values + 4));
    for (std::uint32_t i = 8; i < padded; i += 4) store4(to + i, Float4{first, first, first, first});
}

void set_vertices(HullGeometry& hull, const Vec3 (&v)[3]) {
    HullVertex* const vertices = hull.vertices.data();
    for (std::uint32_t i = 0; i < 3; ++i) store4(&vertices[i].x, Float4{v[i].x, v[i].y, v[i].z, 0.0f});
    for (std::uint32_t i = 3; i < hull.padded_count; ++i) store4(&vertices[i].x, Float4{v[0].x, v[0].y, v[0].z, 0.0f});
    float* const columns = hull.columns.data();
    const std::size_t stride = hull.padded_count;
    put_column(columns, {v[0].x, v[1].x, v[2].x, v[0].x, v[0].x, v[0].x, v[0].x, v[0].x}, hull.padded_count);
    put_column(columns + stride, {v[0].y, v[1].y, v[2].y, v[0].y, v[0].y, v[0].y, v[0].y, v[0].y}, hull.padded_count);
    put_column(columns + 2 * stride, {v[0].z, v[1].z, v[2].z, v[0].z, v[0].z, v[0].z, v[0].z, v[0].z}, hull.padded_count);
}

// Outwards, in the triangle's plane, square to the edge from corner k; any that is square to an edge of no length.
Vec3d outwards(const Vec3d (&v)[3], const Vec3d& normal, std::uint32_t k) {
    const Vec3d out = cross(v[(k + 1) % 3] - v[k], normal);
    return exact::is_zero(out) ? normal : exact::unit(out);
}

void set_planes(HullGeometry& hull, const Vec3 (&normals)[kFaces], const Vec3d (&v)[3]) {
    float offset[kFaces];
    for (std::uint32_t face = 0; face < kFaces; ++face) {
        const Vec3d n = exact::to_double(normals[face]);
        offset[face] = round_up(exact::most(dot(n, v[0]), exact::most(dot(n, v[1]), dot(n, v[2])))) + 0.0f;
    }
    const Vec3(&n)[kFaces] = normals;
    const std::size_t stride = hull.padded_faces;
    float* const planes = hull.planes.data();
    put_column(planes, {n[0].x, n[1].x, n[2].x, n[3].x, n[4].x, n[0].x, n[0].x, n[0].x}, hull.padded_faces);
    put_column(planes + stride, {n[0].y, n[1].y, n[2].y, n[3].y, n[4].y, n[0].y, n[0].y, n[0].y}, hull.padded_faces);
    put_column(planes + 2 * stride, {n[0].z, n[1].z, n[2].z, n[3].z, n[4].z, n[0].z, n[0].z, n[0].z}, hull.padded_faces);
    put_column(planes + 3 * stride, {offset[0], offset[1], offset[2], offset[3], offset[4], offset[0], offset[0], offset[0]}, hull.padded_faces);
}

// The lowest height.
float width_of(const Vec3d (&v)[3]) {
    const Vec3d a = v[1] - v[0], b = v[2] - v[0], c = v[2] - v[1], across = cross(a, b);
    const double longest = exact::most(dot(a, a), exact::most(dot(b, b), dot(c, c)));
    return longest > 0 ? static_cast<float>(std::sqrt(dot(across, across) / longest)) : 0.0f;
}

void set_faces(HullGeometry& hull, const Vec3 (&normals)[kFaces], const Vec3d (&v)[3]) {
    const float width = width_of(v);
    for (std::uint32_t face = 0; face < kFaces; ++face) {
        ContactFace& f = hull.contact_faces[face];
        f.x = normals[face].x, f.y = normals[face].y, f.z = normals[face].z;
        f.width = face < 2 ? width : 0.0f;
    }
    for (std::uint32_t face = 0; face < kFaces; ++face) {
        for (std::uint32_t k = kFaceFirst[face]; k < kFaceFirst[face + 1]; ++k) {
            HullCorner& corner = hull.corners[k];
            const Vec3d &at = v[kLoop[k]], way = v[kLoop[k + 1 < kFaceFirst[face + 1] ? k + 1 : kFaceFirst[face]]] - at;
            corner.x = float(at.x), corner.y = float(at.y), corner.z = float(at.z);
            corner.way_x = float(way.x), corner.way_y = float(way.y), corner.way_z = float(way.z);
        }
    }
}

float half_extent_of(const Vec3d (&v)[3]) {
    const exact::BoxD box = joined(joined(exact::BoxD{v[0], v[0]}, v[1]), v[2]);
    return float(0.5 * max_abs(box.high - box.low));
}

void measure(HullGeometry& hull, const PlacedTriangle& triangle, const Vec3d (&v)[3]) {
    double radius = 0;
    for (const Vec3d& p : v) radius = exact::most(radius, length_above(p.x, p.y, p.z));
    hull.half_extent = triangle.size - triangle.radius;
    hull.bound_radius = round_up(radius);
}

}  // namespace

void TriangleHulls::make_room(std::size_t triangles) {
    if (hulls.size() >= triangles) return;
    hulls.reserve(triangles);
    if (hulls.empty()) hulls.push_back(make_template());
    hulls.resize(triangles, hulls[0]);
    records.resize(triangles);
}

PlacedTriangle::PlacedTriangle(const Vec3d (&around)[3], const Vec3d& unit_normal, float swept)
    : corners{narrow(around[0]), narrow(around[1]), narrow(around[2])},
      normal(narrow(unit_normal)),
      radius(swept),
      size(half_extent_of({exact::to_double(corners[0]), exact::to_double(corners[1]), exact::to_double(corners[2])}) + swept) {}

void TriangleHulls::set(std::uint32_t place, const PlacedTriangle& triangle) {
    HullGeometry& hull = hulls[place];
    const Vec3(&v)[3] = triangle.corners;
    const Vec3d corners[3] = {exact::to_double(v[0]), exact::to_double(v[1]), exact::to_double(v[2])};
    set_vertices(hull, v);
    const Vec3 n = triangle.normal;
    const Vec3d normal = exact::to_double(n);
    const Vec3 normals[kFaces] = {n,
                                  {0.0f - n.x, 0.0f - n.y, 0.0f - n.z},
                                  narrow(outwards(corners, normal, 0)),
                                  narrow(outwards(corners, normal, 1)),
                                  narrow(outwards(corners, normal, 2))};
    set_planes(hull, normals, corners);
    set_faces(hull, normals, corners);
    measure(hull, triangle, corners);
    InstanceRecord& record = records[place];
    record.extent_x = record.extent_y = record.extent_z = 1.0f;
    record.radius = record.rounding = triangle.radius;
    record.size = triangle.size;
    record.geometry = place;
    record.bound_radius = round_up(double(hull.bound_radius) + triangle.radius);
}

std::size_t TriangleHulls::bytes() const {
    const auto of = [](const HullGeometry& h) {
        return sizeof(HullGeometry) + h.columns.capacity() * sizeof(float) + h.vertices.capacity() * sizeof(HullVertex) +
               h.planes.capacity() * sizeof(float) + h.corners.capacity() * sizeof(HullCorner) + h.contact_faces.capacity() * sizeof(ContactFace);
    };
    return hulls.empty() ? 0 : hulls.capacity() * of(hulls[0]) + records.capacity() * sizeof(InstanceRecord);
}

}  // namespace abut
