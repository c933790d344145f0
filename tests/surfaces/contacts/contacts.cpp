// See contacts.hpp.
#include "surfaces/contacts/contacts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace abut::ground {
namespace {

using oracle::Vec2d;

double distance_to_segment(const Vec2d& a, const Vec2d& b, const Vec2d& p) {
    const Vec2d along = b - a;
    const double square = dot(along, along), t = square > 0 ? std::clamp(dot(p - a, along) / square, 0.0, 1.0) : 0;
    return length(p - a - along * t);
}

// Negative outside.
double depth_in_loop(const oracle::Loop& loop, const Vec2d& p) {
    double depth = INFINITY, outside = INFINITY;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec2d &a = loop[i], &b = loop[(i + 1) % loop.size()];
        const Vec2d along = b - a;
        outside = std::min(outside, distance_to_segment(a, b, p));
        if (loop.size() > 2) depth = std::min(depth, cross(along, p - a) / length(along));
    }
    if (loop.size() > 2 && depth >= 0) return depth;
    return -outside;
}

}  // namespace

double distance_to_hull(const oracle::Loop& points, const Vec2d& point) {
    return std::max(0.0, -depth_in_loop(oracle::convex_loop(points), point));
}
double depth_in_hull(const oracle::Loop& points, const Vec2d& point) {
    return std::max(0.0, depth_in_loop(oracle::convex_loop(points), point));
}

double left_by_best_four(const oracle::Loop& points) {
    constexpr std::size_t kMost = 16;  // corners to choose from: 1,820 choices
    const oracle::Loop loop = oracle::convex_loop(points);
    if (loop.size() <= 4) return 0;
    oracle::Loop some;
    for (std::size_t i = 0; i < std::min(kMost, loop.size()); ++i)
        some.push_back(loop[i * loop.size() / std::min(kMost, loop.size())]);
    double best = INFINITY;
    const std::size_t n = some.size();
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            for (std::size_t c = b + 1; c < n; ++c)
                for (std::size_t d = c + 1; d < n; ++d) {
                    const oracle::Loop four = {some[a], some[b], some[c], some[d]};  // convex, as the loop is
                    double worst = 0;
                    for (std::size_t i = 0; i < loop.size() && worst < best; ++i)
                        worst = std::max(worst, -depth_in_loop(four, loop[i]));
                    best = std::min(best, worst);
                }
    return best;
}

std::vector<Found> collide(NarrowPhase& narrow, const ShapeStore& store, const Body& mover, const Body& ground,
                           bool is_a, float margin) {
    const Body bodies[2] = {is_a ? mover : ground, is_a ? ground : mover};
    const Pair pairs[1] = {{0, 1}};
    const float margins[1] = {margin};
    Manifolds out;
    const CallResult result = narrow.collide({&store, bodies, pairs, margins}, out);
    if (!result) {
        std::fprintf(stderr, "abut_ground: %s\n", result.error().message.c_str());
        std::exit(2);
    }
    std::vector<Found> found;
    for (std::size_t i = 0; i < out.manifolds.size(); ++i) {
        const Manifold& m = out.manifolds[i];
        const Vec3d normal = Vec3d(m.normal) * (is_a ? -1.0 : 1.0);
        for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k)
            found.push_back({Vec3d(bodies[0].position) + Vec3d(out.contacts[k].position), normal,
                             double(out.contacts[k].separation), i, std::rotl(out.contacts[k].feature, is_a ? 0 : 16)});
    }
    return found;
}

std::string query_line(const Mover& mover, const Body& body, const Terrain& terrain) {
    oracle::Shape stand_in;  // its text is replaced by that of the ground
    stand_in.kind = ShapeKind::sphere;
    std::string line = oracle::query_line(name_of(mover.kind), mover.shape, body, stand_in, terrain.body);
    const std::string_view text = "{\"shape\":\"sphere\",\"radius\":0}";
    return line.replace(line.rfind(text), text.size(), terrain.json());
}

std::string describe(const Mover& mover, const Body& body) {
    const Vec3 p = body.position;
    const Quat q = body.orientation;
    return fmt::format("{} of size {:.3f} at ({:.6g}, {:.6g}, {:.6g}), ({:.5g}, {:.5g}, {:.5g}, {:.5g})",
                       name_of(mover.kind), mover.size, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
}

std::string list_of(const char* title, const std::vector<Found>& found) {
    std::string out = fmt::format("{}\n", title);
    for (const Found& f : found)
        out += fmt::format(
            "  manifold {:>2}  normal ({:>8.5f}, {:>8.5f}, {:>8.5f})  at ({:>10.5f}, {:>10.5f}, {:>10.5f})  separation "
            "{:>9.4f} mm\n",
            f.manifold, f.normal.x, f.normal.y, f.normal.z, f.at.x, f.at.y, f.at.z, 1e3 * f.separation);
    return out;
}

}  // namespace abut::ground
