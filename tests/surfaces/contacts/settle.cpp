// See settle.hpp. A body's small motion adds a plane to the gap function. At rest the plane is the one that lowers the
// centre of mass most while no gap is negative: a linear program in three unknowns, whose basis is a triangle of
// touches about the centre.
#include "surfaces/contacts/settle.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace abut::ground {
namespace {

constexpr double kCircle = 6.283185307179586;

struct Quatd {
    Vec3d v;
    double w = 1;
};
Quatd operator*(const Quatd& p, const Quatd& q) {
    return {p.w * q.v + q.w * p.v + cross(p.v, q.v), p.w * q.w - dot(p.v, q.v)};
}
Quatd about(const Vec3d& axis, double angle) { return {axis * std::sin(0.5 * angle), std::cos(0.5 * angle)}; }
oracle::Rotation rotation_of(const Quatd& q) {
    const double n = std::sqrt(dot(q.v, q.v) + q.w * q.w), x = q.v.x / n, y = q.v.y / n, z = q.v.z / n, w = q.w / n;
    return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}
// The shortest rotation that takes `from` to `to`.
Quatd between(const Vec3d& from, const Vec3d& to) {
    const double cosine = dot(from, to);
    if (cosine < -0.999999) {
        const Vec3d any = std::fabs(from.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        return {normalised(cross(from, any)), 0};
    }
    const Vec3d axis = cross(from, to);
    const double w = 1 + cosine, n = std::sqrt(dot(axis, axis) + w * w);
    return {axis / n, w / n};
}

oracle::Rotation product(const oracle::Rotation& a, const oracle::Rotation& b) {
    const auto row = [&](const Vec3d& r) { return b.back(r); };
    return {row(a.row_x), row(a.row_y), row(a.row_z)};
}

struct Box2 {
    double x0 = 1e300, x1 = -1e300, z0 = 1e300, z1 = -1e300;
    void add(const Vec3d& v) {
        x0 = std::min(x0, v.x), x1 = std::max(x1, v.x), z0 = std::min(z0, v.z), z1 = std::max(z1, v.z);
    }
    bool meets(const Box2& o) const { return x0 <= o.x1 && o.x0 <= x1 && z0 <= o.z1 && o.z0 <= z1; }
    bool has(const Vec3d& v) const { return v.x >= x0 && v.x <= x1 && v.z >= z0 && v.z <= z1; }
};

double cross2(double ax, double az, double bx, double bz) { return ax * bz - az * bx; }

// The height of a triangle at (x, z), where it is there.
std::optional<double> height_of(const std::array<Vec3d, 3>& t, double x, double z) {
    double w[3], sum = 0;
    for (int k = 0; k < 3; ++k) {
        const Vec3d &p = t[std::size_t(k)], &q = t[std::size_t((k + 1) % 3)];
        w[(k + 2) % 3] = cross2(q.x - p.x, q.z - p.z, x - p.x, z - p.z);
        sum += w[(k + 2) % 3];
    }
    if (sum == 0) return {};
    for (double& v : w) {
        v /= sum;
        if (v < -1e-12) return {};
    }
    return w[0] * t[0].y + w[1] * t[1].y + w[2] * t[2].y;
}

// The plane gap = -(a + b x + c z) of a basis, about the centre.
struct Fit {
    double a = 0, b = 0, c = 0;
    bool is_supported = false;
};

struct Point {
    double x, z, gap;
};

// The largest lower plane at the origin: from a triangle of far points on, the point that is most below the plane
// enters, and the one leaves without which the triangle contains the origin.
Fit fit_plane(const std::vector<Point>& points, double far) {
    std::vector<Point> all = points;
    for (int k = 0; k < 3; ++k)
        all.push_back({far * std::cos(kCircle * k / 3), far * std::sin(kCircle * k / 3), 100 * far});
    const std::size_t first_far = points.size();
    std::size_t basis[3] = {first_far, first_far + 1, first_far + 2};
    double height = 0, slope_x = 0, slope_z = 0;  // of the lower plane: gap >= height + slope . (x, z)
    const auto solve = [&] {
        const Point &p = all[basis[0]], &q = all[basis[1]], &r = all[basis[2]];
        const double det = cross2(q.x - p.x, q.z - p.z, r.x - p.x, r.z - p.z), g = q.gap - p.gap, h = r.gap - p.gap;
        slope_x = (g * (r.z - p.z) - h * (q.z - p.z)) / det;
        slope_z = (h * (q.x - p.x) - g * (r.x - p.x)) / det;
        height = p.gap - slope_x * p.x - slope_z * p.z;
    };
    // The least barycentric coordinate of the origin.
    const auto inside = [&](const std::size_t(&t)[3]) {
        double least = 1e300, sum = 0, w[3];
        for (int k = 0; k < 3; ++k) {
            const Point &p = all[t[k]], &q = all[t[(k + 1) % 3]];
            w[k] = cross2(p.x, p.z, q.x, q.z), sum += w[k];
        }
        if (std::fabs(sum) < 1e-18) return -1e300;
        for (const double v : w) least = std::min(least, v / sum);
        return least;
    };
    for (int step = 0; step < 500; ++step) {
        solve();
        std::size_t worst = 0;
        double most = 1e-13;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double below = height + slope_x * all[i].x + slope_z * all[i].z - all[i].gap;
            if (below > most) most = below, worst = i + 1;
        }
        if (worst == 0) break;
        double best = -1e300;
        int leaves = 0;
        for (int k = 0; k < 3; ++k) {
            std::size_t t[3] = {basis[0], basis[1], basis[2]};
            t[k] = worst - 1;
            const double least = inside(t);
            if (least > best) best = least, leaves = k;
        }
        basis[leaves] = worst - 1;
    }
    Fit out = {-height, -slope_x, -slope_z, true};
    for (const std::size_t i : basis) out.is_supported = out.is_supported && i < first_far;
    return out;
}

}  // namespace

Level::Level(const Terrain& terrain) {
    rotation_ = rotation_of(between(terrain.up, {0, 1, 0}));
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> seen;
    const oracle::Pose pose = oracle::pose_of(terrain.body);
    for (const Vec3& v : terrain.vertices) vertices_.push_back(to_level(pose.position + pose.rotation * Vec3d(v)));
    for (const MeshTriangle& t : terrain.triangles) {
        triangles_.push_back({vertices_[t.corners[0]], vertices_[t.corners[1]], vertices_[t.corners[2]]});
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t p = t.corners[k], q = t.corners[(k + 1) % 3];
            if (seen.emplace(std::minmax(p, q), true).second) edges_.push_back({vertices_[p], vertices_[q]});
        }
    }
}

void find_touches(const Level& level, const Wire& body, const oracle::Pose& pose, double within,
                  std::vector<Touch>& out) {
    out.clear();
    std::vector<Vec3d> vertices;
    Box2 bounds;
    for (const Vec3d& v : body.vertices) {
        vertices.push_back(pose.position + pose.rotation * v);
        bounds.add(vertices.back());
    }
    double least = 1e300;
    const auto add = [&](Touch::What what, double x, double y, double z, double gap) {
        least = std::min(least, gap);
        if (gap <= least + within) out.push_back({what, x, y, z, gap});
    };
    // Ground vertices below the body: between its lower and its upper planes.
    std::vector<Wire::Plane> planes;
    for (const Wire::Plane& p : body.planes) {
        const Vec3d n = pose.rotation * p.normal;
        planes.push_back({n, p.offset + dot(n, pose.position)});
    }
    for (const Vec3d& v : level.vertices()) {
        if (!bounds.has(v)) continue;
        double low = -1e300, high = 1e300;
        bool is_outside = false;
        for (const Wire::Plane& p : planes) {
            const double rest = p.offset - p.normal.x * v.x - p.normal.z * v.z;
            if (std::fabs(p.normal.y) < 1e-9)
                is_outside = is_outside || rest < 0;
            else if (p.normal.y < 0)
                low = std::max(low, rest / p.normal.y);
            else
                high = std::min(high, rest / p.normal.y);
        }
        if (!is_outside && low <= high) add(Touch::What::triangle_vertex, v.x, v.y, v.z, low - v.y);
    }
    struct Segment {
        Vec3d a, b;
        Box2 box;
    };
    std::vector<Segment> near;
    double ground_high = -1e300;
    for (const Level::Edge& e : level.edges()) {
        Segment s{e.a, e.b, {}};
        s.box.add(e.a), s.box.add(e.b);
        if (!s.box.meets(bounds)) continue;
        near.push_back(s);
        ground_high = std::max({ground_high, e.a.y, e.b.y});
    }
    for (const std::array<Vec3d, 3>& t : level.triangles()) {
        Box2 box;
        for (const Vec3d& c : t) box.add(c);
        if (!box.meets(bounds)) continue;
        for (const Vec3d& v : vertices) {
            if (!box.has(v) || v.y > ground_high + std::max(least, 0.0) + within) continue;
            if (const std::optional<double> height = height_of(t, v.x, v.z))
                add(Touch::What::vertex, v.x, *height, v.z, v.y - *height);
        }
    }
    for (const auto& [i, k] : body.edges) {
        const Vec3d &p = vertices[i], &q = vertices[k];
        if (std::min(p.y, q.y) > ground_high + std::max(least, 0.0) + within) continue;
        Box2 box;
        box.add(p), box.add(q);
        for (const Segment& s : near) {
            if (!s.box.meets(box)) continue;
            const double dx = q.x - p.x, dz = q.z - p.z, ex = s.b.x - s.a.x, ez = s.b.z - s.a.z,
                         det = cross2(dx, dz, ex, ez);
            if (std::fabs(det) < 1e-14) continue;
            const double along = cross2(s.a.x - p.x, s.a.z - p.z, ex, ez) / det,
                         other = cross2(s.a.x - p.x, s.a.z - p.z, dx, dz) / det;
            if (along < 0 || along > 1 || other < 0 || other > 1) continue;
            const double ground = s.a.y + other * (s.b.y - s.a.y);
            add(Touch::What::crossing, p.x + along * dx, ground, p.z + along * dz, p.y + along * (q.y - p.y) - ground);
        }
    }
    std::erase_if(out, [&](const Touch& t) { return t.gap > least + within; });
}

std::optional<Rest> settle(const Terrain& terrain, const Level& level, const Mover& mover, Random& random,
                           double overlap) {
    const Vec3d face = mover.faces[random.below(std::uint32_t(mover.faces.size()))];
    const double yaw = random.uniform(0, kCircle);
    Quatd q = about({0, 1, 0}, yaw) * between(normalised(face), {0, -1, 0});
    Vec3d centre = level.to_level(terrain.site) + Vec3d{0, 2 * mover.reach, 0};
    std::vector<Touch> touches;
    std::vector<Point> points;
    const auto pose = [&] {
        const oracle::Rotation r = rotation_of(q);
        return oracle::Pose{centre - r * mover.centre, r};
    };
    bool is_done = false;
    for (int step = 0; step < 80 && !is_done; ++step) {
        find_touches(level, mover.wire, pose(), step < 2 ? 1e300 : 0.3 * mover.size, touches);
        if (touches.empty()) return {};
        points.clear();
        for (const Touch& t : touches) points.push_back({t.x - centre.x, t.z - centre.z, t.gap});
        const Fit fit = fit_plane(points, 20 * mover.reach);
        if (!fit.is_supported) return {};
        centre.y += fit.a;
        // The plane a + b x + c z is the motion (c, ., -b) x (x, ., z): a rotation about (-c, 0, b).
        const Vec3d spin{-fit.c, 0, fit.b};
        const double angle = length(spin), most = 0.05;
        if (angle > 0) q = about(spin / angle, std::min(angle, most)) * q;
        is_done = std::fabs(fit.a) < 1e-10 && angle < 1e-10;
    }
    if (!is_done) return {};
    centre.y -= overlap;
    // As floats, in the world.
    const Quatd in_world = between({0, 1, 0}, terrain.up) * q;
    const Vec3d position = level.to_world(centre) - rotation_of(in_world) * mover.centre;
    Rest rest;
    rest.body = {{float(position.x), float(position.y), float(position.z)},
                 mover.id,
                 {float(in_world.v.x), float(in_world.v.y), float(in_world.v.z), float(in_world.w)}};
    const oracle::Pose as_float = oracle::pose_of(rest.body);
    const oracle::Pose level_pose = {level.to_level(as_float.position), product(level.rotation(), as_float.rotation)};
    find_touches(level, mover.wire, level_pose, Rest::kKept, rest.touches);
    rest.centre = level_pose.position + level_pose.rotation * mover.centre;
    // A vertex of the ground that touches the border of the body's shadow may be outside of it after rounding.
    points.clear();
    for (const Touch& t : rest.touches) points.push_back({t.x - rest.centre.x, t.z - rest.centre.z, t.gap});
    const Fit fit = fit_plane(points, 20 * mover.reach);
    const double rounding = 1e-6 * (1 + mover.reach);
    if (!fit.is_supported || std::fabs(fit.a - overlap) > rounding ||
        std::hypot(fit.b, fit.c) * mover.reach > 4 * rounding)
        return {};
    return rest;
}

}  // namespace abut::ground
