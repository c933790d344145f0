// Merges faces greedily, across the flattest edges first, unless the result would be no polyhedron. Half-edge 3 t + e
// is edge e of triangle t and starts at its corner e; a face is a loop of half-edges.
#include "cooking/hull/hull_faces.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/memory.hpp"

namespace abut::cooking {
namespace {

struct Face {
    Indices loop;       // the face's half-edges
    Indices triangles;  // the face's triangles
    Vec3d area;         // twice the vector area: additive, and its direction is the best plane's normal
    std::uint32_t pass =
        0;  // the pass that made the face, in which it is not merged again, so that faces double their size
};

struct Touch {  // how a face touches the loop that is tested
    std::uint32_t visit = 0, corners = 0, edges = 0, last = 0;
};

struct Edge {
    double step;  // of each triangle's opposite corner, the lesser distance from the plane of the other triangle
    std::uint32_t half, twin;
};

constexpr std::uint32_t kNoCorner = 0xffffffffu;
// A corner with more triangles is busy: a cone's apex, the first corner of a large fan. Walking around it for every
// merge would cost n^2.
constexpr std::uint32_t kMostWalked = 32;

class FaceMerger {
public:
    FaceMerger(const Vector<Vec3d>& grid, const Mesh& mesh, double thickness)
        : grid_(grid), mesh_(mesh), thickness_(thickness) {}

    Loops run() {
        for (const Triangle& t : mesh_.triangles)
            areas_.push_back(cross(grid_[t[1]] - grid_[t[0]], grid_[t[2]] - grid_[t[0]]));
        Vector<Edge> edges = flat_edges();
        Loops loops;
        if (edges.empty()) {
            for (const Triangle& t : mesh_.triangles) loops.add(t);
            return loops;
        }
        start();
        for (bool merged = true; merged;) {
            merged = false;
            ++pass_;
            const auto done = [&](const Edge& edge) {
                const bool gone = try_merge(edge);
                merged = merged || gone;
                return gone;
            };
            edges.erase(std::remove_if(edges.begin(), edges.end(), done), edges.end());
        }
        for (Face& face : faces_) {
            for (std::uint32_t& half : face.loop) half = corner(half);
            if (!face.loop.empty()) loops.add(face.loop);
        }
        return loops;
    }

private:
    std::uint32_t corner(std::uint32_t half) const { return mesh_.triangles[half / 3][half % 3]; }

    std::uint32_t twin(std::uint32_t half) const {
        const std::uint32_t to = corner(half / 3 * 3 + (half + 1) % 3), other = mesh_.neighbours[half / 3][half % 3];
        const Triangle& t = mesh_.triangles[other];
        return 3 * other + (t[0] == to ? 0 : t[1] == to ? 1 : 2);
    }

    // The distance of the opposite corner of the triangle `across` from this triangle's plane.
    double step(std::uint32_t half, std::uint32_t across) const {
        const Vec3d far = grid_[corner(across / 3 * 3 + (across + 2) % 3)], area = areas_[half / 3];
        return std::abs(dot(area, far - grid_[corner(half)])) / norm(area);
    }

    Vector<Edge> flat_edges() const {
        Vector<Edge> edges;
        for (std::uint32_t half = 0; half < 3 * mesh_.triangles.size(); ++half) {
            const std::uint32_t other = twin(half);
            if (corner(half) > corner(other)) continue;
            const double least = std::min(step(half, other), step(other, half));
            if (least <= thickness_) edges.push_back({least, half, other});
        }
        std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
            if (a.step != b.step) return a.step < b.step;
            return corner(a.half) != corner(b.half) ? corner(a.half) < corner(b.half) : corner(a.twin) < corner(b.twin);
        });
        return edges;
    }

    void start() {
        faces_at_.assign(grid_.size(), 0);
        mark_.assign(grid_.size(), 0);
        faces_.resize(mesh_.triangles.size());
        face_of_.resize(faces_.size());
        touch_.resize(faces_.size());
        failed_.assign(3 * faces_.size(), 0);
        for (std::uint32_t t = 0; t < faces_.size(); ++t) {
            faces_[t] = {{3 * t, 3 * t + 1, 3 * t + 2}, {t}, areas_[t], 0};
            face_of_[t] = t;
            for (const std::uint32_t c : mesh_.triangles[t]) ++faces_at_[c];
        }
        triangles_at_ = faces_at_;
        for (std::uint32_t t = 0; t < faces_.size(); ++t)
            for (const std::uint32_t c : mesh_.triangles[t])
                if (triangles_at_[c] > kMostWalked) at_busy_.insert(incidence(c, t));
    }

    static std::uint64_t incidence(std::uint32_t at, std::uint32_t face) { return std::uint64_t(at) << 32 | face; }

    // The corner of the loop with the most triangles, if these are more than kMostWalked.
    std::uint32_t busiest(const Indices& loop) const {
        std::uint32_t best = kNoCorner, most = kMostWalked;
        for (const std::uint32_t half : loop) {
            const std::uint32_t at = corner(half);
            if (triangles_at_[at] > most) most = triangles_at_[at], best = at;
        }
        return best;
    }

    // Appends the face's loop without `half`: from the end of `half` around the face to its start.
    static void append_rest(Indices& loop, const Face& face, std::uint32_t half) {
        const auto at = std::find(face.loop.begin(), face.loop.end(), half);
        loop.insert(loop.end(), at + 1, face.loop.end());
        loop.insert(loop.end(), face.loop.begin(), at);
    }

    bool try_merge(const Edge& edge) {
        const std::uint32_t from = corner(edge.half), to = corner(edge.twin);
        if (faces_at_[from] <= 3 || faces_at_[to] <= 3) return false;
        const std::uint32_t left = face_of_[edge.half / 3], right = face_of_[edge.twin / 3];
        if (faces_[left].pass == pass_ || faces_[right].pass == pass_) return false;
        // Two faces that did not form a flat polygon in an earlier pass do not form one now, unless they have grown.
        std::uint32_t& failed = failed_[edge.half];
        if (faces_[left].pass < failed && faces_[right].pass < failed) return false;
        Face both{{}, {}, faces_[left].area + faces_[right].area, pass_};
        append_rest(both.loop, faces_[left], edge.half);
        append_rest(both.loop, faces_[right], edge.twin);
        if (!is_flat(both) || !is_convex(both) || !is_simple(both.loop)) {
            failed = pass_;
            return false;
        }
        if (!meets_others_once(both.loop, left, right)) return false;

        for (const std::uint32_t t : faces_[right].triangles) face_of_[t] = left;
        for (const std::uint32_t half : faces_[right].loop)
            if (const std::uint32_t at = corner(half); triangles_at_[at] > kMostWalked) {
                at_busy_.erase(incidence(at, right));
                at_busy_.insert(incidence(at, left));
            }
        both.triangles = std::move(faces_[left].triangles);
        both.triangles.insert(both.triangles.end(), faces_[right].triangles.begin(), faces_[right].triangles.end());
        --faces_at_[from];
        --faces_at_[to];
        faces_[left] = std::move(both);
        faces_[right] = {};
        return true;
    }

    bool is_simple(const Indices& loop) {
        ++visit_;
        for (const std::uint32_t half : loop) {
            std::uint32_t& mark = mark_[corner(half)];
            if (mark == visit_) return false;
            mark = visit_;
        }
        return true;
    }

    // True if every other face that touches the loop shares one corner with it, or one edge and its two corners. Only a
    // face that touches both merged faces can do otherwise, if it has corners hardly above their plane. The busiest
    // corner is not walked around: faces that touch the loop only at that corner are allowed, and a table tells which
    // of the other faces have it.
    bool meets_others_once(const Indices& loop, std::uint32_t left, std::uint32_t right) {
        ++visit_;
        touched_.clear();
        const auto touch = [&](std::uint32_t triangle) -> Touch& {
            const std::uint32_t face = face_of_[triangle];
            Touch& t = touch_[face];
            if (t.visit != visit_) {
                t = {visit_, 0, 0, 0};
                touched_.push_back(face);
            }
            return t;
        };
        const std::uint32_t busy = busiest(loop);
        for (std::uint32_t i = 0; i < loop.size(); ++i) {
            ++touch(mesh_.neighbours[loop[i] / 3][loop[i] % 3]).edges;
            if (corner(loop[i]) == busy) continue;
            for (std::uint32_t half = loop[i];;) {  // the triangles about the corner
                Touch& t = touch(half / 3);
                if (t.last != i + 1) ++t.corners;
                t.last = i + 1;
                const std::uint32_t before = half / 3 * 3 + (half + 2) % 3;
                half = twin(before);
                if (half == loop[i]) break;
            }
        }
        return std::all_of(touched_.begin(), touched_.end(), [&](std::uint32_t face) {
            if (face == left || face == right) return true;
            const bool at_busy = busy != kNoCorner && at_busy_.contains(incidence(busy, face));
            const Touch& t = touch_[face];
            return t.edges <= 1 && t.corners + (at_busy ? 1 : 0) == t.edges + 1;
        });
    }

    bool is_flat(const Face& face) const {
        double low = 0, high = 0;
        for (const std::uint32_t half : face.loop) {
            const double h = dot(face.area, grid_[corner(half)] - grid_[corner(face.loop[0])]);
            low = std::min(low, h);
            high = std::max(high, h);
        }
        return high - low <= thickness_ * norm(face.area);
    }

    bool is_convex(const Face& face) const {
        const std::size_t n = face.loop.size();
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3d a = grid_[corner(face.loop[i])], b = grid_[corner(face.loop[(i + 1) % n])];
            const Vec3d c = grid_[corner(face.loop[(i + 2) % n])];
            if (dot(face.area, cross(b - a, c - b)) <= 0.0) return false;
        }
        return true;
    }

    const Vector<Vec3d>& grid_;
    const Mesh& mesh_;
    double thickness_;
    Vector<Vec3d> areas_;  // by triangle
    Vector<Face> faces_;   // an empty loop: merged into another face
    Indices face_of_;      // by triangle
    Vector<Touch> touch_;  // by face
    Indices touched_;      // faces that touch the loop that is tested
    Indices failed_;    // by half-edge: the last pass in which the faces of both triangles did not form a flat polygon
    Indices faces_at_;  // by corner: how many faces meet there
    Indices triangles_at_;  // by corner: how many triangles meet there
    std::unordered_set<std::uint64_t, std::hash<std::uint64_t>, std::equal_to<>, HostAllocator<std::uint64_t>>
        at_busy_;   // the faces at busy corners
    Indices mark_;  // by corner: the `visit_` of the last loop that passed it
    std::uint32_t visit_ = 0, pass_ = 0;
};

}  // namespace

Loops merge_faces(const Vector<Vec3d>& grid, const Mesh& mesh, double thickness) {
    return FaceMerger(grid, mesh, thickness).run();
}

}  // namespace abut::cooking
