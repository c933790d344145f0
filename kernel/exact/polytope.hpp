// A convex polytope that grows by a vertex at a time: the incremental hull of EPA [van den Bergen 2001]. Whether a face sees a new
// vertex is decided exactly, so the surface stays closed, convex and free of zero areas whatever coplanar or nearly coplanar points
// come; nothing has to be repaired or guarded by tolerances.
#pragma once

#include "exact/simplex.hpp"

namespace abut::exact {

inline constexpr int kMaxVertices = 512;
inline constexpr int kMaxFaces = 2 * kMaxVertices - 4;  // Euler

struct Face {
    std::uint16_t v[3];       // counter-clockwise from outside
    std::uint16_t across[3];  // the face on the other side of edge v[i] -> v[i + 1]
    std::uint32_t seen;       // by which new vertex's search, and how (see Polytope::look)
    Vec3d normal;             // unit, outward
};

// Some 90 KB, on the stack, and deliberately not cleared.
class Polytope {
public:
    // From four vertices that are not coplanar.
    void start(const Simplex& tetrahedron);

    // The face nearest the origin, lowest index first; `distance` of it is the distance of its plane.
    int nearest() const;
    double distance(int face) const { return distance_[face]; }
    const Face& face(int i) const { return faces_[i]; }
    const Vertex& vertex(int i) const { return vertices_[i]; }
    int vertex_count() const { return vertex_count_; }
    int face_slots() const { return used_faces_; }  // some may be free: their distance is infinite

    // Adds a vertex that `face` sees (it lies strictly outside its plane) and removes every face that sees it. Not with kMaxVertices.
    void add(const Vertex& vertex, int face);

private:
    struct HorizonEdge {
        std::uint16_t from, to, outer;  // vertices, and the face that stays
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
