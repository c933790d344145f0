// See triangle_hull.hpp. How the tables hang together is the same for all triangles and is copied once; places and planes are written anew.
#include "cooking/triangle_hull.hpp"

#include <cmath>

#include "cooking/hull_layout.hpp"
#include "geometry/rounding.hpp"

namespace abut {
namespace {

using exact::Vec3d;

// Front face 0 and back face 1.
HullGeometry make_template() {
    cooking::Loops loops;
    loops.add(cooking::Triangle{0, 1, 2});
    loops.add(cooking::Triangle{0, 2, 1});
    HullGeometry hull = cooking::lay_out({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2}, loops, 2);
    hull.centre = {};
    hull.drop.clear();  // nothing is level with it
    return hull;
}

Vec3 narrow(const Vec3d& v) { return {float(v.x) + 0.0f, float(v.y) + 0.0f, float(v.z) + 0.0f}; }

void set_vertices(HullGeometry& hull, const Vec3 (&v)[3]) {
    for (std::uint32_t i = 0; i < hull.padded_count; ++i) {
        const Vec3 p = v[i < 3 ? i : 0];
        hull.vertices[i] = {p.x, p.y, p.z, 0.0f};
        hull.columns[i] = p.x;
        hull.columns[hull.padded_count + i] = p.y;
        hull.columns[2 * std::size_t(hull.padded_count) + i] = p.z;
    }
}

void set_planes(HullGeometry& hull, Vec3 n, const Vec3d (&v)[3]) {
    const Vec3d normal = exact::to_double(n);
    const double at[3] = {dot(normal, v[0]), dot(normal, v[1]), dot(normal, v[2])};
    const float front = round_up(exact::most(at[0], exact::most(at[1], at[2]))) + 0.0f;
    const float back = round_up(-exact::least(at[0], exact::least(at[1], at[2]))) + 0.0f;
    const std::size_t stride = hull.padded_faces;
    float* const planes = hull.planes.data();
    for (std::size_t i = 0; i < stride; ++i) {
        const bool is_back = i == 1;
        planes[i] = is_back ? 0.0f - n.x : n.x;
        planes[stride + i] = is_back ? 0.0f - n.y : n.y;
        planes[2 * stride + i] = is_back ? 0.0f - n.z : n.z;
        planes[3 * stride + i] = is_back ? back : front;
    }
}

// The lowest height.
float width_of(const Vec3d (&v)[3]) {
    const Vec3d a = v[1] - v[0], b = v[2] - v[0], c = v[2] - v[1], across = cross(a, b);
    const double longest = exact::most(dot(a, a), exact::most(dot(b, b), dot(c, c)));
    return longest > 0 ? static_cast<float>(std::sqrt(dot(across, across) / longest)) : 0.0f;
}

void set_faces(HullGeometry& hull, Vec3 n, const Vec3d (&v)[3]) {
    const float width = width_of(v);
    for (std::uint32_t face = 0; face < 2; ++face) {
        ContactFace& f = hull.contact_faces[face];
        f.x = face == 0 ? n.x : 0.0f - n.x, f.y = face == 0 ? n.y : 0.0f - n.y, f.z = face == 0 ? n.z : 0.0f - n.z;
        f.width = width;
        for (std::uint32_t k = 0; k < 3; ++k) {
            HullCorner& corner = hull.corners[f.first + k];
            const std::int32_t next = hull.corners[f.first + (k < 2 ? k + 1 : 0)].vertex;
            const Vec3d &at = v[corner.vertex], way = v[next] - at;
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
    set_planes(hull, triangle.normal, corners);
    set_faces(hull, triangle.normal, corners);
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
