// Answers of d2::NarrowPhase before the oracle of the plane: what is wrong with them, and by how many bounds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/d2.hpp>

#include "support/families_2d.hpp"

namespace abut::plane {

// A family's pairs as a frame, each pair once in each order: pair i is given[i], pair given.size() + i its mirror.
struct Scene {
    d2::ShapeStore shapes;
    std::vector<HardPair> given;
    std::vector<d2::Body> bodies;
    std::vector<Pair> pairs;
    std::vector<float> margins;  // 2% of the smaller size

    Scene(Family family, std::size_t count, std::uint64_t seed);
    d2::Frame frame() const;
};

// What the oracle knows of a pair.
struct Case {
    Shape a, b;  // placed, relative to A's position
    Answer wanted;
    Real smaller, larger;  // sizes; of a half-plane the other's
    Real bound;            // promise 1
    Real coordinates;      // the rounding of points, which are relative to A's position
    bool is_open;          // rounding decides which segments of a chain take part, or the pair is unsupported

    explicit Case(const HardPair& pair);
};

struct Mistake {
    std::string what;     // "distance: points"
    Real bounds;          // off by so many; infinite for what is exact
    std::string details;  // what was expected and what came
};
using Mistakes = std::vector<Mistake>;

struct Answers {
    d2::Overlaps overlaps;
    d2::Distances distances;
    d2::Manifolds manifolds;
    std::uint64_t exact = 0;  // pairs that `collide` computed in double
    float contact_slack = 0;
};
// All three queries of a scene, on one thread.
Answers ask(const Scene& scene, Isa isa, float contact_slack = 0, DepthPath depth = DepthPath::automatic);

Mistakes check_distance(const Case& wanted, const Answers& answers, std::size_t pair);
Mistakes check_manifolds(const Case& wanted, const Answers& answers, std::size_t pair, float margin);
// Pair i and its mirror: distances, normals and manifolds, bit for bit.
Mistakes check_mirrored(const Answers& answers, std::size_t pair, std::size_t mirror);
bool same_bits(const Answers& x, const Answers& y);
// Whether a pair has the same bits.
bool same_bits(const Answers& x, const Answers& y, std::size_t pair);

// Pairs in motion: B passes A, and both may rotate. `i` varies the motion.
struct Motion {
    d2::Vec2 start_a, start_b, end_a, end_b;
    float angle_a, angle_b, end_angle_a, end_angle_b;

    Motion(const HardPair& pair, const Case& wanted, std::size_t i);
    // The two shapes at a time, relative to A's position at time 0.
    std::pair<Shape, Shape> at(const HardPair& pair, Real time) const;
};

// Pairs of a scene in motion: casts; rays from B's start to its end, and their origins as points, against A at its
// start.
class MovingScene {
public:
    // Every `every`-th pair of the scene, which must outlive this.
    MovingScene(const Scene& scene, std::size_t every);

    std::size_t size() const { return motions_.size(); }
    std::size_t pair(std::size_t i) const { return i * every_; }  // of the scene
    const Motion& motion(std::size_t i) const { return motions_[i]; }
    // No sample before the time of a hit overlaps, and at that time the two touch. Chains: the status alone, since
    // which segments take part is decided at the start.
    Mistakes check_cast(std::size_t i, const Case& wanted, int samples) const;
    // Not for a chain as A.
    Mistakes check_ray(std::size_t i, int samples) const;
    Mistakes check_point(std::size_t i) const;

private:
    const Scene& scene_;
    std::size_t every_;
    std::vector<Motion> motions_;
    d2::Casts casts_;
    d2::RayHits rays_;
    d2::PointDistances points_;
};

}  // namespace abut::plane
