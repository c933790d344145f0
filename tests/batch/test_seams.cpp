// Contacts on compounds whose children share faces: seams of a flat floor are no edges, and steps are.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"

using namespace abut;
using scenes::Random;

namespace {

constexpr double kDegree = 0.017453292519943295;

struct Tile {
    double low_x, high_x, low_z, high_z, top = 0;
};

// Floors from -2 to 2 m along x and z.
std::vector<Tile> grid(std::uint32_t cells) {
    std::vector<Tile> tiles;
    const double width = 4.0 / cells;
    for (std::uint32_t i = 0; i < cells; ++i)
        for (std::uint32_t k = 0; k < cells; ++k)
            tiles.push_back({width * i - 2, width * (i + 1) - 2, width * k - 2, width * (k + 1) - 2});
    return tiles;
}
// Rows of tiles whose seams end within the faces of the next row.
std::vector<Tile> bricks(std::uint32_t rows, Random& random) {
    std::vector<Tile> tiles;
    for (std::uint32_t row = 0; row < rows; ++row) {
        const double low = 4.0 * row / rows - 2, high = 4.0 * (row + 1) / rows - 2;
        double from = -2;
        while (from < 2) {
            double to = from + random.uniform(0.3, 1.2);
            if (to > 1.7) to = 2;
            tiles.push_back({from, to, low, high});
            from = to;
        }
    }
    return tiles;
}

enum class Of { boxes, hulls, rounded };

ShapeId add_floor(ShapeStore& shapes, const std::vector<Tile>& tiles, Of of) {
    std::vector<CompoundChild> children;
    for (const Tile& t : tiles) {
        const Vec3 half = {float(0.5 * (t.high_x - t.low_x)), 0.25f, float(0.5 * (t.high_z - t.low_z))};
        const Vec3 at = {float(0.5 * (t.low_x + t.high_x)), float(t.top - 0.25), float(0.5 * (t.low_z + t.high_z))};
        std::vector<Vec3> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back(
                {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
        const auto tile = of == Of::hulls ? shapes.add_hull(corners) : shapes.add_box(half);
        REQUIRE(tile);
        children.push_back({*tile, at, {}});
    }
    const auto floor = shapes.add_compound(children, {.rounding = of == Of::rounded ? 0.05f : 0.0f});
    REQUIRE(floor);
    return *floor;
}

Quat about_y(double angle) { return {0, float(std::sin(angle / 2)), 0, float(std::cos(angle / 2))}; }

std::vector<ShapeId> add_kinds(ShapeStore& shapes) {
    std::vector<Vec3> corners;
    Random random(5);
    for (int i = 0; i < 30; ++i) {
        const oracle::Vec3d at = random.direction() * 0.2;
        corners.push_back({float(at.x), float(at.y), float(at.z)});
    }
    const Vec3 wedge[] = {
        {-0.2f, -0.1f, -0.2f}, {0.2f, -0.1f, -0.2f}, {-0.2f, -0.1f, 0.2f}, {0.2f, -0.1f, 0.2f}, {0, 0.2f, 0}};
    std::vector<ShapeId> ids;
    for (const auto& id :
         {shapes.add_sphere(0.15f), shapes.add_capsule(0.12f, 0.15f), shapes.add_box({0.15f, 0.2f, 0.1f}),
          shapes.add_box({0.3f, 0.01f, 0.2f}), shapes.add_cylinder(0.15f, 0.2f), shapes.add_cone(0.15f, 0.2f),
          shapes.add_hull(corners), shapes.add_hull(wedge), shapes.add_ellipsoid({0.15f, 0.2f, 0.1f})}) {
        REQUIRE(id);
        ids.push_back(*id);
    }
    return ids;
}

// A body whose lowest point is at y = 0.
Body standing(const ShapeStore& shapes, ShapeId shape, Quat orientation) {
    Body body = {{}, shape, orientation};
    Bounds bounds;
    REQUIRE(world_bounds(shapes, std::span<const Body>(&body, 1), {&bounds, 1}));
    body.position.y = -bounds.min.y;
    return body;
}

struct Contacts {
    explicit Contacts(const ShapeStore& store) : shapes(store) {}
    const ShapeStore& shapes;
    NarrowPhase narrow{{.speculative_margin = 0.02f}};
    Manifolds out;

    // Of a body and a floor at the origin.
    const Manifolds& operator()(const Body& body, ShapeId floor) {
        const Body bodies[] = {body, {{}, floor, {}}};
        const Pair pair[] = {{0, 1}};
        REQUIRE(narrow.collide({&shapes, bodies, pair}, out));
        REQUIRE(out.status[0] == Status::ok);
        return out;
    }
};

// The largest angle of a normal against straight down.
double tilt_of(const Manifolds& m) {
    double most = 0;
    for (const Manifold& one : m.manifolds) most = std::max(most, std::acos(std::min(1.0, -double(one.normal.y))));
    return most;
}
double deepest(const Manifolds& m) {
    double least = INFINITY;
    for (const Contact& c : m.contacts) least = std::min(least, double(c.separation));
    return least;
}

// A body near a seam of the floor, its lowest point `depth` below y = 0.
Body near_seam(const ShapeStore& shapes, ShapeId shape, const std::vector<Tile>& tiles, double depth, Random& random) {
    const bool is_upright = random.chance(0.5);
    const double yaw = random.chance(0.3) ? 0 : random.uniform(0, 6.28);
    Body body = standing(shapes, shape, is_upright ? about_y(yaw) : random.orientation());
    const Tile& tile = tiles[random.below(std::uint32_t(tiles.size()))];
    const double x = random.chance(0.7) ? tile.low_x + random.uniform(-0.03, 0.03) : random.uniform(-1.5, 1.5);
    const double z = random.chance(0.7) ? tile.low_z + random.uniform(-0.2, 0.2) : random.uniform(-1.5, 1.5);
    body.position.x = float(std::clamp(x, -1.5, 1.5)), body.position.z = float(std::clamp(z, -1.5, 1.5));
    body.position.y -= float(depth);
    return body;
}

double dot(Vec3 a, Vec3 b) { return double(a.x) * double(b.x) + double(a.y) * double(b.y) + double(a.z) * double(b.z); }

// Tiles at two heights: every second column is higher.
std::vector<Tile> steps(double height) {
    std::vector<Tile> tiles = grid(4);
    for (Tile& tile : tiles)
        if (tile.low_x == -1 || tile.low_x == 1) tile.top = height;
    return tiles;
}

}  // namespace

TEST_CASE("seams: no contact on a flat floor of tiles is tilted", "[seams][right]") {
    ShapeStore shapes;
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    const ShapeId whole = add_floor(shapes, grid(1), Of::boxes);
    Random random(1);
    Contacts contacts(shapes);
    std::size_t frames = 0, on_seams = 0, shallow = 0;
    for (const Of of : {Of::boxes, Of::hulls, Of::rounded})
        for (const std::uint32_t cells : {2u, 3u, 5u, 8u, 0u}) {
            const std::vector<Tile> tiles = cells == 0 ? bricks(6, random) : grid(cells);
            const ShapeId floor = add_floor(shapes, tiles, of);
            const float top = of == Of::rounded ? 0.05f : 0.0f;
            for (const ShapeId kind : kinds)
                for (int i = 0; i < 250; ++i) {
                    Body body = near_seam(shapes, kind, tiles, random.uniform(-0.01, 0.03), random);
                    const Manifolds& on_one = contacts(body, whole);
                    // A face of the body may be the normal on one box, too.
                    const double allowed = std::max(tilt_of(on_one), kDegree), depth = deepest(on_one);
                    body.position.y += top;
                    const Manifolds& m = contacts(body, floor);
                    INFO(int(of) << ", " << cells << " cells, " << to_string(kind.kind()) << " at " << body.position.x
                                 << ' ' << body.position.y << ' ' << body.position.z);
                    if (tilt_of(m) > allowed || m.contacts.empty() != on_one.contacts.empty()) {
                        CHECK(tilt_of(m) <= allowed);
                        CHECK(m.contacts.empty() == on_one.contacts.empty());
                    }
                    shallow += depth < INFINITY && deepest(m) > depth + 1e-3;
                    on_seams += m.manifolds.size() > 1;
                    ++frames;
                }
        }
    CHECK(on_seams > frames / 4);
    CHECK(shallow <= frames / 10000);
}

TEST_CASE("seams: steps between tiles keep their contacts", "[seams][right]") {
    ShapeStore shapes;
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    Random random(2);
    Contacts contacts(shapes), contacts_alone(shapes);
    for (const Of of : {Of::boxes, Of::hulls}) {
        const std::vector<Tile> tiles = steps(0.05);
        const ShapeId floor = add_floor(shapes, tiles, of), step = add_floor(shapes, {{1, 2, -2, 2, 0.05}}, of);
        std::size_t checked = 0, lost = 0;
        for (const ShapeId kind : kinds)
            for (int i = 0; i < 1000; ++i) {
                Body body = standing(shapes, kind,
                                     random.chance(0.5) ? about_y(random.uniform(0, 6.28)) : random.orientation());
                Bounds bounds;
                REQUIRE(world_bounds(shapes, std::span<const Body>(&body, 1), {&bounds, 1}));
                // On the low tile, its farthest point along x in the high one at x = 1.
                body.position.x += float(1 + random.uniform(-0.01, 0.02)) - bounds.max.x;
                body.position.y -= float(random.uniform(-0.005, 0.01));
                body.position.z = float(random.uniform(-1.5, 1.5));
                const Manifolds& m = contacts(body, floor);
                const Manifolds& alone = contacts_alone(body, step);
                if (alone.manifolds.empty()) continue;
                const Vec3 normal = alone.manifolds[0].normal;
                double highest = -INFINITY;
                for (const Contact& c : alone.contacts)
                    highest = std::max(highest, double(c.position.y + body.position.y) +
                                                    0.5 * double(c.separation) * double(normal.y));
                if (highest < 1e-3) continue;  // only below the low tiles' surface
                const bool is_there = std::any_of(m.manifolds.begin(), m.manifolds.end(), [&](const Manifold& one) {
                    return tiles[one.child_b].low_x == 1 && dot(one.normal, normal) > 0.999;
                });
                ++checked, lost += !is_there;
            }
        CHECK(checked > 1000);
        // Where a vertex of the body is in the step at the end of a seam of high tiles, each of these two tiles may
        // deny the other one's contact.
        CHECK(lost <= checked / 1000);
    }
}

TEST_CASE("seams: an edge that leans into the corner of a floor and a wall touches both", "[seams][right]") {
    ShapeStore shapes;
    const auto slab = shapes.add_box({1, 0.25f, 1}), wall = shapes.add_box({0.25f, 1, 1}),
               block = shapes.add_box({0.2f, 0.2f, 0.2f});
    REQUIRE((slab && wall && block));
    const CompoundChild children[] = {{*slab, {0, -0.25f, 0}, {}}, {*wall, {1.25f, 0.75f, 0}, {}}};
    const auto floor = shapes.add_compound(children);
    REQUIRE(floor);
    Contacts contacts(shapes);
    for (const double depth : {-1e-4, 0.0, 1e-5, 1e-3}) {
        const double angle = 0.6, reach = 0.2 * (std::sin(angle) + std::cos(angle));
        const Body body = {{float(1 - reach + depth), float(reach - depth), 0},
                           *block,
                           {0, 0, float(std::sin(angle / 2)), float(std::cos(angle / 2))}};
        const Manifolds& m = contacts(body, *floor);
        REQUIRE(m.manifolds.size() == 2);
        CHECK(m.manifolds[0].normal.y < -0.99f);
        CHECK(m.manifolds[1].normal.x > 0.99f);
    }
}

TEST_CASE("seams: (b, a) mirrors (a, b), and a snapshot keeps them", "[seams][symmetric]") {
    ShapeStore shapes;
    const std::vector<ShapeId> kinds = add_kinds(shapes);
    Random random(3);
    const std::vector<Tile> tiles = grid(3);
    const ShapeId floor = add_floor(shapes, tiles, Of::boxes);
    std::vector<std::byte> bytes(shapes.byte_count());
    REQUIRE(shapes.write(bytes) == bytes.size());
    const auto stored = ShapeStore::read(bytes);
    REQUIRE(stored);
    NarrowPhase narrow({.speculative_margin = 0.02f});
    std::size_t different = 0, many = 0;
    for (int i = 0; i < 500; ++i) {
        const Body bodies[] = {near_seam(shapes, kinds[std::size_t(i) % kinds.size()], tiles, 0.02, random),
                               {{0, 0, 0}, floor, {}}};
        const Pair there[] = {{0, 1}}, back[] = {{1, 0}};
        Manifolds m, mirrored, again;
        REQUIRE(narrow.collide({&shapes, bodies, there}, m));
        REQUIRE(narrow.collide({&shapes, bodies, back}, mirrored));
        REQUIRE(narrow.collide({&*stored, bodies, there}, again));
        many += m.manifolds.size() > 1;
        bool is_same = m.manifolds.size() == mirrored.manifolds.size() && m.contacts.size() == again.contacts.size() &&
                       m.contacts.size() == mirrored.contacts.size();
        for (std::size_t k = 0; is_same && k < m.manifolds.size(); ++k)
            is_same = m.manifolds[k].normal.y == -mirrored.manifolds[k].normal.y &&
                      m.manifolds[k].normal == again.manifolds[k].normal;
        for (std::size_t k = 0; is_same && k < m.contacts.size(); ++k)
            is_same = m.contacts[k].separation == mirrored.contacts[k].separation &&
                      m.contacts[k].position == again.contacts[k].position;
        different += !is_same;
    }
    CHECK(different == 0);
    CHECK(many > 20);
}
