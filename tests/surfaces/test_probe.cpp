// The bounds that decide which triangles of a surface a body is computed against: none is left out that is within the
// reach, few are kept that are not.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

#include <abut/shape_store.hpp>

#include "shapes/tables.hpp"
#include "support/count.hpp"
#include "support/exact_scenes.hpp"
#include "support/oracle/oracle.hpp"
#include "surfaces/triangles/probe.hpp"

using namespace abut;

namespace {

struct Convex {
    ShapeId id;
    oracle::Solid solid;
};

struct Shapes {
    ShapeStore store;
    std::vector<Convex> all;

    explicit Shapes(float size) {
        const auto add = [&](const Expected<ShapeId>& id, oracle::Solid solid) {
            all.push_back({*id, std::move(solid)});
        };
        const std::vector<Vec3> points = {{size, 0, 0},
                                          {-size, 0.2f * size, 0},
                                          {0, size, 0.3f * size},
                                          {0.1f * size, -size, 0},
                                          {0, 0.3f * size, size},
                                          {0, 0, -size},
                                          {0.5f * size, 0.5f * size, 0.5f * size}};
        add(store.add_sphere(size), oracle::sphere(size));
        add(store.add_capsule(0.3f * size, size), oracle::capsule(0.3f * size, size));
        add(store.add_box({size, 0.4f * size, 0.7f * size}), oracle::box({size, 0.4f * size, 0.7f * size}));
        add(store.add_box({size, 0.01f * size, 0.7f * size}, {.rounding = 0.2f * size}),
            oracle::box({size, 0.01f * size, 0.7f * size}, 0.2f * size));
        add(store.add_hull(points), oracle::hull(points));
        add(store.add_cylinder(0.6f * size, size), oracle::cylinder(0.6f * size, size));
        add(store.add_cone(0.6f * size, size), oracle::cone(0.6f * size, size));
        add(store.add_ellipsoid({size, 0.3f * size, 0.6f * size}), oracle::ellipsoid({size, 0.3f * size, 0.6f * size}));
    }
};

Vec3 point_about(scenes::Random& random, double size) {
    return {float(random.in(-size, size)), float(random.in(-size, size)), float(random.in(-size, size))};
}

// Of any form: some needles, some without an area.
SurfaceCorners some_triangle(scenes::Random& random, double size) {
    SurfaceCorners corners;
    for (Vec3& v : corners.at) v = point_about(random, size * std::pow(10.0, random.in(-1, 2)));
    const Vec3 a = corners.at[0], b = corners.at[1];
    if (random.chance(0.2))
        corners.at[2] = {b.x + float(1e-4 * size * random.in(-1, 1)), b.y, b.z + float(1e-4 * size * random.in(-1, 1))};
    if (random.chance(0.05)) corners.at[2] = {0.5f * (a.x + b.x), 0.5f * (a.y + b.y), 0.5f * (a.z + b.z)};
    return corners;
}

float axis_of(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// The lower bounds of a walk down a tree on the distance of a body from a triangle's box.
struct DistanceBounds {
    double distance, signed_distance;

    DistanceBounds(const Volume& volume, const SurfaceCorners& corners) {
        SixteenBoxes boxes = {};
        for (int axis = 0; axis < 3; ++axis) {
            const auto [low, high] =
                std::minmax({axis_of(corners.at[0], axis), axis_of(corners.at[1], axis), axis_of(corners.at[2], axis)});
            std::fill_n(boxes.low[axis], 16, low), std::fill_n(boxes.high[axis], 16, high);
        }
        float bounds[SixteenBoxes::kWidth];
        lower_bounds(boxes, volume, bounds);
        distance = std::sqrt(bounds[5]) - (volume.is_ball() ? double(radius_of(volume)) : 0.0);
        deep_bounds(boxes, volume, bounds);
        signed_distance = bounds[5] < 0 ? double(bounds[5]) : std::sqrt(double(bounds[5]));
    }
};

}  // namespace

TEST_CASE("probe: bounds of boxes are not above the distance, and those of turned boxes are tighter", "[surfaces]") {
    const float size = GENERATE(1.0f, 1e-3f, 500.0f);
    const Shapes shapes(size);
    const ShapeTables& tables = tables_of(shapes.store);
    scenes::Random random(32);
    for (const Convex& body : shapes.all) {
        std::size_t too_high = 0, apart = 0, tighter = 0;
        for (int i = 0; i < 2000; ++i) {
            const Quat orientation = random.orientation();
            const Vec3 position = point_about(random, 4.0 * size);
            const SurfaceCorners corners = some_triangle(random, size);
            const PoseD pose = {maths::rotation(maths::to_double(orientation)), maths::to_double(position)};
            const double distance =
                oracle::signed_distance(body.solid, oracle::pose_of({position, body.id, orientation}),
                                        oracle::hull({corners.at[0], corners.at[1], corners.at[2]}), oracle::Pose{})
                    .signed_distance;
            Volume volume = probe_of(tables, body.id, pose, true).volume;
            const DistanceBounds bounds(volume, corners);
            volume.kind = Volume::Kind::box;
            too_high += bounds.distance > std::max(distance, 0.0) + 1e-6 * size ||
                        bounds.signed_distance > distance + 1e-6 * size;
            apart += distance > 0.1 * size;
            tighter +=
                distance > 0.1 * size && bounds.distance > DistanceBounds(volume, corners).distance + 0.05 * size;
        }
        INFO("kind " << int(body.id.kind()) << ", size " << size);
        CHECK(too_high == 0);
        CHECK(apart > 300);
        CHECK((body.id.kind() == ShapeKind::sphere || tighter > apart / 10));
    }
}

TEST_CASE("probe: triangles that are left out are beyond the reach, and no upper bound of a distance is too low",
          "[surfaces]") {
    const float size = GENERATE(1.0f, 1e-3f, 500.0f);
    const Shapes shapes(size);
    const ShapeTables& tables = tables_of(shapes.store);
    scenes::Random random(31);
    for (const Convex& body : shapes.all) {
        std::size_t apart = 0, left_out = 0, overlaps = 0, seen = 0;
        test::Count wrong, too_low, mistaken;
        for (int i = 0; i < 3000; ++i) {
            const Quat orientation = random.orientation();
            const Vec3 position = point_about(random, 2.0 * size);
            const SurfaceCorners corners = some_triangle(random, size);
            const PoseD pose = {maths::rotation(maths::to_double(orientation)), maths::to_double(position)};
            const oracle::Solid triangle = oracle::hull({corners.at[0], corners.at[1], corners.at[2]});
            const double distance =
                oracle::signed_distance(body.solid, oracle::pose_of({position, body.id, orientation}), triangle,
                                        oracle::Pose{})
                    .signed_distance;
            const double reach = random.chance(0.5) ? 0.02 * size : 0.5 * size * random.unit(), rounding = 1e-6 * size;
            const Probe probe = probe_of(tables, body.id, pose, true);
            const bool may =
                may_be_within(probe, corners, reach) && !is_apart_from_middle(tables, probe, corners, reach);
            wrong += !may && distance < reach - rounding;
            too_low += distance_at_most(tables, probe, corners, 0.0f) < distance - rounding;
            const bool is_far = distance > reach + 0.2 * size;
            apart += is_far;
            left_out += is_far && !may;
            // Without rounding the box is the shape.
            if (body.id.kind() != ShapeKind::box) continue;
            const bool is_deep = probe.box.radius == 0 && distance < -1e-3 * size;
            mistaken += probe.box_axes.surely_overlaps(corners) && distance > 0;
            overlaps += is_deep;
            seen += is_deep && probe.box_axes.surely_overlaps(corners);
        }
        INFO("kind " << int(body.id.kind()) << ", size " << size);
        CHECK(wrong == 0);
        CHECK(too_low == 0);
        CHECK(apart > 300);
        CHECK(left_out > apart * 9 / 10);
        CHECK(mistaken == 0);
        CHECK(seen >= overlaps * 99 / 100);
    }
}
