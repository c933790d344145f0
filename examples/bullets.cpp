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
    std::vector<abut::Body> bullets, walls;
    std::vector<abut::Vec3> velocities;             // of bullets, metres per second
    std::vector<std::uint8_t> stopped, overlapped;  // bullets; overlapped: a test of poses alone would have found it
    abut::WorldTree tree;                           // of the walls
    abut::NarrowPhase narrow;
    abut::WorldCasts casts;
    abut::WorldOverlaps overlaps;

    bool build() {
        const auto bullet = shapes.add_capsule(0.005f, 0.01f), wall = shapes.add_box({2, 2, 0.005f});
        if (!bullet || !wall) return false;
        Random random;
        for (std::uint32_t i = 0; i < kBullets; ++i) {
            bullets.push_back({{random(-1, 1), random(-1, 1), random(-2, 0)}, *bullet, about({1, 0, 0}, 1.5708f)});
            velocities.push_back({random(-5, 5), random(-5, 5), random(300, 900)});
        }
        for (std::uint32_t i = 0; i < kWalls; ++i)
            walls.push_back({{0, 0, 1 + 0.5f * float(i)}, *wall, about({1, 0, 0}, random(-0.2f, 0.2f))});
        stopped.assign(kBullets, 0), overlapped.assign(kBullets, 0);
        // The walls do not move: one tree for all steps.
        std::vector<abut::Bounds> bounds(kWalls);
        return abut::world_bounds(shapes, walls, bounds) && tree.build({.bounds = bounds});
    }

    bool step() {
        // The bullets after the step, if nothing is in the way.
        std::vector<abut::Body> next = bullets;
        for (std::uint32_t i = 0; i < kBullets; ++i)
            if (!stopped[i]) next[i].position = bullets[i].position + velocities[i] * kStep;
        const abut::WorldBodies world = {&shapes, walls, &tree};
        const abut::Bodies ends[] = {next};
        if (!narrow.cast(world, bullets, {ends}, casts) || !narrow.overlap(world, next, overlaps)) return false;
        for (const abut::Pair& pair : overlaps.pairs) overlapped[pair.a] = 1;
        for (std::uint32_t i = 0; i < kBullets; ++i) {
            if (casts.body[i] == abut::kNoBody) continue;
            next[i].position = bullets[i].position + velocities[i] * (kStep * float(casts.time[i]));
            stopped[i] = 1;
        }
        bullets = next;
        return true;
    }
};

int main() {
    Range range;
    if (!range.build()) return 1;
    for (int i = 0; i < 3; ++i)
        if (!range.step()) return 1;

    // Each bullet must lie at the front of the first wall.
    std::vector<abut::Body> bodies = range.bullets;
    bodies.push_back(range.walls[0]);
    std::vector<abut::Pair> pairs;
    for (std::uint32_t i = 0; i < kBullets; ++i) pairs.push_back({i, kBullets});
    abut::Distances distances;
    if (!range.narrow.distance({&range.shapes, bodies, pairs}, distances)) return 1;
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
