// The exact contacts of a polytope above ground that is the graph of a height, and the pose in which it rests there. In
// double precision; shares nothing with the library.
#pragma once

#include <optional>
#include <vector>

#include "surfaces/contacts/mover.hpp"
#include "surfaces/contacts/terrain.hpp"

namespace abut::ground {

// The ground in a frame whose y is the direction in which bodies settle.
class Level {
public:
    explicit Level(const Terrain& terrain);

    const oracle::Rotation& rotation() const { return rotation_; }  // from the world to the level frame
    Vec3d to_level(const Vec3d& world) const { return rotation_ * world; }
    Vec3d to_world(const Vec3d& level) const { return rotation_.back(level); }

    struct Edge {
        Vec3d a, b;
    };
    const std::vector<Vec3d>& vertices() const { return vertices_; }
    const std::vector<Edge>& edges() const { return edges_; }
    const std::vector<std::array<Vec3d, 3>>& triangles() const { return triangles_; }

private:
    oracle::Rotation rotation_;
    std::vector<Vec3d> vertices_;
    std::vector<Edge> edges_;
    std::vector<std::array<Vec3d, 3>> triangles_;
};

// A corner of the overlay of the body's lower faces and the triangles: the gap between the two is linear between such
// corners.
struct Touch {
    enum class What : std::uint8_t { vertex, triangle_vertex, crossing };
    What what;
    double x, y, z;  // on the ground, in the level frame
    double gap;      // along y
};

// Those with a gap of at most `within` above the least one.
void find_touches(const Level& level, const Wire& body, const oracle::Pose& level_pose, double within,
                  std::vector<Touch>& out);

// The pose in the world, as floats, and what touches there.
struct Rest {
    Body body;
    std::vector<Touch> touches;  // with gaps of at most `kKept`
    Vec3d centre;                // of mass, in the level frame
    static constexpr double kKept = 0.005;
};

// Lays the body on one of its faces above the site and lets it come to rest on three points about its centre, then
// lowers it by `overlap`. Nothing where it finds no rest near its first orientation.
std::optional<Rest> settle(const Terrain& terrain, const Level& level, const Mover& mover, Random& random,
                           double overlap);

}  // namespace abut::ground
