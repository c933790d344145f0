// For an engine with fast bodies: continuous collision. 1,000 bullets fly at up to 900 m/s against walls of 1 cm. A
// test of each frame's poses alone misses nearly all walls; `cast` finds the first wall of each bullet. The program
// fails if a bullet tunnels.

#include <abut/abut.hpp>
#include <cstdio>
#include <vector>

#include "vectors.hpp"

constexpr float kStep = 1.0f / 60;
constexpr std::uint32_t kBullets = 1000, kWalls = 8;

// The same numbers on every machine, in [0, 1).
struct Random {
    std::uint32_t state = 1;
    float operator()() { return float((state = state * 1664525u + 1013904223u) >> 8) / float(1 << 24); }
    float operator()(float low, float high) { return low + (high - low) * (*this)(); }
};

struct Range {
    abut::ShapeStore shapes;
    std::vector<abut::Body> bodies;      // bullets first, then walls
    std::vector<abut::Vec3> velocities;  // of bullets, metres per second
    std::vector<std::uint8_t> stopped;   // of bullets
    abut::BroadPhase broad;
    abut::NarrowPhase narrow;
    abut::PairList list;
    abut::Casts casts;
    abut::Overlaps overlaps;
    std::vector<std::uint8_t> overlapped;  // bullets that a test of poses alone would have found

    bool build() {
        const auto bullet = shapes.add_capsule(0.005f, 0.01f), wall = shapes.add_box({2, 2, 0.005f});
        if (!bullet || !wall) return false;
        Random random;
        for (std::uint32_t i = 0; i < kBullets; ++i) {
            bodies.push_back({{random(-1, 1), random(-1, 1), random(-2, 0)}, *bullet, about({1, 0, 0}, 1.5708f)});
            velocities.push_back({random(-5, 5), random(-5, 5), random(300, 900)});
        }
        for (std::uint32_t i = 0; i < kWalls; ++i)
            bodies.push_back({{0, 0, 1 + 0.5f * float(i)}, *wall, about({1, 0, 0}, random(-0.2f, 0.2f))});
        stopped.assign(kBullets, 0), overlapped.assign(kBullets, 0);
        return true;
    }

    // The bodies after the step, if nothing is in the way.
    std::vector<abut::Body> moved() const {
        std::vector<abut::Body> next = bodies;
        for (std::uint32_t i = 0; i < kBullets; ++i)
            if (!stopped[i]) next[i].position = bodies[i].position + velocities[i] * kStep;
        return next;
    }

    bool step() {
        std::vector<abut::Body> next = moved();
        // Pairs of a bullet and a wall whose swept boxes overlap.
        std::vector<abut::Bounds> bounds(bodies.size());
        if (!abut::swept_bounds(shapes, bodies, next, bounds)) return false;
        const std::span<const abut::Bounds> all(bounds);
        if (!broad.find_pairs({.bounds = all.first(kBullets)}, {.bounds = all.subspan(kBullets)}, list)) return false;
        for (abut::Pair& pair : list.pairs) pair.b += kBullets;  // it was an index of the walls

        const abut::Bodies ends[] = {next};
        abut::CastOptions options;
        options.reduction = abut::CastReduction::first_of_body;  // the bullet is body A
        if (!narrow.cast({&shapes, bodies, list.pairs}, {ends}, casts, options)) return false;
        if (!narrow.overlap({&shapes, next, list.pairs}, overlaps)) return false;
        for (const std::uint32_t i : overlaps.hits) overlapped[list.pairs[i].a] = 1;
        for (const std::uint32_t i : casts.hits) {
            const std::uint32_t bullet = list.pairs[i].a;
            next[bullet].position = bodies[bullet].position + velocities[bullet] * (kStep * float(casts.time[i]));
            stopped[bullet] = 1;
        }
        bodies = next;
        return true;
    }
};

int main() {
    Range range;
    if (!range.build()) return 1;
    for (int i = 0; i < 3; ++i)
        if (!range.step()) return 1;

    // Each bullet must lie at the front of the first wall.
    std::vector<abut::Pair> pairs;
    for (std::uint32_t i = 0; i < kBullets; ++i) pairs.push_back({i, kBullets});
    abut::Distances distances;
    if (!range.narrow.distance({&range.shapes, range.bodies, pairs}, distances)) return 1;
    int by_cast = 0, by_poses = 0, tunnelled = 0;
    for (std::uint32_t i = 0; i < kBullets; ++i) {
        by_cast += range.stopped[i], by_poses += range.overlapped[i];
        const bool in_front = distances.normal[i].z > 0;  // from the bullet to the wall
        const float gap = distances.signed_distance[i];
        if (!in_front || gap < 0 || gap > 1e-5f) ++tunnelled;
    }
    std::printf("%u bullets, walls of 1 cm, steps of 1/60 s\n", kBullets);
    std::printf("stopped by cast: %d, of them found by poses alone: %s\n", by_cast,
                by_poses < 50 ? "fewer than 50" : "many");
    std::printf("tunnelled: %d\n", tunnelled);
    return by_cast == int(kBullets) && tunnelled == 0 ? 0 : 1;
}
