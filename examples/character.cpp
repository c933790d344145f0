// For the author of a game: a character controller by casts. The capsule slides along walls, climbs steps, stays on the
// ground on its way down, and a skin's width away from everything; what moves into it pushes it out. The program fails if
// it comes nearer, leaves the ground, or does not arrive.

#include <abut/abut.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "vectors.hpp"

constexpr float kSkin = 0.02f, kStepHeight = 0.3f, kWalkable = 0.7f;  // the cosine of the steepest slope to stand on

struct Hit {
    float share = 1;    // of the way
    abut::Vec3 normal;  // from the obstacle to the character
};

struct Character {
    abut::ShapeStore shapes;
    std::vector<abut::Body> bodies;  // body 0 is the character
    std::vector<abut::Pair> pairs;   // with all others; a real game asks its broad phase
    abut::NarrowPhase narrow;
    abut::Casts casts;
    abut::Distances distances;  // of the pairs
    bool on_ground = false, failed = false;

    // How far the character gets along `way` until it is a skin's width from something.
    Hit cast(abut::Vec3 way) {
        std::vector<abut::Body> end = bodies;
        end[0].position = bodies[0].position + way;
        const abut::Bodies ends[] = {end};
        abut::CastOptions options;
        options.target = kSkin;
        options.start = abut::CastStart::closing_only;  // what it slides along does not stop it
        options.reduction = abut::CastReduction::first_of_body;
        failed = failed || !narrow.cast({&shapes, bodies, pairs}, {ends}, casts, options);
        if (failed || casts.hits.empty()) return {};
        const std::uint32_t first = casts.hits[0];
        return {float(casts.time[first]), casts.normal[first] * -1.0f};
    }

    // Moves until the first hit and returns what is left of the way.
    abut::Vec3 advance(abut::Vec3 way, Hit& hit) {
        hit = cast(way);
        bodies[0].position = bodies[0].position + way * hit.share;
        return way * (1 - hit.share);
    }

    // Moves along `way`, and along the walls that are in it; in a corner along both of them.
    void slide(abut::Vec3 way) {
        abut::Vec3 first;
        for (int i = 0; i < 4; ++i) {
            Hit hit;
            way = advance(way, hit);
            if (hit.share == 1) return;
            way = way - hit.normal * std::min(dot(way, hit.normal), 0.0f);
            const abut::Vec3 edge = cross(first, hit.normal);
            if (i > 0 && dot(way, first) < 0 && dot(edge, edge) > 1e-6f)
                way = edge * (dot(way, edge) / dot(edge, edge));
            first = hit.normal;
        }
    }

    // One frame: walk on the plane, over steps up to kStepHeight, and stay on the ground.
    void walk(abut::Vec3 way) {
        const abut::Vec3 start = bodies[0].position;
        slide(way);
        const abut::Vec3 along_walls = bodies[0].position;
        Hit hit;
        if (dot(along_walls - start, way) < 0.9f * dot(way, way)) {  // something is in the way: try from above
            bodies[0].position = start;
            advance({0, kStepHeight, 0}, hit);
            slide(way);
            advance({0, -kStepHeight, 0}, hit);
            const bool stands = hit.share < 1 && hit.normal.y > kWalkable;
            const bool farther = dot(bodies[0].position - along_walls, way) > 0.01f * dot(way, way);
            if (!stands || !farther) bodies[0].position = along_walls;
        }
        fall();
    }

    // Stays on stairs and slopes that go down; else falls.
    void fall() {
        Hit hit;
        const abut::Vec3 start = bodies[0].position;
        if (on_ground) advance({0, -kStepHeight, 0}, hit);
        const bool stands = hit.share < 1 && hit.normal.y > kWalkable;
        if (!stands) bodies[0].position = start, advance({0, -0.1f, 0}, hit);
        on_ground = hit.share < 1;
    }

    // The pair with the nearest obstacle.
    std::size_t nearest() {
        failed = failed || !narrow.distance({&shapes, bodies, pairs}, distances);
        const std::vector<float>& all = distances.signed_distance;
        return failed ? 0 : std::size_t(std::min_element(all.begin(), all.end()) - all.begin());
    }

    // Away from what has moved too near.
    void push_out() {
        for (int i = 0; i < 8; ++i) {
            const std::size_t of = nearest();
            const float missing = failed ? 0 : kSkin - distances.signed_distance[of];
            if (missing <= 0) return;
            bodies[0].position = bodies[0].position - distances.normal[of] * missing;
        }
    }
};

int main() {
    Character world;
    const auto capsule = world.shapes.add_capsule(0.3f, 0.6f), floor = world.shapes.add_halfspace({0, 1, 0}, 0);
    const auto wall = world.shapes.add_box({5, 2, 0.1f}), step = world.shapes.add_box({0.5f, 0.1f, 1});
    const auto block = world.shapes.add_box({0.5f, 1, 1});
    if (!capsule || !floor || !wall || !step || !block) return 1;
    // A wall along z = 1, stairs of three steps of 0.2 m from x = 1.5 on, and a block that is too high to climb.
    world.bodies = {{{-3, 1, 0}, *capsule, {}}, {{}, *floor, {}}, {{0, 2, 1.1f}, *wall, {}}};
    for (int i = 0; i < 3; ++i) world.bodies.push_back({{2 + 0.5f * float(i), 0.1f + 0.2f * float(i), 0}, *step, {}});
    world.bodies.push_back({{4, 1.0f, 0}, *block, {}});
    for (std::uint32_t i = 1; i < world.bodies.size(); ++i) world.pairs.push_back({0, i});

    float nearest = 1;
    int in_the_air = 0;
    abut::Vec3 door;  // the velocity of the wall
    const auto walk = [&](const char* what, abut::Vec3 velocity, int frames) {
        for (int i = 0; i < frames; ++i) {
            world.bodies[2].position = world.bodies[2].position + door * (1.0f / 60);
            world.push_out();
            world.walk(velocity * (1.0f / 60));
            in_the_air += !world.on_ground;
            const std::size_t of = world.nearest();
            nearest = std::min(nearest, world.failed ? 0 : world.distances.signed_distance[of]);
        }
        const abut::Vec3 at = world.bodies[0].position;
        std::printf("%s: at %.1f, %.1f, %.1f\n", what, double(at.x), double(at.y), double(at.z));
    };
    walk("stands", {}, 10);
    walk("walks into the wall", {1, 0, 2}, 60);
    walk("slides along it", {1, 0, 2}, 60);
    walk("climbs the stairs", {2, 0, 0}, 150);
    in_the_air = 0;
    walk("turns back, down the stairs", {-2, 0, -0.2f}, 120);
    door = {0, 0, -1};
    walk("is pushed by the wall", {}, 90);
    std::printf("never nearer than %.3f m, %d frames in the air\n", double(nearest), in_the_air);
    const bool arrived = world.bodies[0].position.x < 0;
    return !world.failed && nearest > 0.9f * kSkin && in_the_air == 0 && arrived ? 0 : 1;
}
