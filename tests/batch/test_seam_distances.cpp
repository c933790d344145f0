// Distances and casts of compounds whose children share faces: an overlap ends where the union of the children does.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"

using namespace abut;
using scenes::Random;

namespace {

// A convex shape, and a compound of parts that fill it.
struct Divided {
    std::string name;
    ShapeId whole, parts;
};

Vec3 rounded(const oracle::Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }
Vec3 moved(Vec3 from, Vec3 way, double by) {
    return {float(from.x + way.x * by), float(from.y + way.y * by), float(from.z + way.z * by)};
}

// Cuts through a length from -half to half: at equal steps, or anywhere.
std::vector<double> cuts(double half, std::uint32_t count, Random& random, bool is_even) {
    std::vector<double> at = {-half, half};
    for (std::uint32_t i = 1; i < count; ++i)
        at.push_back(is_even ? 2 * half * i / count - half : random.uniform(-0.9 * half, 0.9 * half));
    std::sort(at.begin(), at.end());
    return at;
}

// A box, cut along each axis into so many parts: boxes or hulls.
Divided divided_box(ShapeStore& shapes, Vec3 half, const std::uint32_t (&counts)[3], Random& random, bool is_even,
                    bool are_hulls) {
    const std::vector<double> x = cuts(half.x, counts[0], random, is_even),
                              y = cuts(half.y, counts[1], random, is_even),
                              z = cuts(half.z, counts[2], random, is_even);
    std::vector<CompoundChild> children;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
        for (std::size_t k = 0; k + 1 < y.size(); ++k)
            for (std::size_t l = 0; l + 1 < z.size(); ++l) {
                const Vec3 at = {float(0.5 * (x[i] + x[i + 1])), float(0.5 * (y[k] + y[k + 1])),
                                 float(0.5 * (z[l] + z[l + 1]))};
                const Vec3 own = {float(0.5 * (x[i + 1] - x[i])), float(0.5 * (y[k + 1] - y[k])),
                                  float(0.5 * (z[l + 1] - z[l]))};
                std::vector<Vec3> corners;
                for (int c = 0; c < 8; ++c)
                    corners.push_back(
                        {(c & 1) != 0 ? own.x : -own.x, (c & 2) != 0 ? own.y : -own.y, (c & 4) != 0 ? own.z : -own.z});
                const auto part = are_hulls ? shapes.add_hull(corners) : shapes.add_box(own);
                REQUIRE(part);
                children.push_back({*part, at, {}});
            }
    const auto whole = shapes.add_box(half), parts = shapes.add_compound(children);
    REQUIRE((whole && parts));
    return {std::to_string(counts[0]) + "x" + std::to_string(counts[1]) + "x" + std::to_string(counts[2]) +
                (are_hulls ? " hulls" : " boxes"),
            *whole, *parts};
}

// A prism of equal wedges about the Y axis.
Divided divided_prism(ShapeStore& shapes, std::uint32_t sides, double radius, double half) {
    std::vector<Vec3> all;
    std::vector<CompoundChild> children;
    const auto at = [&](std::uint32_t i, double y) {
        const double angle = 6.283185307179586 * i / sides;
        return Vec3{float(radius * std::cos(angle)), float(y), float(radius * std::sin(angle))};
    };
    for (std::uint32_t i = 0; i < sides; ++i) {
        std::vector<Vec3> wedge;
        for (const double y : {-half, half}) {
            wedge.push_back({0, float(y), 0}), wedge.push_back(at(i, y)), wedge.push_back(at((i + 1) % sides, y));
            all.push_back(at(i, y));
        }
        const auto part = shapes.add_hull(wedge);
        REQUIRE(part);
        children.push_back({*part, {}, {}});
    }
    const auto whole = shapes.add_hull(all), parts = shapes.add_compound(children);
    REQUIRE((whole && parts));
    return {"prism of " + std::to_string(sides) + " wedges", *whole, *parts};
}

std::vector<ShapeId> add_kinds(ShapeStore& shapes) {
    std::vector<Vec3> corners;
    Random random(5);
    for (int i = 0; i < 30; ++i) corners.push_back(rounded(random.direction() * 0.2));
    std::vector<ShapeId> ids;
    for (const auto& id :
         {shapes.add_sphere(0.15f), shapes.add_capsule(0.12f, 0.15f), shapes.add_box({0.15f, 0.2f, 0.1f}),
          shapes.add_box({0.3f, 0.02f, 0.2f}), shapes.add_cylinder(0.15f, 0.2f), shapes.add_cone(0.15f, 0.2f),
          shapes.add_hull(corners), shapes.add_ellipsoid({0.15f, 0.2f, 0.1f})}) {
        REQUIRE(id);
        ids.push_back(*id);
    }
    return ids;
}

struct Distance {
    explicit Distance(const ShapeStore& store) : shapes(store) {}
    const ShapeStore& shapes;
    NarrowPhase narrow;
    Distances out;
    double operator()(const Body& body, const Body& other) {
        const Body bodies[] = {body, other};
        const Pair pair[] = {{0, 1}};
        REQUIRE(narrow.distance({&shapes, bodies, pair}, out));
        REQUIRE(out.status[0] == Status::ok);
        return out.signed_distance[0];
    }
};

// Casts of one body against another that stays.
struct OneCast {
    explicit OneCast(const ShapeStore& store) : shapes(store) {}
    const ShapeStore& shapes;
    NarrowPhase narrow;
    Casts out;
    bool operator()(const Body& from, Vec3 way, const Body& other, CastStart start) {
        const Body now[] = {from, other},
                   then[] = {{moved(from.position, way, 1), from.shape, from.orientation}, other};
        const Pair pair[] = {{0, 1}};
        const Bodies ends[] = {then};
        CastOptions options;
        options.start = start;
        REQUIRE(narrow.cast({&shapes, now, pair}, {ends}, out, options));
        REQUIRE(out.status[0] == Status::ok);
        return out.hit(0);
    }
};

}  // namespace

TEST_CASE("seams: a divided shape has the distances of the whole one", "[seams][right]") {
    ShapeStore shapes;
    Random random(1);
    std::vector<Divided> all;
    for (const bool are_hulls : {false, true}) {
        all.push_back(divided_box(shapes, {2, 0.25f, 2}, {2, 1, 2}, random, true, are_hulls));
        all.push_back(divided_box(shapes, {2, 0.25f, 2}, {5, 1, 5}, random, true, are_hulls));
        all.push_back(divided_box(shapes, {2, 0.5f, 2}, {4, 2, 3}, random, false, are_hulls));
        all.push_back(divided_box(shapes, {2, 0.4f, 2}, {1, 4, 1}, random, true, are_hulls));
        all.push_back(divided_box(shapes, {0.5f, 0.5f, 0.5f}, {3, 3, 3}, random, true, are_hulls));
    }
    for (const std::uint32_t sides : {3u, 6u, 9u}) all.push_back(divided_prism(shapes, sides, 1, 0.5));
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    Distance distance(shapes), of_whole(shapes);
    for (const Divided& divided : all) {
        std::size_t overlaps = 0, wrong = 0, stuck = 0;
        double worst = 0;
        Bounds bounds;
        const Body unposed = {{}, divided.whole, {}};
        REQUIRE(world_bounds(shapes, std::span<const Body>(&unposed, 1), {&bounds, 1}));
        for (int i = 0; i < 1000; ++i) {
            const Quat tilted = random.chance(0.5) ? Quat{} : random.orientation();
            const Vec3 origin = random.chance(0.5) ? Vec3{} : rounded(random.direction() * 3);
            const oracle::Vec3d local = {random.uniform(-1, 1) * (bounds.max.x + 0.1),
                                         random.uniform(-1, 1) * (bounds.max.y + 0.1),
                                         random.uniform(-1, 1) * (bounds.max.z + 0.1)};
            const oracle::Vec3d at = oracle::Vec3d(origin) + oracle::rotation_of(tilted) * local;
            const Body body = {rounded(at), kinds[std::size_t(i) % kinds.size()],
                               random.chance(0.3) ? tilted : random.orientation()};
            const double right = of_whole(body, {origin, divided.whole, tilted});
            const double found = distance(body, {origin, divided.parts, tilted});
            overlaps += right < 0;
            const bool is_wrong = std::fabs(found - right) > 2e-5;
            wrong += is_wrong;
            if (is_wrong) worst = std::max(worst, std::fabs(found - right));
            if (right > 0) continue;
            // Moved along the normal by the depth, the body has left.
            Body out = body;
            out.position = moved(body.position, distance.out.normal[0], found);
            stuck += of_whole(out, {origin, divided.whole, tilted}) < -2e-5;
        }
        INFO(divided.name << ": " << overlaps << " overlaps, worst " << worst);
        CHECK(overlaps > 300);
        CHECK(wrong == 0);
        CHECK(stuck == 0);
    }
}

TEST_CASE("seams: distances to steps and walls are those of their parts", "[seams][right]") {
    ShapeStore shapes;
    Random random(2);
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    Distance distance(shapes), of_part(shapes);
    // Of 4 m by 4 m: a floor of tiles, and tiles of every other column that are higher.
    for (const double height : {0.05, 0.2, 2.0}) {
        std::vector<CompoundChild> children;
        std::vector<Body> parts;
        const auto add = [&](Vec3 low, Vec3 high) {
            const auto id = shapes.add_box({0.5f * (high.x - low.x), 0.5f * (high.y - low.y), 0.5f * (high.z - low.z)});
            REQUIRE(id);
            return Body{{0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)}, *id, {}};
        };
        const auto top = float(height);
        parts.push_back(add({-2, -0.5f, -2}, {2, 0, 2}));
        for (int i = 0; i < 4; ++i) {
            const float x = float(i - 2), own = i % 2 == 0 ? 0 : top;
            if (own > 0) parts.push_back(add({x, -0.5f, -2}, {x + 1, top, 2}));
            for (int k = 0; k < 4; ++k) {
                const Body tile = add({x, -0.5f, float(k - 2)}, {x + 1, own, float(k - 1)});
                children.push_back({tile.shape, tile.position, {}});
            }
        }
        const auto compound = shapes.add_compound(children);
        REQUIRE(compound);
        std::size_t overlaps = 0, wrong = 0;
        for (int i = 0; i < 3000; ++i) {
            // On the low tiles, or half a step above them, and often at a step.
            const double sunk = random.uniform(-0.005, 0.03), at_step = random.uniform(-0.03, 0.01);
            Body body = {{}, kinds[std::size_t(i) % kinds.size()], random.chance(0.5) ? Quat{} : random.orientation()};
            Bounds bounds;
            REQUIRE(world_bounds(shapes, std::span<const Body>(&body, 1), {&bounds, 1}));
            body.position = {float(random.chance(0.5) ? -1 - bounds.max.x - at_step : random.uniform(-1.9, 1.9)),
                             float(-bounds.min.y - sunk + (random.chance(0.3) ? height : 0.0)),
                             float(random.uniform(-1.9, 1.9))};
            double right = INFINITY;
            for (const Body& part : parts) right = std::min(right, of_part(body, part));
            const double found = distance(body, {{}, *compound, {}});
            overlaps += right < 0;
            wrong += std::fabs(found - right) > 2e-5;
        }
        INFO("steps of " << height << ": " << overlaps << " overlaps");
        CHECK(overlaps > 1000);
        // Deep in a wall the parts of the reference are not the union of the tiles.
        CHECK(wrong <= overlaps / 100);
    }
}

TEST_CASE("seams: casts against a divided shape give its distances and do not stop at seams", "[seams][casts][right]") {
    ShapeStore shapes;
    Random random(3);
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    Distance distance(shapes);
    OneCast cast(shapes), of_whole(shapes);
    for (const bool are_hulls : {false, true}) {
        const Divided floor = divided_box(shapes, {2, 0.5f, 2}, {4, 1, 4}, random, true, are_hulls);
        const Body parts = {{}, floor.parts, {}}, whole = {{}, floor.whole, {}};
        std::size_t at_start = 0, first = 0, stopped = 0, sideways = 0, different = 0;
        for (int i = 0; i < 2000; ++i) {
            Body body = {{}, kinds[std::size_t(i) % kinds.size()], random.chance(0.5) ? Quat{} : random.orientation()};
            Bounds bounds;
            REQUIRE(world_bounds(shapes, std::span<const Body>(&body, 1), {&bounds, 1}));
            // Sunk by up to half its height, near a seam.
            const bool is_sunk = random.chance(0.6);
            const double sunk = is_sunk ? random.uniform(0, 0.5) * double(bounds.max.y - bounds.min.y) : -0.1;
            body.position = {float(random.below(3) - 1.0 + random.uniform(-0.1, 0.1)), float(0.5 - bounds.min.y - sunk),
                             float(random.uniform(-1.5, 1.5))};
            const Vec3 way = {float(random.uniform(-0.4, 0.4)), is_sunk ? 0.0f : -0.3f,
                              float(random.uniform(-0.4, 0.4))};
            REQUIRE(cast(body, way, parts, CastStart::stop));
            REQUIRE(of_whole(body, way, whole, CastStart::stop));
            (is_sunk ? at_start : first) += 1;
            Body there = body;
            there.position = moved(body.position, way, cast.out.time[0]);
            distance(there, parts);
            different += std::fabs(cast.out.signed_distance[0] - distance.out.signed_distance[0]) > 2e-5f ||
                         std::fabs(cast.out.time[0] - of_whole.out.time[0]) > 2e-4;
            sideways += is_sunk && cast.out.normal[0].y > -0.7f && of_whole.out.normal[0].y < -0.99f;
            // What slides along the floor is not stopped by the side of the next tile.
            if (is_sunk && !of_whole(body, way, whole, CastStart::closing_only))
                stopped += cast(body, way, parts, CastStart::closing_only);
        }
        INFO(floor.name << ", " << at_start << " starts, " << first << " hits");
        CHECK(different == 0);
        CHECK(sideways == 0);
        CHECK(stopped == 0);
    }
}

TEST_CASE("seams: a body that is sunk in a floor of tiles stops at a step", "[seams][casts][right]") {
    ShapeStore shapes;
    Random random(4);
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    const auto low = shapes.add_box({0.5f, 0.25f, 0.5f}), high = shapes.add_box({0.5f, 0.5f, 0.5f});
    REQUIRE((low && high));
    std::vector<CompoundChild> children;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            children.push_back(i < 2 ? CompoundChild{*low, {float(i) - 1.5f, -0.25f, float(k) - 1.5f}, {}}
                                     : CompoundChild{*high, {float(i) - 1.5f, 0, float(k) - 1.5f}, {}});
    const auto floor = shapes.add_compound(children);
    REQUIRE(floor);
    OneCast cast(shapes);
    std::size_t through = 0;
    for (int i = 0; i < 2000; ++i) {
        Body body = {{}, kinds[std::size_t(i) % kinds.size()], random.chance(0.5) ? Quat{} : random.orientation()};
        Bounds bounds;
        REQUIRE(world_bounds(shapes, std::span<const Body>(&body, 1), {&bounds, 1}));
        const double height = double(bounds.max.y - bounds.min.y);
        // In front of the step, or in it by a little below the floor alone.
        body.position = {float(-bounds.max.x + random.uniform(-0.1, 0.01)),
                         float(-bounds.min.y - height * random.uniform(0.01, 0.4)), float(random.uniform(-1.5, 1.5))};
        const Vec3 way = {0.4f, 0, 0};
        through +=
            !cast(body, way, {{}, *floor, {}}, CastStart::closing_only) ||
            body.position.x + bounds.max.x + cast.out.time[0] * 0.4 > 0.1 + 0.5 * double(bounds.max.x - bounds.min.x);
    }
    CHECK(through == 0);
}
