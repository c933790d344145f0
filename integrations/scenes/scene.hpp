// Scenes for programs that run an engine with its own narrow phase and with abut's: which bodies there are, in abut's
// shapes, and how deep bodies overlap.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/abut.hpp>

namespace abut::scenes {

struct Scene {
    std::string name, what;
    ShapeStore shapes;
    // Metres, Y up. Those before first_moving never move, the others start at rest. One may have a mesh.
    std::vector<Body> bodies;
    std::uint32_t first_moving = 0;
    // Of the mesh, by the indices of its triangles.
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;

    bool moves(std::size_t body) const { return body >= first_moving; }
    std::vector<Vec3> hull_points(ShapeId hull) const;
};

// stack: 10 boxes. pyramid: 78 boxes. pile: 200 mixed bodies in a pit. rough: 64 mixed bodies on an uneven mesh. ramp:
// 24 boxes and hulls on the slope of a mesh.
std::vector<Scene> make_scenes();

// The largest penetration of two bodies, metres, 0 or more, by abut's signed distances. The bodies have the poses of
// `bodies`.
float deepest(const Scene& scene, const std::vector<Body>& bodies);

// What one run of a scene gave. A body is asleep when the engine says so.
struct Run {
    int steps_until_rest = -1;  // all moving bodies asleep; -1: never
    std::size_t asleep = 0, moving = 0;
    float penetration = 0;            // the largest after the first second
    double nanoseconds_per_pair = 0;  // of the narrow phase: pairs that the engine asked for
    double pairs_per_step = 0;
};
inline constexpr float kStep = 1.0f / 60;  // seconds
inline constexpr int kSteps = 1200;
// Spheres roll on without it.
inline constexpr float kAngularDamping = 1.0f, kFriction = 0.5f;

// A world of an engine.
class World {
public:
    virtual ~World() = default;
    virtual void step() = 0;
    virtual bool is_asleep(std::uint32_t body) const = 0;
    virtual void read_poses(std::vector<Body>& bodies) const = 0;
    // Since the start.
    virtual double narrow_seconds() const = 0;
    virtual std::size_t narrow_pairs() const = 0;
};

Run run(const Scene& scene, World& world, int steps);

// Prints a row of the table in README.md.
void print_head();
void print_row(const Scene& scene, const char* functions, const Run& run);

}  // namespace abut::scenes
