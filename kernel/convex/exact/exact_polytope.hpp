// A convex polytope that grows by one vertex at a time: the incremental hull of EPA [van den Bergen 2001]. An exact
// test decides whether a face sees a new vertex, so the surface stays closed, convex and without faces of no area for
// any (nearly) coplanar points. The polytope needs no repair and no tolerances.
#pragma once

#include "convex/exact/exact_simplex.hpp"

namespace abut::exact {

inline constexpr int kMaxVertices = 512;
inline constexpr int kMaxFaces = 2 * kMaxVertices - 4;  // Euler

struct Face {
    std::uint16_t v[3];       // counter-clockwise from outside
    std::uint16_t across[3];  // the face on the other side of edge v[i] -> v[i + 1]
    std::uint32_t seen;       // result for the newest vertex (see Polytope::look)
    Vec3d normal;             // unit, outward
};

// About 90 KB on the stack, deliberately not cleared.
class Polytope {
public:
    // Sets a tetrahedron of four vertices that are not coplanar.
    void start(const Simplex& tetrahedron);

    // The face nearest to the origin (of equally near ones, the lowest index); `distance`: of a face's plane.
    int nearest() const;
    double distance(int face) const { return distance_[face]; }
    const Face& face(int i) const { return faces_[i]; }
    const Vertex& vertex(int i) const { return vertices_[i]; }
    int vertex_count() const { return vertex_count_; }
    int face_slots() const { return used_faces_; }  // some slots may be free: their distance is infinity

    // Adds a vertex that `face` sees (strictly outside its plane) and removes every face that sees it. Requires fewer
    // than kMaxVertices.
    void add(const Vertex& vertex, int face);

private:
    struct HorizonEdge {
        std::uint16_t from, to, outer;  // vertices, and the face that is kept
    };

    bool look(int face, const Vec3d& w);
    int find_horizon(int face, const Vec3d& w);
    int new_face();
    void set_face(int face, int a, int b, int c);
    void join(int face, int edge, int other);

    Vertex vertices_[kMaxVertices];
    Face faces_[kMaxFaces];
    double distance_[kMaxFaces];  // infinite where the slot is free
    std::uint16_t free_[kMaxFaces];
    std::uint16_t stack_[kMaxFaces];
    HorizonEdge horizon_[kMaxVertices];
    std::uint16_t starting_at_[kMaxVertices];  // the new face whose horizon edge starts at a vertex
    int vertex_count_, used_faces_, free_count_;
};

}  // namespace abut::exact
