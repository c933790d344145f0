// See slide.hpp.
#include "slide.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace abut::slide {
namespace {

struct Vec3d {
    double x, y, z;
};
Vec3d wide(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3d cross(Vec3d a, Vec3d b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double length(Vec3d v) { return std::sqrt(dot(v, v)); }

template <class T>
T or_throw(Expected<T> value) {
    if (!value) throw std::runtime_error(value.error().message.c_str());
    return *value;
}
void or_throw(const CallResult& result) {
    if (!result) throw std::runtime_error(result.error().message.c_str());
}

ShapeId add_body(ShapeStore& shapes, BodyKind kind, float size) {
    switch (kind) {
        case BodyKind::box: return or_throw(shapes.add_box({size, 0.5f * size, 0.7f * size}));
        case BodyKind::cylinder: return or_throw(shapes.add_cylinder(size, 0.6f * size));
        case BodyKind::capsule: return or_throw(shapes.add_capsule(0.5f * size, size));
        case BodyKind::hull: break;
    }
    const Vec3 tent[6] = {{size, 0, size},  {-size, 0, size},       {-size, 0, -size},
                          {size, 0, -size}, {0, size, 0.3f * size}, {0, size, -0.3f * size}};
    return or_throw(shapes.add_hull(tent));
}

// A capsule lies along z.
Quat turned(BodyKind kind) {
    return kind == BodyKind::capsule ? Quat{0.70710678f, 0, 0, 0.70710678f} : Quat{0, 0.0998334f, 0, 0.9950042f};
}

// Whether a normal at a point of the ground is a triangle's there, or one along which nothing of the triangles about it
// is farther out.
class Normals {
public:
    static constexpr double kSameNormal = 0.99998;  // a little more than a manifold's normals may differ by

    explicit Normals(const Ground& ground) : ground_(ground) {}

    bool allow(Vec3d point, Vec3d normal, double near) const {
        bool is_outermost = true, is_any = false;
        for (const MeshTriangle& triangle : ground_.triangles) {
            const Vec3d a = corner(triangle, 0), b = corner(triangle, 1), c = corner(triangle, 2);
            if (!is_about(point.x, a.x, b.x, c.x, near) || !is_about(point.y, a.y, b.y, c.y, near) ||
                !is_about(point.z, a.z, b.z, c.z, near))
                continue;
            const Vec3d area = cross(b - a, c - a);
            const double twice = length(area);
            if (twice == 0 || std::fabs(dot(area, point - a)) > near * twice) continue;
            is_any = true;
            if (dot(area, normal) >= kSameNormal * twice) return true;
            for (const Vec3d& v : {a, b, c})
                is_outermost = is_outermost && dot(normal, v - point) <= 1e-3 * length(v - point) + near;
        }
        return is_any && is_outermost;
    }

private:
    static bool is_about(double x, double a, double b, double c, double near) {
        return x >= std::min({a, b, c}) - near && x <= std::max({a, b, c}) + near;
    }
    Vec3d corner(const MeshTriangle& triangle, int k) const { return wide(ground_.vertices[triangle.corners[k]]); }

    const Ground& ground_;
};

// Down from there, by as much as the distance allows, until the body overlaps it by so much; false where there is none
// below.
bool lower(NarrowPhase& narrow, const Frame& frame, const Ground& ground, double from, float size, Body& body,
           double overlap) {
    Distances d;
    for (double y = from; y > ground.low.y - 2 * size;) {
        body.position.y = static_cast<float>(y);
        or_throw(narrow.distance(frame, d));
        if (d.signed_distance[0] <= 0.1 * overlap) {
            body.position.y = static_cast<float>(y - overlap);
            return true;
        }
        y -= std::min(double(d.signed_distance[0]), double(size));
    }
    return false;
}

}  // namespace

void Ground::find_bounds() {
    low = high = vertices.at(0);
    for (const Vec3& v : vertices) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
}

Ground flat_strip(float cell, float length, float width) {
    Ground ground;
    const auto columns = static_cast<std::uint32_t>(std::ceil(length / cell)),
               rows = std::max(2u, static_cast<std::uint32_t>(width / cell));
    for (std::uint32_t r = 0; r <= rows; ++r)
        for (std::uint32_t c = 0; c <= columns; ++c) ground.vertices.push_back({float(c) * cell, 0, float(r) * cell});
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t a = r * (columns + 1) + c, b = a + columns + 1;
            ground.triangles.push_back({{a, b, b + 1}});
            ground.triangles.push_back({{a, b + 1, a + 1}});
        }
    }
    ground.find_bounds();
    return ground;
}

const char* name_of(BodyKind kind) {
    constexpr const char* kNames[] = {"box", "cylinder", "capsule", "hull"};
    return kNames[static_cast<int>(kind)];
}

Found slide(const Ground& ground, BodyKind kind, const Path& path, const Settings& settings) {
    ShapeStore shapes;
    const ShapeId mesh = or_throw(shapes.add_mesh(ground.vertices, ground.triangles)),
                  shape = add_body(shapes, kind, path.size);
    Body bodies[2] = {{{}, mesh, {}}, {{path.from, 0, path.z}, shape, turned(kind)}};
    const Pair pairs[1] = {{0, 1}};
    Frame frame = {&shapes, bodies, pairs};
    NarrowPhase narrow(settings);
    WarmTable table;
    Manifolds found;
    const Normals normals(ground);
    const double overlap = 1e-3 * path.size;
    Found out;
    for (bool touched = false; out.steps < path.steps; ++out.steps) {
        bodies[1].position.x = path.from + (path.to - path.from) * float(out.steps) / float(path.steps);
        const double top = ground.high.y + 2 * path.size,
                     from = touched ? std::min(top, double(bodies[1].position.y) + 4 * path.size) : top;
        if (!lower(narrow, {&shapes, bodies, pairs}, ground, from, path.size, bodies[1], overlap)) {
            touched = false;
            continue;
        }
        frame.caches = table.begin(pairs);
        or_throw(narrow.collide(frame, found));
        or_throw(table.carry_over(frame, found));
        const std::span<const CarriedBy> carried = table.carried_by();
        if (touched) {
            out.followed += found.contacts.size();
            out.old += std::size_t(
                std::count_if(carried.begin(), carried.end(), [](CarriedBy by) { return by != CarriedBy::nothing; }));
        }
        touched = !found.contacts.empty();
        out.touching += touched;
        out.contacts += found.contacts.size();
        for (const Manifold& m : found.manifolds) {
            const Vec3d n = wide(m.normal);
            out.off_level = std::max(out.off_level, std::atan2(std::hypot(n.x, n.z), n.y));
            const Contact* const first = found.contacts.data() + m.first_contact;
            const Contact& deepest =
                *std::min_element(first, first + m.contact_count,
                                  [](const Contact& a, const Contact& b) { return a.separation < b.separation; });
            out.deepest = std::max(out.deepest, -double(deepest.separation));
            ++out.manifolds;
            const double half = 0.5 * double(deepest.separation);
            out.odd += !normals.allow(
                {deepest.position.x - half * n.x, deepest.position.y - half * n.y, deepest.position.z - half * n.z}, n,
                5e-3 * path.size);
        }
    }
    return out;
}

}  // namespace abut::slide
