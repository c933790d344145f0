// The face of a shape that a ray hits.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

#include <abut/narrow_phase.hpp>

#include "base/double_math.hpp"
#include "queries/rays/rays.hpp"

using namespace abut;

namespace {

using maths::Vec3d;

RayHits answers_of(const Frame& frame, const Rays& rays, const RayOptions& options = {}) {
    NarrowPhase narrow;
    RayHits hits;
    REQUIRE(narrow.raycast(frame, rays, hits, options));
    return hits;
}

// By how much another face's normal is nearer to the hit's than that of `face`.
double by_nearest(const ShapeStore& shapes, ShapeId hull, std::uint32_t face, const Vec3d& normal) {
    const ShapeView view = shapes.view(hull);
    const auto apart = [&](std::uint32_t i) {
        const Vec3d between = maths::to_double(scaled(shapes.hull_face(hull, i), view.scale).normal) - normal;
        return std::sqrt(dot(between, between));
    };
    double least = apart(0);
    for (std::uint32_t i = 1; i < view.hull.faces; ++i) least = std::min(least, apart(i));
    return apart(face) - least;
}

}  // namespace

TEST_CASE("rays: the face of a hull that is hit is the one with the hit's normal", "[rays][faces]") {
    std::size_t judged = 0, rounded = 0, flat = 0;
    for (const bool hard : {false, true}) {
        const rays::RayScene scene = rays::make_rays(ShapeKind::hull, 600, 12, hard);
        const RayHits hits = answers_of(scene.frame(), scene.rays());
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            const Body& body = scene.bodies[scene.pairs[i].b];
            const ShapeView view = scene.shapes.view(body.shape);
            if (!hits.hit(i) || hits.inside[i] != 0 || view.hull.faces == 0) {
                CHECK(hits.face[i] == kNoFace);
                continue;
            }
            REQUIRE(hits.face[i] < view.hull.faces);
            const Vec3d normal =
                transposed_times(maths::rotation(maths::normalised(maths::to_double(body.orientation))),
                                 maths::to_double(hits.normal[i]));
            // A float normal is off by 1e-7, and two faces may be as near to that of an edge.
            CHECK(by_nearest(scene.shapes, body.shape, hits.face[i], normal) < 1e-6);
            ++judged, rounded += view.rounding > 0, flat += view.hull.dimension == 2;
        }
    }
    CHECK(judged > 300);
    CHECK(rounded > 20);
    CHECK(flat > 10);
}

TEST_CASE("rays: faces of all kinds have the numbers of Feature", "[rays][faces]") {
    ShapeStore shapes;
    const std::vector<Vec3> corners = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    const ShapeId box = *shapes.add_box({1, 1, 1}), small = *shapes.add_sphere(0.5f);
    const CompoundChild children[] = {{small, {9, 0, 0}, {}}, {box, {0, 0, 0}, {}}};
    const ShapeId ids[] = {box,
                           *shapes.add_box({1, 1, 1}, {.rounding = 0.25f}),
                           *shapes.add_cylinder(1, 1),
                           *shapes.add_cylinder(1, 1, {.rounding = 0.25f}),
                           *shapes.add_cone(1, 1),
                           *shapes.add_ellipsoid({1, 2, 3}),
                           *shapes.add_halfspace({0, 1, 0}, 0),
                           *shapes.add_sphere(1),
                           *shapes.add_capsule(1, 1),
                           *shapes.add_compound(children),
                           *shapes.add_mesh(corners, std::vector<MeshTriangle>{{{0, 1, 2}}})};
    // A ray along each axis to the origin: from +x, -x, +y, -y, +z, -z.
    constexpr std::uint16_t kNone = kNoFace;
    const std::uint16_t expected[][6] = {{0, 1, 2, 3, 4, 5},
                                         {0, 1, 2, 3, 4, 5},
                                         {2, 2, 0, 1, 2, 2},
                                         {2, 2, 0, 1, 2, 2},
                                         {2, 2, 2, 1, 2, 2},
                                         {2, 2, 2, 2, 2, 2},
                                         {kNone, kNone, 0, kNone, kNone, kNone},  // along the surface, or from inside
                                         {kNone, kNone, kNone, kNone, kNone, kNone},
                                         {kNone, kNone, kNone, kNone, kNone, kNone},
                                         {kNone, 1, 2, 3, 4, 5},
                                         {kNone, kNone, kNone, kNone, kNone, kNone}};
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<Vec3> origins, directions;
    for (std::uint32_t i = 0; i < std::size(ids); ++i) {
        // A quarter turn about X: the shape's y is the world's z, its z the world's -y.
        bodies.push_back({{100.0f * float(i), 0, 0}, ids[i], {std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)}});
        const Vec3 from[] = {{9, 0, 0}, {-9, 0, 0}, {0, 0, 9}, {0, 0, -9}, {0, -9, 0}, {0, 9, 0}};
        for (const Vec3& at : from) {
            pairs.push_back({std::uint32_t(pairs.size()), i});
            origins.push_back({at.x + 100.0f * float(i), at.y, at.z}), directions.push_back({-at.x, -at.y, -at.z});
        }
    }
    const Rays rays = {.origins = origins, .directions = directions};
    const RayHits hits = answers_of({&shapes, bodies, pairs}, rays);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        INFO(to_string(ids[i / 6].kind()) << ", ray " << i % 6);
        CHECK(hits.face[i] == expected[i / 6][i % 6]);
    }
    const std::vector<Pair> twice = {{0, 0}, {0, 0}};
    const RayHits first = answers_of({&shapes, bodies, twice}, rays, {.reduction = RayReduction::first_of_ray});
    CHECK((first.face[0] == 0 && first.face[1] == kNoFace));
}
