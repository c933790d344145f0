// See exact_polytope.hpp.
#include "convex/exact/exact_polytope.hpp"

#include <limits>

namespace abut::exact {
namespace {

constexpr double kGone = std::numeric_limits<double>::infinity();

int edge_from(const Face& face, int vertex) { return face.v[0] == vertex ? 0 : face.v[1] == vertex ? 1 : 2; }

}  // namespace

void Polytope::set_face(int f, int a, int b, int c) {
    Face& face = faces_[f];
    face.v[0] = static_cast<std::uint16_t>(a);
    face.v[1] = static_cast<std::uint16_t>(b);
    face.v[2] = static_cast<std::uint16_t>(c);
    face.seen = 0;
    const Vec3d &wa = vertices_[a].w, &wb = vertices_[b].w, &wc = vertices_[c].w;
    const Vec3d n = accurate_cross(wb - wa, wc - wa);
    face.normal = n * (1.0 / norm(n));
    distance_[f] = dot(face.normal, wa);
}

void Polytope::start(const Simplex& s) {
    for (int i = 0; i < 4; ++i) vertices_[i] = s.p[i];
    const Vec3d& base = s.p[0].w;
    if (triple_sign(s.p[1].w - base, s.p[2].w - base, s.p[3].w - base) < 0) {
        vertices_[0] = s.p[1];
        vertices_[1] = s.p[0];
    }
    vertex_count_ = 4;
    used_faces_ = 4;
    free_count_ = 0;
    constexpr int kCorners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    constexpr int kAcross[4][3] = {{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    for (int f = 0; f < 4; ++f) {
        set_face(f, kCorners[f][0], kCorners[f][1], kCorners[f][2]);
        for (int e = 0; e < 3; ++e) join(f, e, kAcross[f][e]);
    }
}

int Polytope::nearest() const {
    int best = 0;
    for (int f = 1; f < used_faces_; ++f)
        if (distance_[f] < distance_[best]) best = f;
    return best;
}

void Polytope::join(int face, int edge, int other) { faces_[face].across[edge] = static_cast<std::uint16_t>(other); }

int Polytope::new_face() { return free_count_ > 0 ? free_[--free_count_] : used_faces_++; }

// True if the face sees w. Stores the result until the next vertex: `seen` is twice the vertex's number, plus one if
// true.
bool Polytope::look(int f, const Vec3d& w) {
    Face& face = faces_[f];
    const auto number = static_cast<std::uint32_t>(vertex_count_);
    if (face.seen >> 1 == number) return face.seen & 1;
    const double above = dot(face.normal, w) - distance_[f];
    bool yes = above > 0;
    if (std::fabs(above) < kGridPlaneRounding) {
        const Vec3d& a = vertices_[face.v[0]].w;
        yes = triple_sign(vertices_[face.v[1]].w - a, vertices_[face.v[2]].w - a, w - a) > 0;
    }
    face.seen = number << 1 | (yes ? 1 : 0);
    return yes;
}

// Removes all faces that see w, starting from `first`, and lists the edges of the hole.
int Polytope::find_horizon(int first, const Vec3d& w) {
    int pending = 0, edges = 0;
    look(first, w);
    stack_[pending++] = static_cast<std::uint16_t>(first);
    distance_[first] = kGone;
    while (pending > 0) {
        const int f = stack_[--pending];
        free_[free_count_++] = static_cast<std::uint16_t>(f);
        for (int e = 0; e < 3; ++e) {
            const int other = faces_[f].across[e];
            if (!look(other, w)) {
                horizon_[edges++] = {faces_[f].v[e], faces_[f].v[(e + 1) % 3], static_cast<std::uint16_t>(other)};
            } else if (distance_[other] != kGone) {
                distance_[other] = kGone;
                stack_[pending++] = static_cast<std::uint16_t>(other);
            }
        }
    }
    return edges;
}

void Polytope::add(const Vertex& vertex, int first) {
    const int edges = find_horizon(first, vertex.w);
    const int tip = vertex_count_++;
    vertices_[tip] = vertex;
    for (int i = 0; i < edges; ++i) {
        const HorizonEdge edge = horizon_[i];
        const int f = new_face();
        set_face(f, edge.from, edge.to, tip);
        join(f, 0, edge.outer);
        join(edge.outer, edge_from(faces_[edge.outer], edge.to), f);
        starting_at_[edge.from] = static_cast<std::uint16_t>(f);
    }
    // The edges of the hole form a loop: the new face of edge (from, to) is followed by the face whose edge starts at
    // `to`.
    for (int i = 0; i < edges; ++i) {
        const int f = starting_at_[horizon_[i].from], next = starting_at_[horizon_[i].to];
        join(f, 1, next);
        join(next, 2, f);
    }
}

}  // namespace abut::exact
