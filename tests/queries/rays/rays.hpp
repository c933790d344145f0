// Random and hard rays against bodies of one kind, and an independent judge of NarrowPhase::raycast: the oracle's
// signed distance along the ray, which is a convex function, by golden section.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/rays.hpp>

#include "scenes/scene.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::rays {

// Pair i is of ray i.
struct RayScene {
    ShapeStore shapes;
    std::vector<oracle::Solid> solids;
    std::vector<ShapeId> ids;             // by solid
    std::vector<std::uint32_t> solid_of;  // by body
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<Vec3> origins, directions;
    std::vector<const char*> family;  // by ray

    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }
    Rays rays() const { return {.origins = origins, .directions = directions}; }
    const oracle::Solid& solid(std::size_t ray) const { return solids[solid_of[ray]]; }
};

// `hard`: shapes of scenes::make_hard, and rays that graze, run along faces and edges, come from far away, start on the
// surface or end at it.
RayScene make_rays(ShapeKind kind, std::size_t count, std::uint64_t seed, bool hard);

// As make_rays, of the shapes of a benchmark row: "box", "hull8", "hull32" and so on. Few of them start inside.
RayScene make_row_rays(const std::string& shape, std::size_t count, std::uint64_t seed);

// A ball of rings and sectors about the origin, seen from outside, its radius 1 less up to `dents`.
struct MeshData {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
};
MeshData make_ball_mesh(std::uint32_t rings, std::uint32_t sectors, double dents, std::uint64_t seed);
// Rays at one such mesh of about so many triangles; all pairs are of body 0.
RayScene make_mesh_rays(std::size_t triangles, std::size_t count, std::uint64_t seed, float rounding = 0);
// Points from half way to its centre to half a radius above it; both sides of its triangles count. Origins only.
RayScene make_mesh_points(std::size_t triangles, std::size_t count, std::uint64_t seed);

// A ray and a convex shape, for the oracle.
struct Line {
    oracle::Vec3d origin, direction;
    const oracle::Solid* solid;
    oracle::Pose pose;
};
double distance_at(const Line& line, double fraction);     // metres, negative inside
double least_distance(const Line& line, double fraction);  // up to there

enum class Fault : std::uint8_t { none, lost, invented, late, normal, inside, status };
const char* name_of(Fault fault);

struct Verdict {
    Fault fault = Fault::none;
    double by = 0;  // metres
};
Verdict judge_ray(const RayScene& scene, const RayHits& hits, std::size_t ray);

struct Tally {
    std::size_t rays = 0, hits = 0, starts = 0, wrong = 0;
    std::vector<std::string> examples;  // a few
};
Tally judge(const RayScene& scene, const RayHits& hits);

}  // namespace abut::rays
