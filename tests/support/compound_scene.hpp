// Compounds and convex bodies in random company, and what the oracle says of them: the nearest of all pairs of
// children.
#pragma once

#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "scenes/scene.hpp"

namespace abut::test {

struct ScenePart {
    std::uint32_t solid;
    Vec3 position;
    Quat orientation;
};

// A body's parts as the oracle sees them; a convex body is its own.
struct CompoundScene {
    scenes::Scene convex;  // the store, and its convex shapes as the oracle knows them
    std::vector<ShapeId> compounds;
    std::vector<std::vector<ScenePart>> parts_of;  // by compound
    std::vector<std::vector<ScenePart>> parts;     // by body
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<float> margins;  // by pair; empty where the caller of `collide` has one for all

    Frame frame() const { return {&convex.shapes, bodies, pairs, margins, {}}; }

    void add_body(ShapeId shape, const std::vector<ScenePart>& body_parts, Vec3 position, Quat orientation) {
        bodies.push_back({position, shape, orientation});
        parts.push_back(body_parts);
    }

    oracle::Pose pose(std::uint32_t body, std::size_t part) const {
        const oracle::Pose whole = oracle::pose_of(bodies[body]);
        const ScenePart& p = parts[body][part];
        const oracle::Rotation turn = oracle::rotation_of(p.orientation), &r = whole.rotation;
        const auto column = [&](double x, double y, double z) { return r * (turn * oracle::Vec3d{x, y, z}); };
        const oracle::Vec3d x = column(1, 0, 0), y = column(0, 1, 0), z = column(0, 0, 1);
        return {whole.position + r * oracle::Vec3d(p.position), {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    }
    const oracle::Solid& solid(std::uint32_t body, std::size_t part) const {
        return convex.solids[parts[body][part].solid];
    }

    // The pair as a line of `abut query`.
    std::string query_line(std::size_t pair) const {
        const auto children = [&](std::uint32_t body) {
            std::vector<oracle::Child> all;
            for (const ScenePart& part : parts[body])
                all.push_back({convex.solids[part.solid].shape, part.position, part.orientation});
            return all;
        };
        const Pair p = pairs[pair];
        return oracle::query_line(convex.name + "/" + std::to_string(pair), children(p.a), bodies[p.a], children(p.b),
                                  bodies[p.b]);
    }

    double distance(Pair pair, std::size_t a, std::size_t b) const {
        return oracle::signed_distance(solid(pair.a, a), pose(pair.a, a), solid(pair.b, b), pose(pair.b, b))
            .signed_distance;
    }
    double tolerance(Pair pair, std::size_t a, std::size_t b, double distance) const {
        return oracle::tolerance(solid(pair.a, a), solid(pair.b, b), distance);
    }
    double contact_slack(Pair pair, std::size_t a, std::size_t b) const {
        return oracle::contact_slack(solid(pair.a, a), solid(pair.b, b));
    }

    // Of all pairs of parts, those of B within those of A.
    std::vector<double> distances(Pair pair) const {
        std::vector<double> all;
        for (std::size_t a = 0; a < parts[pair.a].size(); ++a)
            for (std::size_t b = 0; b < parts[pair.b].size(); ++b) all.push_back(distance(pair, a, b));
        return all;
    }

    // The claim as of this pair of parts, whose points are relative to the part's own place.
    oracle::Verdict check(Pair pair, std::size_t a, std::size_t b, oracle::Claim claim, double known) const {
        const oracle::Vec3d shift = pose(pair.a, a).position - oracle::Vec3d(bodies[pair.a].position);
        for (Vec3* p : {&claim.point_a, &claim.point_b}) {
            const oracle::Vec3d moved = oracle::Vec3d(*p) - shift;
            *p = {float(moved.x), float(moved.y), float(moved.z)};
        }
        return oracle::check_answer(solid(pair.a, a), pose(pair.a, a), solid(pair.b, b), pose(pair.b, b), claim, known);
    }
};

enum class Kinds { polytopes, all };

inline oracle::Shape random_shape(scenes::Random& random, double size, Kinds kinds) {
    const auto length = [&] { return float(size * random.uniform(0.3, 1)); };
    oracle::Shape shape;
    shape.rounding = random.chance(0.2) ? length() / 8 : 0.0f;
    shape.radius = length() / 2;
    shape.half_height = length();
    shape.half_extents.x = length(), shape.half_extents.y = length(), shape.half_extents.z = length();
    shape.kind = ShapeKind(random.below(kinds == Kinds::all ? 7 : 4));
    for (int i = 0; i < 10 && shape.kind == ShapeKind::hull; ++i) {
        const oracle::Vec3d p = random.direction() * size;
        shape.points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    return shape;
}

// Compounds of `most` children at most, with convex bodies (half-spaces among them, where all kinds are wanted) and
// with each other, about half of them hitting; `at` is where the world is.
inline CompoundScene make_compounds(std::size_t pairs, std::uint32_t most, std::uint64_t seed, Vec3 at = {},
                                    Kinds kinds = Kinds::polytopes) {
    CompoundScene scene;
    scenes::Random random(seed);
    for (int i = 0; i < 40; ++i) scene.convex.add_solid(random_shape(random, random.chance(0.1) ? 0.02 : 0.25, kinds));
    oracle::Shape plane;
    plane.kind = ShapeKind::halfspace;
    scene.convex.add_solid(plane);
    for (int i = 0; i < 20; ++i) {
        std::vector<ScenePart> parts;
        std::vector<CompoundChild> children;
        for (std::uint32_t n = 1 + random.below(most); n > 0; --n) {
            const double away = random.uniform();
            const oracle::Vec3d p = random.direction() * away;
            parts.push_back({random.below(40),
                             {float(p.x), float(p.y), float(p.z)},
                             random.chance(0.3) ? Quat{} : random.orientation()});
            children.push_back({scene.convex.ids[parts.back().solid], parts.back().position, parts.back().orientation});
        }
        scene.compounds.push_back(*scene.convex.shapes.add_compound(children));
        scene.parts_of.push_back(parts);
    }
    const auto add = [&](bool compound, const oracle::Vec3d& p) {
        const bool halfspace = !compound && kinds == Kinds::all && random.chance(0.2);
        const std::uint32_t i = halfspace ? 40 : random.below(compound ? 20 : 40);
        const Vec3 position = {float(at.x + p.x), float(at.y + p.y), float(at.z + p.z)};
        if (compound)
            scene.add_body(scene.compounds[i], scene.parts_of[i], position, random.orientation());
        else
            scene.add_body(scene.convex.ids[i], {{i, {}, {}}}, position, random.orientation());
    };
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const bool both = random.chance(0.5), first = random.chance(0.5);
        const double apart = (most < 5 ? 0.28 : 0.9) * random.uniform();
        add(both || first, {0, 0, 0});
        add(both || !first, random.direction() * apart);
        scene.pairs.push_back({2 * i, 2 * i + 1});
    }
    return scene;
}

}  // namespace abut::test
