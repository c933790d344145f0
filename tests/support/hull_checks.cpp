// Independent of how hulls are cooked: only the stored tables and the input points are looked at.
#include "hull_checks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace abut::test {
namespace {

struct D3 {
    double x, y, z;
};

D3 operator-(D3 a, D3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double dot(D3 a, D3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
D3 cross(D3 a, D3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double length(D3 a) { return std::sqrt(dot(a, a)); }

class Checker {
public:
    Checker(const HullGeometry& hull, std::span<const Vec3> points, const Limits& limits)
        : hull_(hull), points_(points), limits_(limits), size_(hull.half_extent) {}

    std::string run() {
        if (!fails_) check_layout();
        if (!fails_) check_bounds();
        if (!fails_) check_faces();
        if (!fails_) check_edges();
        if (!fails_) check_against_points();
        return fault_;
    }

private:
    void expect(bool holds, const char* what) {
        if (holds || fails_) return;
        fails_ = true;
        fault_ = what;
    }

    D3 vertex(std::uint32_t i) const { return {hull_.vertices[i].x, hull_.vertices[i].y, hull_.vertices[i].z}; }
    D3 normal(std::uint32_t f) const {
        return {hull_.planes[f], hull_.planes[hull_.padded_faces + f], hull_.planes[2 * hull_.padded_faces + f]};
    }
    double offset(std::uint32_t f) const { return hull_.planes[3 * hull_.padded_faces + f]; }
    std::vector<std::uint16_t> loop(std::uint32_t f) const {
        return {hull_.loop.begin() + hull_.face_first[f], hull_.loop.begin() + hull_.face_first[f + 1]};
    }

    void check_layout() {
        const auto pads = [](std::uint32_t n) { return (n + kHullPad - 1) / kHullPad * kHullPad; };
        expect(hull_.vertex_count >= 1, "a vertex at least");
        expect(hull_.padded_count == pads(hull_.vertex_count) && hull_.padded_faces == pads(hull_.face_count),
               "padded counts");
        expect(hull_.vertices.size() == hull_.padded_count && hull_.columns.size() == 3 * hull_.padded_count,
               "vertex tables' sizes");
        expect(hull_.planes.size() == 4 * hull_.padded_faces && hull_.face_first.size() == hull_.face_count + 1,
               "face tables' sizes");
        expect(hull_.face_first.back() == hull_.loop.size(), "loops end where the table ends");
        expect(reinterpret_cast<std::uintptr_t>(hull_.columns.data()) % 64 == 0, "columns are aligned");
        for (std::uint32_t i = 0; i < hull_.padded_count; ++i) {
            const HullVertex& v = hull_.vertices[i];
            const HullVertex& w = hull_.vertices[i < hull_.vertex_count ? i : 0];
            expect(v.x == w.x && v.y == w.y && v.z == w.z && v.w == 0.0f, "padding repeats vertex 0");
            expect(v.x == hull_.column_x()[i] && v.y == hull_.column_y()[i] && v.z == hull_.column_z()[i],
                   "columns equal records");
            expect(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z), "vertices are finite");
        }
        for (std::uint32_t i = hull_.face_count; i < hull_.padded_faces; ++i)
            for (std::uint32_t c = 0; c < 4; ++c)
                expect(hull_.planes[c * hull_.padded_faces + i] == hull_.planes[c * hull_.padded_faces],
                       "padding repeats face 0");
        const HullReport& r = hull_.report;
        expect(r.vertices == hull_.vertex_count && r.faces == hull_.face_count && r.edges == hull_.edges.size(),
               "the report's counts");
        expect(r.dropped_points == points_.size() - r.vertices, "the report's dropped points");
    }

    void check_bounds() {
        D3 low = vertex(0), high = low, sum{0, 0, 0};
        double radius = 0;
        for (std::uint32_t i = 0; i < hull_.vertex_count; ++i) {
            const D3 v = vertex(i);
            low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
            high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
            sum = {sum.x + v.x, sum.y + v.y, sum.z + v.z};
            radius = std::max(radius, length(v));
        }
        const double half = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / 2;
        expect(std::abs(half - size_) <= 1e-7 * half, "half_extent");
        expect(radius <= hull_.bound_radius && hull_.bound_radius <= radius * (1 + 3e-7) + 0x1p-148, "bound_radius");
        const Vec3 c = hull_.centre;
        expect(
            c.x + low.x >= hull_.bounds_min.x && c.y + low.y >= hull_.bounds_min.y && c.z + low.z >= hull_.bounds_min.z,
            "bounds_min");
        expect(c.x + high.x <= hull_.bounds_max.x && c.y + high.y <= hull_.bounds_max.y &&
                   c.z + high.z <= hull_.bounds_max.z,
               "bounds_max");
        const double ulp = std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)}) * 0x1p-23;
        expect(length(sum) / hull_.vertex_count <= ulp + 2e-7 * size_, "centre is the centroid");
    }

    void check_faces() {
        const int faces = hull_.report.dimension == 3 ? 4 : hull_.report.dimension == 2 ? 2 : 0;
        expect(hull_.report.dimension < 3 ? hull_.face_count == std::uint32_t(faces) : hull_.face_count >= 4,
               "number of faces");
        for (std::uint32_t f = 0; f < hull_.face_count && !fails_; ++f) {
            const D3 n = normal(f);
            expect(std::abs(length(n) - 1) <= 1.5e-7, "normals are unit");
            for (std::uint32_t i = 0; i < hull_.vertex_count; ++i)
                expect(dot(n, vertex(i)) <= offset(f) + 1e-14 * size_, "every vertex is inside every plane");
            const auto corners = loop(f);
            expect(corners.size() >= 3, "three corners at least");
            expect(std::set(corners.begin(), corners.end()).size() == corners.size(), "loops are simple");
            expect(*std::min_element(corners.begin(), corners.end()) == corners[0],
                   "loops start at their lowest vertex");
            for (std::size_t i = 0; i < corners.size() && !fails_; ++i) {
                expect(corners[i] < hull_.vertex_count, "loops stay in range");
                const D3 a = vertex(corners[i]), b = vertex(corners[(i + 1) % corners.size()]);
                const D3 c = vertex(corners[(i + 2) % corners.size()]);
                expect(offset(f) - dot(n, a) <= limits_.flat * size_, "faces are flat");
                const double longest =
                    std::max({length(b - a), length(c - b), length(c - a)});  // so that it is the least altitude
                expect(dot(n, cross(b - a, c - b)) >= -2e-7 * size_ * longest,
                       "loops are convex and counter-clockwise");
            }
        }
        if (hull_.report.dimension == 2 && !fails_) {
            const D3 n = normal(0), m = normal(1);
            expect(n.x == -m.x && n.y == -m.y && n.z == -m.z, "a polygon's normals are opposite");
            expect(offset(0) + offset(1) >= 0 && offset(0) + offset(1) <= limits_.flat * size_,
                   "a polygon's planes coincide");
            auto there = loop(0), back = loop(1);
            std::reverse(back.begin() + 1, back.end());
            expect(there == back, "a polygon's loops are opposite");
        }
    }

    void check_edges() {
        const std::size_t edges = hull_.edges.size();
        if (hull_.report.dimension == 0) return expect(edges == 0 && hull_.vertex_count == 1, "a point has no edge");
        if (hull_.report.dimension == 1) {
            const bool one = edges == 1 && hull_.vertex_count == 2;
            return expect(one && hull_.edges[0].f0 == 0xffff && hull_.edges[0].f1 == 0xffff,
                          "a segment has one edge and no face");
        }
        expect(edges * 2 == hull_.loop.size(), "an edge for every two sides of loops");
        expect(hull_.vertex_count + hull_.face_count == edges + 2, "Euler's formula");
        std::map<std::pair<int, int>, int> left;  // the face that has the side a -> b
        for (std::uint32_t f = 0; f < hull_.face_count; ++f) {
            const auto corners = loop(f);
            for (std::size_t i = 0; i < corners.size(); ++i)
                expect(left.insert({{corners[i], corners[(i + 1) % corners.size()]}, int(f)}).second,
                       "a side has one face");
        }
        std::vector<int> valence(hull_.vertex_count);
        for (std::size_t i = 0; i < edges && !fails_; ++i) {
            const HullEdge e = hull_.edges[i];
            expect(e.v0 < e.v1 && e.v1 < hull_.vertex_count && e.f0 < hull_.face_count && e.f1 < hull_.face_count,
                   "edges in range");
            expect(left[{e.v0, e.v1}] == e.f0 && left[{e.v1, e.v0}] == e.f1,
                   "f0 is on the left of v0 -> v1, f1 on the right");
            if (i > 0)
                expect(std::pair(hull_.edges[i - 1].v0, hull_.edges[i - 1].v1) < std::pair(e.v0, e.v1), "edges ascend");
            ++valence[e.v0];
            ++valence[e.v1];
            if (hull_.report.dimension == 3) check_shared(e);
        }
        for (const int v : valence) expect(v == 2 || (v > 2 && hull_.report.dimension == 3), "edges at a vertex");
        if (hull_.report.dimension == 3)
            expect(std::none_of(valence.begin(), valence.end(), [](int v) { return v < 3; }), "3 at least");
    }

    void check_shared(const HullEdge& e) {
        auto a = loop(e.f0), b = loop(e.f1);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        std::vector<std::uint16_t> shared;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
        expect(shared == std::vector<std::uint16_t>{e.v0, e.v1}, "an edge's faces share its ends and nothing else");
    }

    // Both ways: nothing stands out by more than was allowed to be dropped, and nothing was made up.
    void check_against_points() {
        std::vector<D3> directions;
        for (std::uint32_t f = 0; f < std::min(hull_.face_count, 300u); ++f) directions.push_back(normal(f));
        Random random(1);
        for (int i = 0; i < 64; ++i) {
            const Vec3 d = random.direction();
            directions.push_back({d.x, d.y, d.z});
        }
        const Vec3 c = hull_.centre;
        for (const D3 d : directions) {
            double ours = -INFINITY, theirs = -INFINITY;
            for (std::uint32_t i = 0; i < hull_.vertex_count; ++i) ours = std::max(ours, dot(d, vertex(i)));
            for (const Vec3 p : points_)
                theirs = std::max(theirs, dot(d, {double(p.x) - c.x, double(p.y) - c.y, double(p.z) - c.z}));
            expect(theirs - ours <= (2 * limits_.dropped + 1e-7) * size_ * length(d), "no point stands out");
            expect(ours - theirs <= 1.1e-7 * size_ * length(d), "no vertex is made up");
        }
    }

    const HullGeometry& hull_;
    std::span<const Vec3> points_;
    Limits limits_;
    double size_;
    bool fails_ = false;
    std::string fault_;
};

template <class T>
bool same_bytes(const T& a, const T& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace

bool same(const HullGeometry& a, const HullGeometry& b) {
    const auto edge = [](const HullEdge& e, const HullEdge& f) {
        return e.v0 == f.v0 && e.v1 == f.v1 && e.f0 == f.f0 && e.f1 == f.f1;
    };
    return a.centre == b.centre && same_bytes(a.columns, b.columns) && same_bytes(a.planes, b.planes) &&
           a.loop == b.loop && a.face_first == b.face_first && a.bounds_min == b.bounds_min &&
           a.bounds_max == b.bounds_max && a.half_extent == b.half_extent && a.bound_radius == b.bound_radius &&
           a.report.deviation == b.report.deviation && a.report.overshoot == b.report.overshoot &&
           std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(), edge);
}

std::vector<Vec3> scaled(std::vector<Vec3> points, float by) {
    for (Vec3& p : points) p = {p.x * by, p.y * by, p.z * by};
    return points;
}

std::string find_fault(const HullGeometry& hull, std::span<const Vec3> points, const Limits& limits) {
    return Checker(hull, points, limits).run();
}

Rotation::Rotation(Random& random) {
    const Vec3 a = random.direction();
    Vec3 h = random.direction();
    const D3 x{a.x, a.y, a.z};
    const D3 side = cross(x, {h.x, h.y, h.z});
    const double l = length(side), k = length(x);
    const D3 u{x.x / k, x.y / k, x.z / k}, v{side.x / l, side.y / l, side.z / l}, w = cross(u, v);
    const double m[9] = {u.x, v.x, w.x, u.y, v.y, w.y, u.z, v.z, w.z};
    std::copy(m, m + 9, m_);
}

Vec3 Rotation::operator()(double x, double y, double z) const {
    return {float(m_[0] * x + m_[1] * y + m_[2] * z), float(m_[3] * x + m_[4] * y + m_[5] * z),
            float(m_[6] * x + m_[7] * y + m_[8] * z)};
}

std::vector<Vec3> sphere_points(Random& random, int count) {
    std::vector<Vec3> points;
    while (int(points.size()) < count) points.push_back(random.direction());
    return points;
}

std::vector<Vec3> lattice(int side) {
    std::vector<Vec3> points;
    for (int i = 0; i < side * side * side; ++i) {
        const auto at = [&](int j) { return float(j % side) / float(side - 1); };
        points.push_back({at(i), at(i / side), at(i / side / side)});
    }
    return points;
}

std::vector<Vec3> prism(int sides, double half_height) {
    std::vector<Vec3> points;
    for (int i = 0; i < 2 * sides; ++i) {
        const double angle = (i % sides) * 6.283185307179586 / sides;
        points.push_back(
            {float(std::cos(angle)), float(i < sides ? -half_height : half_height), float(std::sin(angle))});
    }
    return points;
}

std::vector<Vec3> cone(int sides) {
    std::vector<Vec3> points = prism(sides, 1.0);
    points.resize(sides + 1);
    points.back() = {0.0f, 1.0f, 0.0f};
    return points;
}

std::vector<Vec3> icosphere(int subdivisions) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    std::vector<D3> v;
    for (const double s : {-1.0, 1.0})
        for (const double t : {-g, g}) v.insert(v.end(), {{s, t, 0}, {0, s, t}, {t, 0, s}});
    std::vector<std::array<int, 3>> faces;
    for (int i = 0; i < 12; ++i)
        for (int j = i + 1; j < 12; ++j)
            for (int k = j + 1; k < 12; ++k)
                if (length(v[i] - v[j]) < 2.1 && length(v[j] - v[k]) < 2.1 && length(v[k] - v[i]) < 2.1)
                    faces.push_back({i, j, k});
    for (int s = 0; s < subdivisions; ++s) {
        std::map<std::pair<int, int>, int> middle;
        std::vector<std::array<int, 3>> finer;
        for (const auto& f : faces) {
            int m[3];
            for (int e = 0; e < 3; ++e) {
                const auto edge = std::minmax(f[e], f[(e + 1) % 3]);
                const auto [at, fresh] = middle.insert({edge, int(v.size())});
                if (fresh) {
                    const D3 a = v[edge.first], b = v[edge.second], sum{a.x + b.x, a.y + b.y, a.z + b.z};
                    const double l = length(a) / length(sum);
                    v.push_back({sum.x * l, sum.y * l, sum.z * l});
                }
                m[e] = at->second;
            }
            finer.insert(finer.end(), {{f[0], m[0], m[2]}, {f[1], m[1], m[0]}, {f[2], m[2], m[1]}, {m[0], m[1], m[2]}});
        }
        faces = finer;
    }
    std::vector<Vec3> points;
    for (const D3 p : v) points.push_back({float(p.x), float(p.y), float(p.z)});
    return points;
}

std::vector<Vec3> moved(std::span<const Vec3> points, const Rotation& rotation, Vec3 scale, Vec3 offset) {
    std::vector<Vec3> result;
    for (const Vec3 p : points) {
        const Vec3 q = rotation(double(p.x) * scale.x, double(p.y) * scale.y, double(p.z) * scale.z);
        result.push_back({q.x + offset.x, q.y + offset.y, q.z + offset.z});
    }
    return result;
}

}  // namespace abut::test
