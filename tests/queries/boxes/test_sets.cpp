// Promises of find_pairs on two sets, of find_ray_pairs, and of swept_bounds.
#include "queries/boxes/box_scenes.hpp"
#include "support/catch.hpp"
#include "support/count.hpp"

#include <algorithm>
#include <cmath>

#include <abut/host.hpp>

using namespace abut;
using namespace abut::boxes;

namespace {

std::vector<BroadSettings> all_settings() {
    std::vector<BroadSettings> all;
    for (const Isa isa : kAllIsas)
        for (const unsigned threads : {1u, 7u})
            if (is_supported(isa)) all.push_back({.threads = threads, .isa = isa});
    return all;
}

struct Ray {
    DVec3 origin;
    Vec3 direction;
    float length = INFINITY;  // metres
};

// Whether the ray meets the box, in double. By `more` metres larger boxes: what rounding may add.
bool meets(const Ray& ray, const Bounds& box, double more) {
    const double o[3] = {ray.origin.x, ray.origin.y, ray.origin.z},
                 d[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
    const double low[3] = {box.min.x - more, box.min.y - more, box.min.z - more},
                 high[3] = {box.max.x + more, box.max.y + more, box.max.z + more};
    double near = 0,
           far = double(ray.length) / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * (1 + (more > 0 ? 1e-6 : 0));
    for (int axis = 0; axis < 3; ++axis) {
        if (!(low[axis] <= high[axis])) return false;
        if (d[axis] == 0) {
            if (o[axis] < low[axis] || o[axis] > high[axis]) return false;
            continue;
        }
        const double a = (low[axis] - o[axis]) / d[axis], b = (high[axis] - o[axis]) / d[axis];
        near = std::max(near, std::min(a, b)), far = std::min(far, std::max(a, b));
    }
    return near <= far;
}

struct TestRays {
    std::vector<DVec3> origins;
    std::vector<Vec3> directions;
    std::vector<float> lengths;

    explicit TestRays(const std::vector<Ray>& rays) {
        for (const Ray& ray : rays)
            origins.push_back(ray.origin), directions.push_back(ray.direction), lengths.push_back(ray.length);
    }
    BoxRays rays() const { return {.double_origins = origins, .directions = directions, .lengths = lengths}; }
};

// The list has every ray that meets a box, and no other but for rounding. Returns its length.
std::size_t check_rays(const std::vector<Ray>& rays, const std::vector<Bounds>& bounds, double rounding) {
    const TestRays columns(rays);
    std::vector<Pair> first;
    for (const BroadSettings& settings : all_settings()) {
        INFO(to_string(settings.isa) << ", threads " << settings.threads);
        BroadPhase broad(settings);
        PairList list;
        REQUIRE(broad.find_ray_pairs(columns.rays(), {bounds}, list));
        if (first.empty()) first = list.pairs;
        CHECK(list.pairs == first);
    }
    CHECK(
        std::is_sorted(first.begin(), first.end(), [](Pair p, Pair q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }));
    auto at = first.begin();
    test::Count missed, wrong;
    for (std::uint32_t a = 0; a < rays.size(); ++a)
        for (std::uint32_t b = 0; b < bounds.size(); ++b) {
            const bool is_listed = at != first.end() && *at == Pair{a, b};
            at += is_listed;
            missed += meets(rays[a], bounds[b], 0) && !is_listed;
            wrong += is_listed && !meets(rays[a], bounds[b], rounding);
        }
    CHECK(missed == 0);
    CHECK(wrong == 0);
    CHECK(at == first.end());
    return first.size();
}

std::vector<Ray> random_rays(std::size_t count, float world) {
    std::mt19937_64 random(11);
    const auto number = [&](float most) { return most * float(double(random() >> 11) * 0x1p-52 - 1); };
    std::vector<Ray> rays;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = number(world), y = number(world), z = number(world);
        const float dx = number(2), dy = number(2), dz = number(2);
        rays.push_back({{x, y, z}, {dx, dy, dz}, i % 3 == 0 ? INFINITY : world * std::abs(number(1))});
    }
    return rays;
}

}  // namespace

TEST_CASE("two sets have the pairs of the definition") {
    for (const char* name : {"uniform", "sizes"})
        for (const std::size_t count : {0, 1, 40, 1300}) {
            BoxScene a = make_scene(name, 900, 3), b = make_scene(name, count, 4);
            let_move(a, 0.3), let_move(b, 0.6);
            const Boxes first{.bounds = a.bounds, .margin = 0.01f, .moving = a.moving},
                second{.bounds = b.bounds, .moving = b.moving};
            for (const BroadSettings& settings : all_settings()) {
                BroadPhase broad(settings);
                PairList list;
                REQUIRE(broad.find_pairs(first, second, list));
                CHECK(list.pairs == all_pairs(first, second));
                if (count == 1300) CHECK(list.pairs.size() > 300);
                REQUIRE(broad.find_pairs(second, first, list));
                CHECK(list.pairs == all_pairs(second, first));
                REQUIRE(broad.find_pairs(second, second, list));
                CHECK(list.pairs == all_pairs(second, second));
            }
        }
}

TEST_CASE("rays have the boxes that they meet") {
    for (const char* name : {"uniform", "clustered", "huge", "sizes"}) {
        INFO(name);
        const BoxScene scene = make_scene(name, 1500);
        CHECK(check_rays(random_rays(1000, 8.0f), scene.bounds, 1e-4) > 50);
    }
}

TEST_CASE("a box that moves along a ray has the pairs of boxes grown by it, and no others") {
    const BoxScene scene = make_scene("uniform", 1200);
    const std::vector<Ray> rays = random_rays(600, 8.0f);
    const TestRays columns(rays);
    std::vector<Vec3> halves;
    for (std::size_t i = 0; i < rays.size(); ++i)
        halves.push_back({0.125f * float(i % 3), 0.25f * float(i % 2), 0.0625f * float(i % 5)});
    BoxRays swept = columns.rays();
    swept.half_extents = halves;
    std::size_t pairs = 0;
    for (std::size_t kind = 0; kind < 30; ++kind) {
        // Rays of equal half extents, against boxes that have been grown by them: halves and bounds are exact.
        std::vector<Bounds> grown;
        for (Bounds box : scene.bounds) {
            const Vec3 half = halves[kind];
            box.min = {box.min.x - half.x, box.min.y - half.y, box.min.z - half.z};
            box.max = {box.max.x + half.x, box.max.y + half.y, box.max.z + half.z};
            grown.push_back(box);
        }
        for (const BroadSettings& settings : all_settings()) {
            BroadPhase broad(settings);
            PairList list;
            REQUIRE(broad.find_ray_pairs(swept, {scene.bounds}, list));
            std::size_t at = 0;
            test::Count missed, wrong;
            for (std::uint32_t a = 0; a < rays.size(); ++a)
                for (std::uint32_t b = 0; b < grown.size(); ++b) {
                    const bool is_listed = at < list.pairs.size() && list.pairs[at] == Pair{a, b};
                    at += is_listed;
                    if (a % 30 != kind) continue;
                    missed += meets(rays[a], grown[b], -1e-6) && !is_listed;
                    wrong += is_listed && !meets(rays[a], grown[b], 1e-4);
                    pairs += is_listed;
                }
            CHECK(missed == 0);
            CHECK(wrong == 0);
            if (kind != 1) break;  // one kind with all settings
        }
    }
    CHECK(pairs > 500);
    // Bad half extents.
    halves[3].x = -1, halves[4].y = NAN, halves[5].z = INFINITY;
    BroadPhase broad;
    PairList list;
    REQUIRE(broad.find_ray_pairs(swept, {scene.bounds}, list));
    CHECK(list.bad_a == std::vector<std::uint32_t>{3, 4, 5});
}

TEST_CASE("rays along axes, faces and edges meet what they touch") {
    std::vector<Bounds> bounds;
    for (int x = 0; x < 5; ++x)
        for (int y = 0; y < 5; ++y)
            for (int z = 0; z < 5; ++z)
                bounds.push_back({{2.0f * float(x), 2.0f * float(y), 2.0f * float(z)},
                                  {2.0f * float(x) + 1, 2.0f * float(y) + 1, 2.0f * float(z) + 1}});
    std::vector<Ray> rays;
    for (const float d : {1.0f, -1.0f, 1e-30f, -3e38f}) {
        rays.push_back({{0, 0.5, 0.5}, {d, 0, 0}});
        rays.push_back({{1, 2, 3}, {d, 0, 0}});    // along an edge
        rays.push_back({{0, 1, 0.5}, {0, 0, d}});  // on a face
        rays.push_back({{-1, -1, -1}, {std::abs(d), std::abs(d), std::abs(d)}});
        rays.push_back({{1.5, 1.5, 1.5}, {d, 0, 0}});      // between the boxes
        rays.push_back({{1, 0.5, 0.5}, {d, 0, 0}, 0.0f});  // a point on a face
        rays.push_back({{2, 0, 0}, {-std::abs(d), 0, 0}, 0.5f / std::abs(d)});
        rays.push_back({{0.5, -0.0, 0.5}, {0.0f, d, -0.0f}});
    }
    CHECK(check_rays(rays, bounds, 1e-6) > 60);
}

TEST_CASE("rays meet infinite boxes, and start anywhere") {
    BoxScene scene = make_scene("uniform", 300);
    scene.bounds[7] = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 0, INFINITY}};
    scene.bounds[8] = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    std::vector<Ray> rays = random_rays(100, 30.0f);
    rays.push_back({{0, 5, 0}, {0, 1, 0}});  // away from the half-space
    rays.push_back({{0, 5, 0}, {1, -1e-20f, 0}});
    rays.push_back({{1e9 + 0.3, 1e9 + 0.7, 1e9}, {-1, -1, -1}});
    check_rays(rays, scene.bounds, 200);
}

TEST_CASE("boxes and rays far from the origin are relative to one point") {
    BoxScene scene = make_scene("uniform", 500);
    std::vector<Ray> rays = random_rays(100, 10.0f);
    const TestRays near(rays);
    const DVec3 origin = {4e9, -3e9, 5e9};
    for (Ray& ray : rays) ray.origin = {ray.origin.x + origin.x, ray.origin.y + origin.y, ray.origin.z + origin.z};
    const TestRays far(rays);
    BoxRays moved = far.rays();
    moved.boxes_origin = origin;
    BroadPhase broad;
    PairList list, again;
    REQUIRE(broad.find_ray_pairs(near.rays(), {scene.bounds}, list));
    REQUIRE(broad.find_ray_pairs(moved, {scene.bounds}, again));
    CHECK(list.pairs.size() > 50);
    CHECK(list.pairs == again.pairs);
}

TEST_CASE("rays obey groups and masks") {
    const BoxScene scene = make_scene("uniform", 500);
    const TestRays columns(random_rays(60, 10.0f));
    std::vector<std::uint32_t> groups, ray_masks;
    for (std::uint32_t i = 0; i < 500; ++i) groups.push_back(1u << i % 2);
    for (std::uint32_t i = 0; i < 60; ++i) ray_masks.push_back(1u << i % 3);
    BroadPhase broad;
    PairList list, some;
    REQUIRE(broad.find_ray_pairs(columns.rays(), {scene.bounds}, list));
    BoxRays rays = columns.rays();
    rays.masks = ray_masks;
    REQUIRE(broad.find_ray_pairs(rays, {.bounds = scene.bounds, .groups = groups}, some));
    std::erase_if(list.pairs, [](Pair p) { return p.a % 3 != p.b % 2; });
    CHECK(some.pairs == list.pairs);
    CHECK(some.pairs.size() > 20);
}

TEST_CASE("swept bounds contain a body at every time of its motion") {
    ShapeStore shapes;
    const ShapeId plank = *shapes.add_box({2, 0.1f, 0.3f}), wall = *shapes.add_halfspace({0, 1, 0}, 0.0f);
    std::mt19937_64 random(3);
    const auto number = [&](float most) { return most * float(double(random() >> 11) * 0x1p-52 - 1); };
    std::vector<Body> start, end;
    std::vector<Vec3> centers;
    for (int i = 0; i < 300; ++i) {
        const auto pose = [&](float spread) {
            Quat q = {number(1), number(1), number(1), number(1)};
            const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            const float x = number(spread), y = number(spread), z = number(spread);
            return Body{{x, y, z}, plank, {q.x / length, q.y / length, q.z / length, q.w / length}};
        };
        start.push_back(pose(3)), end.push_back(pose(3));
        centers.push_back(i % 2 == 0 ? Vec3{} : Vec3{number(2), number(1), number(1)});
    }
    start[0].shape = wall, end[0] = start[0], end[0].position.y = -4;
    end[1].orientation = {NAN, 0, 0, 1};
    std::vector<Bounds> swept(300), now(300);
    REQUIRE(swept_bounds(shapes, start, end, swept, {}, centers));
    CHECK(swept[0].max.y >= start[0].position.y);
    CHECK(swept[0].min.x == -INFINITY);
    CHECK(swept[1] == Bounds{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}});
    const auto rotated = [](const Quat& q, Vec3 v) {
        const double tx = 2 * (double(q.y) * v.z - double(q.z) * v.y), ty = 2 * (double(q.z) * v.x - double(q.x) * v.z),
                     tz = 2 * (double(q.x) * v.y - double(q.y) * v.x);
        return DVec3{v.x + q.w * tx + (q.y * tz - q.z * ty), v.y + q.w * ty + (q.z * tx - q.x * tz),
                     v.z + q.w * tz + (q.x * ty - q.y * tx)};
    };
    double outside = 0, slack = 0;
    for (int t = 0; t <= 32; ++t) {
        const float time = float(t) / 32;
        std::vector<Body> at = start;
        for (std::size_t i = 2; i < at.size(); ++i) {
            const Quat p = start[i].orientation, q = end[i].orientation;
            float dot = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
            const float sign = dot < 0 ? -1.0f : 1.0f, angle = std::acos(std::min(1.0f, std::abs(dot)));
            const float a = angle < 1e-3f ? 1 - time : std::sin((1 - time) * angle) / std::sin(angle);
            const float b = sign * (angle < 1e-3f ? time : std::sin(time * angle) / std::sin(angle));
            at[i].orientation = {a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z, a * p.w + b * q.w};
            const DVec3 c0 = rotated(p, centers[i]), c1 = rotated(q, centers[i]),
                        c = rotated(at[i].orientation, centers[i]);
            const auto along = [&](float x0, double o0, float x1, double o1, double o) {
                return float((1 - time) * (x0 + o0) + time * (x1 + o1) - o);
            };
            at[i].position = {along(start[i].position.x, c0.x, end[i].position.x, c1.x, c.x),
                              along(start[i].position.y, c0.y, end[i].position.y, c1.y, c.y),
                              along(start[i].position.z, c0.z, end[i].position.z, c1.z, c.z)};
        }
        REQUIRE(world_bounds(shapes, at, now));
        for (std::size_t i = 2; i < at.size(); ++i) {
            for (const double past : {double(swept[i].min.x) - now[i].min.x, double(swept[i].min.y) - now[i].min.y,
                                      double(swept[i].min.z) - now[i].min.z, double(now[i].max.x) - swept[i].max.x,
                                      double(now[i].max.y) - swept[i].max.y, double(now[i].max.z) - swept[i].max.z})
                outside = std::max(outside, past);
            slack = std::max(slack, double(swept[i].max.x - swept[i].min.x));
        }
    }
    CHECK(outside < 1e-5);
    CHECK(slack < 25);
}

TEST_CASE(
    "swept bounds are those of both poses, widened by the arc of the farthest corner about any centre of rotation") {
    ShapeStore shapes;
    const Vec3 half = {2, 0.05f, 0.1f};
    const ShapeId plank = *shapes.add_box(half);
    std::mt19937_64 random(23);
    const auto number = [&](double most) { return most * (double(random() >> 11) * 0x1p-52 - 1); };
    const auto vector = [&](double most) {
        const double x = number(most), y = number(most), z = number(most);
        return DVec3{x, y, z};
    };
    struct Turn {
        double x, y, z, w;
    };
    const auto turn = [&](double angle) {
        const DVec3 v = vector(1);
        const double s = std::sin(angle / 2) / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        return Turn{s * v.x, s * v.y, s * v.z, std::cos(angle / 2)};
    };
    const auto after = [](const Turn& p, const Turn& q) {
        return Turn{p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                    p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
    };
    // By the rotation matrix.
    const auto rotated = [](const Turn& q, const DVec3& v) {
        const auto [x, y, z, w] = q;
        return DVec3{(1 - 2 * (y * y + z * z)) * v.x + 2 * (x * y - w * z) * v.y + 2 * (x * z + w * y) * v.z,
                     2 * (x * y + w * z) * v.x + (1 - 2 * (x * x + z * z)) * v.y + 2 * (y * z - w * x) * v.z,
                     2 * (x * z - w * y) * v.x + 2 * (y * z + w * x) * v.y + (1 - 2 * (x * x + y * y)) * v.z};
    };
    struct Box {
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        void add(const DVec3& p) {
            const double at[3] = {p.x, p.y, p.z};
            for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], at[i]), high[i] = std::max(high[i], at[i]);
        }
    };
    const auto add_corners = [&](const DVec3& position, const Turn& q, Box& box) {
        for (int corner = 0; corner < 8; ++corner) {
            const DVec3 local = {(corner & 1 ? 1 : -1) * double(half.x), (corner & 2 ? 1 : -1) * double(half.y),
                                 (corner & 4 ? 1 : -1) * double(half.z)};
            const DVec3 v = rotated(q, local);
            box.add({position.x + v.x, position.y + v.y, position.z + v.z});
        }
    };
    const DVec3 origin = {3, -20, 11};
    constexpr std::size_t kBodies = 600;
    std::vector<Body> start, end;
    std::vector<Vec3> centers;
    std::vector<Box> expected, reached;
    for (std::size_t i = 0; i < kBodies; ++i) {
        const double angle = 0.1 + 3 * std::abs(number(1));
        const Turn from = turn(3), to = after(turn(angle), from);
        const DVec3 at = vector(9), by = vector(i % 2 == 0 ? 0.1 : 2),
                    c = i % 3 == 0 ? DVec3{i % 2 == 0 ? 2.0 : -2.0, 0, 0} : vector(2.5);
        const auto position = [](const DVec3& p) { return Vec3{float(p.x), float(p.y), float(p.z)}; };
        const auto orientation = [](const Turn& q) { return Quat{float(q.x), float(q.y), float(q.z), float(q.w)}; };
        // The centre of rotation moves along a line.
        const DVec3 before = rotated(from, c), later = rotated(to, c);
        const DVec3 centre = {at.x + before.x, at.y + before.y, at.z + before.z};
        const DVec3 end_at = {centre.x + by.x - later.x, centre.y + by.y - later.y, centre.z + by.z - later.z};
        start.push_back({position(at), plank, orientation(from)}),
            end.push_back({position(end_at), plank, orientation(to)});
        centers.push_back(position(c));
        Box first, box;
        add_corners(at, from, first), add_corners(end_at, to, box);
        const double apart[3] = {std::max(centre.x - first.low[0], first.high[0] - centre.x),
                                 std::max(centre.y - first.low[1], first.high[1] - centre.y),
                                 std::max(centre.z - first.low[2], first.high[2] - centre.z)};
        const double more = std::hypot(apart[0], apart[1], apart[2]) * (1 - std::cos(angle / 2));
        box.add({first.low[0], first.low[1], first.low[2]}), box.add({first.high[0], first.high[1], first.high[2]});
        for (int axis = 0; axis < 3; ++axis) box.low[axis] -= more, box.high[axis] += more;
        expected.push_back(box);
        // On its way: the rotation by a part of the angle about the same axis.
        Box way;
        const Turn whole = after(to, {-from.x, -from.y, -from.z, from.w});
        const double s = std::sqrt(whole.x * whole.x + whole.y * whole.y + whole.z * whole.z);
        for (int step = 0; step <= 24; ++step) {
            const double time = step / 24.0, part = std::sin(time * angle / 2) / s;
            const Turn now = after({part * whole.x, part * whole.y, part * whole.z, std::cos(time * angle / 2)}, from);
            const DVec3 off = rotated(now, c);
            add_corners(
                {centre.x + time * by.x - off.x, centre.y + time * by.y - off.y, centre.z + time * by.z - off.z}, now,
                way);
        }
        reached.push_back(way);
    }
    std::vector<Bounds> swept(kBodies);
    REQUIRE(swept_bounds(shapes, start, end, swept, origin, centers));
    double off = 0, outside = -INFINITY, least_slack = INFINITY;
    const double from[3] = {origin.x, origin.y, origin.z};
    for (std::size_t i = 0; i < kBodies; ++i) {
        const float low[3] = {swept[i].min.x, swept[i].min.y, swept[i].min.z},
                    high[3] = {swept[i].max.x, swept[i].max.y, swept[i].max.z};
        for (int axis = 0; axis < 3; ++axis) {
            off = std::max({off, std::abs(expected[i].low[axis] - from[axis] - low[axis]),
                            std::abs(expected[i].high[axis] - from[axis] - high[axis])});
            const double past = std::max(low[axis] + from[axis] - reached[i].low[axis],
                                         reached[i].high[axis] - high[axis] - from[axis]);
            outside = std::max(outside, past), least_slack = std::min(least_slack, -past);
        }
    }
    CHECK(off < 2e-5);
    CHECK(outside < 1e-5);
    CHECK(least_slack < 0.01);  // some bodies fill their bounds
}
