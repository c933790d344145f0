// Awkward pairs, see scene.hpp: each is a family of poses applied to two awkward shapes.
#include <algorithm>
#include <array>

#include "scenes/hard_shapes.hpp"
#include "scenes/kinds.hpp"
#include "scenes/placing.hpp"
#include "scenes/poses.hpp"
#include "scenes/random.hpp"
#include "scenes/scene.hpp"

namespace abut::scenes {
namespace {

using oracle::Solid;
using oracle::Vec3d;

constexpr std::uint32_t kShapesAKind = 16 * kFormsAScale;
constexpr double kLargestRatio = 1e4;

struct Family {
    const char* name;
    Poses (*place)(const Solid& a, const Solid& b, Random& random);
};
constexpr Family kFamilies[] = {
    {"coincident", coincident},
    {"concentric", concentric},
    {"deep", deep},
    {"resting", resting},
    {"resting", resting},
    {"nearly parallel", nearly_parallel},
    {"features meet", features_meet},
    {"near touching", near_touching},
    {"near touching, parallel", near_touching_parallel},
    {"far apart", far_apart},
};
// Where one of the shapes has an axis, these are as many again.
constexpr Family kOnAxis = {"on an axis", on_axis}, kOverPlane = {"over a plane", over_plane};

bool is_plane(const Solid& solid) { return solid.form == oracle::Form::halfspace; }

const Family& choose_family(const Solid& a, const Solid& b, Random& random) {
    if (is_plane(a) || is_plane(b)) return kOverPlane;
    const bool curved = a.shape.kind >= ShapeKind::cylinder || b.shape.kind >= ShapeKind::cylinder;
    if (curved && random.chance(0.3)) return kOnAxis;
    return kFamilies[random.below(std::size(kFamilies))];
}

// Where the pair is in the world: mostly at the origin, else as far out as float32 still resolves the pair's own sizes,
// or 1e6.
Vec3d place_in_world(const Solid& a, const Solid& b, Random& random) {
    const std::uint32_t choice = random.below(8);
    // Nothing stops what is rounded to a place deep beneath a plane, where float32 cannot hold its depth to within the
    // bound.
    const bool plane = is_plane(a) || is_plane(b);
    if (choice == 0) return random.direction() * (plane ? std::min(1e6, 1e5 * smaller_size(a, b)) : 1e6);
    if (choice == 1) return random.direction() * std::min(1e6, 1e3 * std::max(a.size, b.size));
    return {};
}

// A point beside a half-space has a bound of 0; a plane is no farther off its origin than float32 resolves the other's
// size.
bool within_ratio(const Solid& a, const Solid& b) {
    if (is_plane(a) || is_plane(b)) {
        const double size = smaller_size(a, b), offset = std::fabs((is_plane(a) ? a : b).curved.offset);
        return size > 0 && offset <= 10 * kLargestRatio * size;
    }
    return a.size == 0 || b.size == 0 || (a.size <= kLargestRatio * b.size && b.size <= kLargestRatio * a.size);
}

struct Choice {
    std::uint32_t a, b;
};

// A scene's solids are a list of kShapesAKind of each of its kinds; a pair takes A from one list and B from another or
// the same. Neighbours in the lists have the same scale; most pairs should.
Choice choose_shapes(const Scene& scene, std::uint32_t list_a, std::uint32_t list_b, Random& random) {
    for (;;) {
        const std::uint32_t a = random.below(kShapesAKind);
        const std::uint32_t nearby = a / kFormsAScale * kFormsAScale + random.below(kFormsAScale);
        const std::uint32_t b = list_a == list_b && random.chance(0.15) ? a
                                : random.chance(0.6)                    ? nearby
                                                                        : random.below(kShapesAKind);
        const Choice choice{list_a * kShapesAKind + a, list_b * kShapesAKind + b};
        if (within_ratio(scene.solids[choice.a], scene.solids[choice.b])) return choice;
    }
}

void make_pair(Scene& scene, std::size_t pair, const Choice& solid, Random& random) {
    const Solid &a = scene.solids[solid.a], &b = scene.solids[solid.b];
    const Family& family = choose_family(a, b, random);
    Poses placed = family.place(a, b, random);
    if (random.chance(0.1)) placed.orientation_b = negated(placed.orientation_b);
    const Vec3d world = place_in_world(a, b, random);
    scene.set_pair(pair, solid.a, world + placed.position_a, placed.orientation_a, solid.b, world + placed.position_b,
                   placed.orientation_b, family.name);
}

// choose(random) gives a pair's two lists.
template <class ChooseLists>
Scene make_scene(std::string name, std::span<const ShapeKind> kinds, std::size_t pairs, std::uint64_t seed,
                 ChooseLists choose) {
    Scene scene;
    scene.name = std::move(name);
    Random shapes(seed);
    for (const ShapeKind kind : kinds)
        for (const oracle::Shape& shape : hard_shapes(kind, kShapesAKind, shapes)) scene.add_solid(shape);
    scene.resize(pairs);
    on_all_cores(pairs, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            Random random(seed, i);
            const auto [list_a, list_b] = choose(random);
            make_pair(scene, i, choose_shapes(scene, list_a, list_b, random), random);
        }
    });
    scene.compute_reference();
    return scene;
}

}  // namespace

Scene make_hard(ShapeKind kind_a, ShapeKind kind_b, std::size_t pairs, std::uint64_t seed) {
    const std::string name = std::string("hard ") + to_string(kind_a) + "-" + to_string(kind_b);
    seed = Random(seed, std::uint64_t(kind_a) * 16 + std::uint64_t(kind_b)).bits();
    if (kind_a == kind_b) return make_scene(name, std::array{kind_a}, pairs, seed, [](Random&) { return Lists{0, 0}; });
    return make_scene(name, std::array{kind_a, kind_b}, pairs, seed, [](Random&) { return Lists{0, 1}; });
}

Scene make_medley(std::size_t pairs, std::uint64_t seed) {
    return make_scene("medley", kAllKinds, pairs, seed, [](Random& random) {
        if (random.chance(0.5)) return Lists{random.below(kPolytopeKinds), random.below(kPolytopeKinds)};
        return two_kinds(random);
    });
}

Scene make_polytope_medley(std::size_t pairs, std::uint64_t seed) {
    return make_scene("polytope medley", std::span(kAllKinds).first(kPolytopeKinds), pairs, seed, [](Random& random) {
        const std::uint32_t list_a = random.below(kPolytopeKinds);
        return Lists{list_a, random.below(kPolytopeKinds)};
    });
}

}  // namespace abut::scenes
