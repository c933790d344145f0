// Shapes with poses of their own on bodies that move: casts and swept bounds.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

#include "support/count.hpp"
#include "support/posed_world.hpp"

using namespace abut;
using namespace abut::test;

namespace {

// Of a body at a time, by the formula of cast.hpp.
Body moved(const Body& from, const Body& to, Vec3 centre, double time) {
    double d = double(from.orientation.x) * to.orientation.x + double(from.orientation.y) * to.orientation.y +
               double(from.orientation.z) * to.orientation.z + double(from.orientation.w) * to.orientation.w;
    const double sign = d < 0 ? -1 : 1, angle = std::acos(std::min(1.0, std::abs(d)));
    const double s = angle < 1e-9 ? 1 - time : std::sin((1 - time) * angle) / std::sin(angle);
    const double e = sign * (angle < 1e-9 ? time : std::sin(time * angle) / std::sin(angle));
    const auto mix = [&](float p, float q) { return float(s * p + e * q); };
    Body body = from;
    body.orientation = {mix(from.orientation.x, to.orientation.x), mix(from.orientation.y, to.orientation.y),
                        mix(from.orientation.z, to.orientation.z), mix(from.orientation.w, to.orientation.w)};
    const Vec3d c(centre), start = Vec3d(from.position) + oracle::rotation_of(from.orientation) * c,
                           end = Vec3d(to.position) + oracle::rotation_of(to.orientation) * c;
    body.position = to_float(start + (end - start) * time - oracle::rotation_of(body.orientation) * c);
    return body;
}

}  // namespace

TEST_CASE("poses: casts stop where the shapes touch on their arcs, and not before", "[poses]") {
    World w = make_world(10, false, 40);
    Random random(5);
    std::vector<Body> ends = w.bodies;
    std::vector<Vec3> centers;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        w.bodies[i].position = to_float(random.direction() * random.uniform(2, 4));
        ends[i].position = to_float(random.direction() * random.uniform(0, 2));
        ends[i].orientation = random.orientation();
        centers.push_back(to_float(random.direction() * 0.3));
    }
    // One-sided: its distance leaves out triangles that the body was in front of when it started.
    const auto is_field = [&](std::uint32_t i) { return w.plain[w.kind_of[i]].kind() == ShapeKind::heightfield; };
    std::erase_if(w.pairs, [&](const Pair& p) { return p.a == p.b || is_field(p.a) || is_field(p.b); });
    const Bodies all_ends[] = {ends};
    NarrowPhase narrow;
    Casts casts;
    for (const bool with_centers : {false, true}) {
        Motions motions = {all_ends};
        if (with_centers) motions.centers = centers;
        REQUIRE(narrow.cast(w.frame(), motions, casts));
        std::size_t hits = 0;
        test::Count wrong;
        for (std::size_t i = 0; i < w.pairs.size(); ++i) {
            const auto [a, b] = w.pairs[i];
            if (casts.status[i] != Status::ok) continue;
            std::vector<Body> path;
            std::vector<Pair> pairs;
            for (std::uint32_t k = 0; k <= 16; ++k) {
                for (const std::uint32_t body : {a, b})
                    path.push_back(moved(w.bodies[body], ends[body], with_centers ? centers[body] : Vec3{},
                                         casts.time[i] * k / 16));
                pairs.push_back({2 * k, 2 * k + 1});
            }
            Distances d;
            REQUIRE(narrow.distance({&w.shapes, path, pairs}, d));
            const double slack = 1e-3;
            for (std::uint32_t k = 0; k < 16; ++k)
                wrong += d.status[k] == Status::ok && d.signed_distance[k] < -slack && casts.time[i] > 0;
            if (!casts.hit(i) || casts.time[i] == 0 || !std::isfinite(d.signed_distance[16])) continue;
            ++hits;
            wrong += std::abs(d.signed_distance[16]) > slack;
            // Both points are about A's body at that time, on both shapes.
            std::vector<Vec3> points;
            const std::vector<Pair> on = {{0, 32}, {1, 33}};
            for (const Vec3& p : {casts.point_a[i], casts.point_b[i]})
                points.push_back(to_float(Vec3d(path[32].position) + Vec3d(p)));
            PointDistances off;
            REQUIRE(narrow.measure({&w.shapes, path, on}, {.positions = points}, off));
            for (int k = 0; k < 2; ++k)
                wrong += std::isfinite(off.signed_distance[k]) && std::abs(off.signed_distance[k]) > slack;
        }
        CHECK(hits > 60);
        CHECK(wrong == 0);
    }
}

TEST_CASE("poses: swept bounds hold a turning body on the way", "[poses]") {
    const World w = make_world(12);
    std::vector<Body> ends = w.bodies;
    Random random(7);
    for (Body& body : ends) body.orientation = random.orientation();
    std::vector<Bounds> swept(ends.size()), at(ends.size());
    REQUIRE(swept_bounds(w.shapes, w.bodies, ends, swept));
    for (int k = 0; k <= 8; ++k) {
        std::vector<Body> now;
        for (std::size_t i = 0; i < ends.size(); ++i) now.push_back(moved(w.bodies[i], ends[i], {}, k / 8.0));
        REQUIRE(world_bounds(w.shapes, now, at, {}));
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const double slack = w.slack(std::uint32_t(i));
            CHECK(swept[i].min.x <= at[i].min.x + slack);
            CHECK(swept[i].max.y >= at[i].max.y - slack);
        }
    }
}
