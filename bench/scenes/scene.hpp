// Scenes: pairs with a reference answer each, shared by the tests and the benchmarks. Seeded, and the same on every
// platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abut/frame.hpp>
#include <abut/shape_store.hpp>

#include "support/oracle/manifold.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::scenes {

struct Scene {
    std::string name;
    ShapeStore shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<double> reference;  // by pair: the exact signed distance, by the oracle

    // The shapes as the oracle knows them, and which of them a body has.
    std::vector<oracle::Solid> solids;
    std::vector<ShapeId> ids;             // by solid
    std::vector<std::uint32_t> solid_of;  // by body
    std::vector<const char*> family;      // by pair: what makes it hard; empty for the rows
    std::vector<float> margins;           // by pair; empty where the caller of `collide` has one for all

    // Valid while the scene lives and is neither moved nor changed.
    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs, .margins = margins}; }

    const oracle::Solid& solid_a(std::size_t pair) const { return solids[solid_of[pairs[pair].a]]; }
    const oracle::Solid& solid_b(std::size_t pair) const { return solids[solid_of[pairs[pair].b]]; }
    const Body& body_a(std::size_t pair) const { return bodies[pairs[pair].a]; }
    const Body& body_b(std::size_t pair) const { return bodies[pairs[pair].b]; }
    double tolerance(std::size_t pair) const {
        return oracle::tolerance(solid_a(pair), solid_b(pair), reference[pair]);
    }
    // `claim`, held against promise 1.
    oracle::Verdict check(std::size_t pair, const oracle::Claim& claim) const;
    // A manifold's normal and contacts, held against what they promise.
    oracle::ManifoldVerdict check_manifold(std::size_t pair, float margin, const Vec3& normal,
                                           std::span<const Contact> contacts) const;
    // The pair as a line of `abut query`.
    std::string query_line(std::size_t pair) const;

    // For those who build scenes. A shape that the store refuses ends the program with its message.
    std::uint32_t add_solid(const oracle::Shape& shape);
    std::uint32_t add_body(std::uint32_t solid, const oracle::Vec3d& position, const Quat& orientation);
    void add_pair(std::uint32_t a, std::uint32_t b, const char* what_family = "");
    // Empty pairs of two bodies of their own, to be filled in any order.
    void resize(std::size_t pair_count);
    // Pair `pair` of a scene resized: its own two bodies.
    void set_pair(std::size_t pair, std::uint32_t solid_a, const oracle::Vec3d& position_a, const Quat& orientation_a,
                  std::uint32_t solid_b, const oracle::Vec3d& position_b, const Quat& orientation_b,
                  const char* what_family);
    // Fills `reference`, on all cores.
    void compute_reference();
};

// --- the rows of the benchmarks ---

// "sphere-sphere", "capsule-capsule", "sphere-box", "capsule-box", "box-box", "hull8-hull8" ... "hull256-hull256",
// "mixed".
std::span<const char* const> row_names();

inline constexpr std::size_t kRowPairs = 16384;
inline constexpr std::uint64_t kRowSeed = 1;

// Every pair has two bodies of its own in random orientation. A third are apart by up to 20% of the mean radius, a
// third overlap by up to 5%, a third by 5-40%. Hulls are points on randomly scaled ellipsoids; 64 distinct shapes of
// each kind. Made on all cores; where `keep` says so kept in a file and read from there the next time (ABUT_SCENE_CACHE
// names the directory; empty: none). `name` may be any two of sphere, capsule, box, hullN, hull (of 4 to 40 vertices),
// cylinder, cone, ellipsoid, halfspace (one at most) joined by '-', or "mixed".
enum class Keep : bool { no, in_a_file };
Scene make_row(std::string_view name, std::size_t pairs = kRowPairs, std::uint64_t seed = kRowSeed,
               Keep keep = Keep::in_a_file);

// --- what is hard ---

// Pairs of two kinds chosen to be awkward: exact and near touching of every feature with every other, parallel and
// nearly parallel, coincident, concentric, deep, on an axis, over a plane, far from the origin, at scales from 1e-4 to
// 1e4 and size ratios to 1e4; flat, thin, needle-like, zero-sized, rounded and off-centre shapes. `Scene::family` says
// which.
Scene make_hard(ShapeKind a, ShapeKind b, std::size_t pairs, std::uint64_t seed = kRowSeed);
// The same of all kinds in one frame, in both orders; half of the pairs of spheres, capsules, boxes and hulls.
Scene make_medley(std::size_t pairs, std::uint64_t seed = kRowSeed);
// ... and of those four alone.
Scene make_polytope_medley(std::size_t pairs, std::uint64_t seed = kRowSeed);

// The scene with every length times `factor`: bit for bit the same scene where that is a power of two.
Scene scaled(const Scene& scene, float factor);

}  // namespace abut::scenes
