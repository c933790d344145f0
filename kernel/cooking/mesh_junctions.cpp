// See mesh_junctions.hpp. A grid of cells as long as an open edge on average: each edge looks at the vertices of the cells along it.
#include "cooking/mesh_junctions.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/double_math.hpp"

namespace abut::cooking {
namespace {

using exact::Vec3d;

// A step along an edge is half a cell: what is within the tolerance of the edge is within this part of a cell of some step.
constexpr double kReach = 0.3;
constexpr double kMostCells = 8192;  // along the longest edge

struct Cell {
    std::int64_t x, y, z;

    friend bool operator==(const Cell&, const Cell&) = default;
};

class VertexGrid {
public:
    VertexGrid(const MeshGeometry& mesh, std::span<const std::uint32_t> vertices, double cell) : mesh_(mesh), inverse_(1 / cell) {
        std::size_t buckets = 1;
        while (buckets < 2 * vertices.size()) buckets *= 2;
        firsts_.resize(buckets + 1);
        for (const std::uint32_t v : vertices) ++firsts_[bucket_of(cell_of(at(v))) + 1];
        for (std::size_t i = 1; i < firsts_.size(); ++i) firsts_[i] += firsts_[i - 1];
        Vector<std::uint32_t> next(firsts_.begin(), firsts_.end() - 1);
        vertices_.resize(vertices.size());
        for (const std::uint32_t v : vertices) vertices_[next[bucket_of(cell_of(at(v)))]++] = v;
    }

    Vec3d at(std::uint32_t vertex) const { return exact::to_double(mesh_.vertices[vertex]); }
    // Calls visit(vertex) for those near a point; some may come twice.
    template <class Visit>
    void for_each_near(const Vec3d& p, Visit&& visit) const {
        const double reach = kReach / inverse_;
        const Cell low = cell_of(p - Vec3d{reach, reach, reach}), high = cell_of(p + Vec3d{reach, reach, reach});
        for (Cell cell = low; cell.x <= high.x; ++cell.x)
            for (cell.y = low.y; cell.y <= high.y; ++cell.y)
                for (cell.z = low.z; cell.z <= high.z; ++cell.z) {
                    const std::size_t bucket = bucket_of(cell);
                    for (std::uint32_t i = firsts_[bucket]; i < firsts_[bucket + 1]; ++i)
                        if (cell_of(at(vertices_[i])) == cell) visit(vertices_[i]);
                }
    }

private:
    Cell cell_of(const Vec3d& p) const {
        const auto floor = [this](double x) { return static_cast<std::int64_t>(std::floor(x * inverse_)); };
        return {floor(p.x), floor(p.y), floor(p.z)};
    }
    std::size_t bucket_of(const Cell& cell) const {
        std::uint64_t hash = 0;
        for (const std::int64_t part : {cell.x, cell.y, cell.z}) {
            hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        return hash & (firsts_.size() - 2);
    }

    const MeshGeometry& mesh_;
    double inverse_;
    Vector<std::uint32_t> firsts_, vertices_;  // by bucket
};

// Whether a point is beside the inside of a segment. The ends are not inside, nor what a weld would take for them.
bool is_within(const Vec3d& p, const Vec3d& from, const Vec3d& way, double tolerance) {
    const double squared = exact::dot(way, way), along = exact::dot(p - from, way), slack = tolerance * std::sqrt(squared);
    if (!(along > slack && along < squared - slack)) return false;
    const Vec3d off = p - from - way * (along / squared);
    return exact::dot(off, off) <= tolerance * tolerance;
}

}  // namespace

std::uint32_t count_t_junctions(const MeshGeometry& mesh, std::span<const OpenEdge> edges, double tolerance) {
    if (edges.empty()) return 0;
    const auto way_of = [&](const OpenEdge& e) { return exact::to_double(mesh.vertices[e.to]) - exact::to_double(mesh.vertices[e.from]); };
    Vector<std::uint32_t> border;
    double sum = 0, longest = 0;
    for (const OpenEdge& edge : edges) {
        border.push_back(edge.from), border.push_back(edge.to);
        const double length = exact::norm(way_of(edge));
        sum += length, longest = std::max(longest, length);
    }
    std::sort(border.begin(), border.end());
    border.erase(std::unique(border.begin(), border.end()), border.end());
    const double cell = std::max({sum / double(edges.size()), longest / kMostCells, 8 * tolerance});
    const VertexGrid grid(mesh, border, cell);
    Vector<std::uint8_t> is_junction(mesh.vertices.size());
    std::uint32_t count = 0;
    for (const OpenEdge& edge : edges) {
        const Vec3d from = grid.at(edge.from), way = way_of(edge);
        const auto steps = static_cast<std::uint32_t>(std::ceil(2 * exact::norm(way) / cell));
        for (std::uint32_t i = 0; i <= steps; ++i) {
            grid.for_each_near(from + way * (double(i) / double(std::max(steps, 1u))), [&](std::uint32_t v) {
                if (v == edge.from || v == edge.to || is_junction[v] != 0 || !is_within(grid.at(v), from, way, tolerance)) return;
                is_junction[v] = 1;
                ++count;
            });
        }
    }
    return count;
}

}  // namespace abut::cooking
