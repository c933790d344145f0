// Resting pairs, see resting.hpp.
#include "scenes/resting.hpp"

#include "scenes/kinds.hpp"
#include "scenes/laying.hpp"
#include "scenes/random.hpp"

namespace abut::scenes {
namespace {

using oracle::Solid;
using oracle::Vec3d;

constexpr std::uint32_t kShapesAKind = 48;
constexpr double kScales[] = {1e-3, 1, 1e3};

void make_pair(Scene& scene, std::size_t pair, std::uint32_t solid_a, std::uint32_t solid_b, Random& random) {
    const Solid &a = scene.solids[solid_a], &b = scene.solids[solid_b];
    const double smaller = smaller_size(a, b);
    const Laid laid = lay(a, b, kRestingTilts, resting_gap, random);
    const Vec3d world = random.chance(0.5) ? Vec3d{} : random.direction() * (3 * smaller);
    scene.set_pair(pair, solid_a, world, laid.poses.orientation_a, solid_b, world + laid.poses.position_b,
                   laid.poses.orientation_b, laid.name);
    scene.margins[pair] = float(kRestingMargin * smaller);
}

// choose(random) gives a pair's two kinds, as indices into `kinds`.
template <class ChooseKinds>
Scene make_scene(std::string name, std::span<const ShapeKind> kinds, std::size_t pairs, std::uint64_t seed,
                 ChooseKinds choose) {
    Scene scene;
    scene.name = std::move(name);
    Random shapes(seed);
    for (const ShapeKind kind : kinds)
        for (std::uint32_t i = 0; i < kShapesAKind; ++i)
            scene.add_solid(flat_shape(kind, kScales[i % std::size(kScales)], shapes));
    scene.resize(pairs);
    scene.margins.resize(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        Random random(seed, i);
        const auto [kind_a, kind_b] = choose(random);
        // Of one scale: neighbours in the list differ in theirs.
        const std::uint32_t a = random.below(kShapesAKind), again = random.below(kShapesAKind / std::size(kScales));
        const std::uint32_t b = again * std::uint32_t(std::size(kScales)) + a % std::uint32_t(std::size(kScales));
        make_pair(scene, i, kind_a * kShapesAKind + a, kind_b * kShapesAKind + b, random);
    }
    scene.compute_reference();
    return scene;
}

}  // namespace

Scene make_resting(ShapeKind kind_a, ShapeKind kind_b, std::size_t pairs, std::uint64_t seed) {
    const std::string name = std::string("resting ") + to_string(kind_a) + "-" + to_string(kind_b);
    seed = Random(seed, 256 + std::uint64_t(kind_a) * 16 + std::uint64_t(kind_b)).bits();
    return make_scene(name, std::array{kind_a, kind_b}, pairs, seed, [](Random&) { return Lists{0, 1}; });
}

Scene make_resting_medley(std::size_t pairs, std::uint64_t seed) {
    return make_scene("resting medley", kAllKinds, pairs, seed, [](Random& random) { return two_kinds(random); });
}

}  // namespace abut::scenes
