// See mesh_edges.hpp. A half edge goes from one corner of a triangle to the next. A counting sort by the lower vertex
// makes the half edges of an edge adjacent.
//
// At an edge of more than two triangles, a triangle's neighbour is the one that its front faces: the next one about the
// edge, in the direction from its plane to its front. So two closed surfaces that touch along an edge stay separate,
// and so do the two sides of a sheet.
#include "cooking/mesh/mesh_edges.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cooking/cooking_tolerances.hpp"
#include "cooking/mesh/convexity.hpp"
#include "cooking/mesh/mesh_junctions.hpp"

namespace abut::cooking {
namespace {

using maths::Vec3d;

struct HalfEdge {
    std::uint32_t last;  // the higher vertex
    std::uint32_t half;  // 3 * triangle + edge
};

double largest_coordinate(const MeshGeometry& mesh) {
    return maths::max(maths::max_abs(maths::to_double(mesh.bounds_min)),
                      maths::max_abs(maths::to_double(mesh.bounds_max)));
}

struct Joiner {
    std::span<const KeptTriangle> triangles;
    MeshGeometry& mesh;
    double coordinate;
    Vector<std::uint32_t> neighbours;  // by half edge
    Vector<std::uint8_t> edge_bends;   // by half edge
    Vector<VertexBend> vertex_bends;

    static constexpr std::uint8_t kNotYet = 0xff;

    Joiner(std::span<const KeptTriangle> all, MeshGeometry& into, Vector<std::uint32_t> known)
        : triangles(all),
          mesh(into),
          coordinate(largest_coordinate(into)),
          neighbours(std::move(known)),
          edge_bends(3 * all.size(), kNotYet),
          vertex_bends(into.vertices.size()) {}

    std::uint32_t first(std::uint32_t half) const { return triangles[half / 3].corners[half % 3]; }
    std::uint32_t second(std::uint32_t half) const { return triangles[half / 3].corners[(half % 3 + 1) % 3]; }
    Vec3d at(std::uint32_t vertex) const { return maths::to_double(mesh.vertices[vertex]); }
    Vec3d opposite(std::uint32_t half) const { return at(triangles[half / 3].corners[(half % 3 + 2) % 3]); }

    void set(std::uint32_t half, std::uint32_t neighbour, Convexity bend) {
        neighbours[half] = neighbour;
        edge_bends[half] = std::uint8_t(bend);
        vertex_bends[first(half)].add(bend);
        vertex_bends[second(half)].add(bend);
    }

    void join(std::uint32_t half, std::uint32_t other) {
        const Convexity bend = bend_of(at(first(half)), at(second(half)), opposite(half), opposite(other), coordinate);
        set(half, other / 3, bend);
        set(other, half / 3, bend);
        MeshReport& report = mesh.report;
        ++(bend == Convexity::flat     ? report.flat_edges
           : bend == Convexity::convex ? report.convex_edges
                                       : report.concave_edges);
    }

    void leave_open(std::uint32_t half) {
        ++mesh.report.open_edges;
        set(half, kNoTriangle, Convexity::open);
    }

    void write() const;
    void join_nonmanifold(std::span<const HalfEdge> halves);
    void join_edge(std::span<const HalfEdge> halves);
};

// The direction of a half edge's triangle about the edge: the angle from the first triangle (see angle_order), and the
// direction of its front.
struct Spoke {
    double angle;
    bool faces_up;  // its front is towards greater angles
    std::uint32_t half;
};

// A number that grows with the angle of (x, y) as atan2 does, without libm: 0 to 4.
double angle_order(double x, double y) {
    const double part = y / (std::fabs(x) + std::fabs(y));
    if (x < 0) return 2 - part;
    return y < 0 ? 4 + part : part;
}

void Joiner::join_nonmanifold(std::span<const HalfEdge> halves) {
    const std::uint32_t base = halves[0].half, from = first(base);
    const Vec3d along = at(second(base)) - at(from),
                x = maths::cross(maths::cross(along, opposite(base) - at(from)), along), y = maths::cross(along, x);
    const double to_x = 1 / maths::norm(x), to_y = 1 / maths::norm(y);
    Vector<Spoke> spokes;
    for (const HalfEdge& h : halves) {
        const Vec3d way = opposite(h.half) - at(from);
        spokes.push_back({h.half == base ? 0 : angle_order(maths::dot(way, x) * to_x, maths::dot(way, y) * to_y),
                          first(h.half) == from, h.half});
    }
    // If two triangles have the same angle (both sides of a sheet), the one whose front faces down comes first, so that
    // their backs are adjacent.
    std::sort(spokes.begin(), spokes.end(), [](const Spoke& a, const Spoke& b) {
        if (a.angle != b.angle) return a.angle < b.angle;
        return a.faces_up != b.faces_up ? !a.faces_up : a.half < b.half;
    });
    for (std::size_t i = 0; i < spokes.size(); ++i) {
        const Spoke &low = spokes[i], &high = spokes[(i + 1) % spokes.size()];
        if (low.faces_up && !high.faces_up) join(low.half, high.half);
    }
    for (const Spoke& spoke : spokes)
        if (neighbours[spoke.half] == kNoTriangle) leave_open(spoke.half);
}

void Joiner::join_edge(std::span<const HalfEdge> halves) {
    if (halves.size() > 2) {
        ++mesh.report.nonmanifold_edges;
        return join_nonmanifold(halves);
    }
    if (halves.size() == 2 && first(halves[0].half) != first(halves[1].half))
        return join(halves[0].half, halves[1].half);
    mesh.report.inconsistent_edges += halves.size() == 2;
    for (const HalfEdge& h : halves) leave_open(h.half);
}

void Joiner::write() const {
    mesh.neighbours.offsets.reserve(neighbours.size());
    mesh.bends.reserve(triangles.size());
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        unsigned bends = 0;
        for (std::uint32_t k = 0; k < 3; ++k) {
            mesh.neighbours.append(neighbours[3 * t + k], t);
            bends |= unsigned(edge_bends[3 * t + k]) << 2 * k;
            bends |= unsigned(vertex_bends[triangles[t].corners[k]].bend()) << (6 + 2 * k);
        }
        mesh.bends.push_back(std::uint16_t(bends));
    }
}

// Sorts half edges by their lower vertex: those of vertex v are from firsts[v] to firsts[v + 1].
Vector<HalfEdge> sorted_halves(std::span<const KeptTriangle> triangles, Vector<std::uint32_t>& firsts) {
    const auto each = [&](auto&& visit) {
        for (std::uint32_t half = 0; half < 3 * triangles.size(); ++half) {
            const std::uint32_t a = triangles[half / 3].corners[half % 3],
                                b = triangles[half / 3].corners[(half % 3 + 1) % 3];
            a < b ? visit(a, b, half) : visit(b, a, half);
        }
    };
    each([&](std::uint32_t low, std::uint32_t, std::uint32_t) { ++firsts[low + 1]; });
    for (std::size_t v = 1; v < firsts.size(); ++v) firsts[v] += firsts[v - 1];
    Vector<std::uint32_t> next(firsts.begin(), firsts.end() - 1);
    Vector<HalfEdge> halves(3 * triangles.size());
    each([&](std::uint32_t low, std::uint32_t high, std::uint32_t half) { halves[next[low]++] = {high, half}; });
    for (std::size_t v = 0; v + 1 < firsts.size(); ++v) {
        std::sort(halves.begin() + firsts[v], halves.begin() + firsts[v + 1], [](const HalfEdge& a, const HalfEdge& b) {
            return a.last != b.last ? a.last < b.last : a.half < b.half;
        });
    }
    return halves;
}

}  // namespace

void join_edges(std::span<const KeptTriangle> triangles, double weld_tolerance, MeshGeometry& mesh) {
    Vector<std::uint32_t> firsts(mesh.vertices.size() + 1);
    const Vector<HalfEdge> halves = sorted_halves(triangles, firsts);
    Joiner joiner(triangles, mesh, Vector<std::uint32_t>(halves.size(), kNoTriangle));
    for (std::size_t v = 0; v + 1 < firsts.size(); ++v) {
        for (std::uint32_t first = firsts[v]; first < firsts[v + 1];) {
            std::uint32_t end = first + 1;
            while (end < firsts[v + 1] && halves[end].last == halves[first].last) ++end;
            joiner.join_edge({halves.data() + first, halves.data() + end});
            first = end;
        }
    }
    Vector<OpenEdge> open;
    for (std::uint32_t half = 0; half < halves.size(); ++half)
        if (joiner.neighbours[half] == kNoTriangle) open.push_back({joiner.first(half), joiner.second(half)});
    mesh.report.t_junctions =
        count_t_junctions(mesh, open, maths::max(weld_tolerance, kJunctionRounding * joiner.coordinate));
    joiner.write();
}

Message join_known(std::span<const KeptTriangle> triangles, Vector<std::uint32_t> neighbours, MeshGeometry& mesh) {
    Joiner joiner(triangles, mesh, std::move(neighbours));
    const auto fault = [](std::uint32_t half, const char* what) {
        return message_of("neighbour ", half % 3, " of triangle ", half / 3, what);
    };
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (std::uint32_t half = 3 * t; half < 3 * t + 3; ++half) {
            const std::uint32_t other = joiner.neighbours[half];
            if (other == kNoTriangle) {
                joiner.leave_open(half);
                continue;
            }
            if (other >= triangles.size()) return fault(half, " is not there");
            if (other < t) {  // `other` has joined both triangles already if it names t
                if (joiner.edge_bends[half] == Joiner::kNotYet) return fault(half, " has another neighbour there");
                continue;
            }
            const std::uint32_t from = joiner.first(half), to = joiner.second(half);
            std::uint32_t back = 3 * other;
            while (back < 3 * other + 3 && (joiner.first(back) != to || joiner.second(back) != from)) ++back;
            if (back == 3 * other + 3) return fault(half, " has not its edge");
            if (joiner.neighbours[back] != t) return fault(half, " has another neighbour there");
            joiner.join(half, back);
        }
    }
    joiner.write();
    return "";
}

}  // namespace abut::cooking
