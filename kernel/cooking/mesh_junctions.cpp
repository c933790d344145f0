// See mesh_junctions.hpp. A hashed grid of the border's vertices: an edge looks into the cells that its pieces, no longer than a cell each, pass.
#include "cooking/mesh_junctions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/double_math.hpp"

namespace abut::cooking {
namespace {

using exact::Vec3d;

// A cell is no longer than an edge on average, and has no more vertices than this on average; but an edge passes no more cells than that on average.
constexpr double kMostInCell = 4, kMostPieces = 64;
constexpr double kMostCells = 8192;  // along the longest edge

// No farther from the origin than a tolerance allows, of which a cell has some: in int's range.
struct Cell {
    std::int32_t x, y, z;
};

class VertexGrid {
public:
    VertexGrid(const MeshGeometry& mesh, std::span<const std::uint32_t> vertices) : mesh_(mesh), border_(vertices) {
        std::size_t buckets = kBlock;
        while (buckets < 2 * vertices.size()) buckets *= 2;
        firsts_.resize(buckets + 1);
    }

    // Sorts the vertices into cells so long, and returns how many are in a vertex's cell on average.
    double sort(double cell) {
        inverse_ = 1 / cell;
        std::fill(firsts_.begin(), firsts_.end(), 0);
        for (const std::uint32_t v : border_) ++firsts_[bucket_of(cell_of(mesh_.vertices[v])) + 1];
        double neighbours = 0;
        for (std::size_t i = 1; i < firsts_.size(); ++i) {
            neighbours += double(firsts_[i]) * firsts_[i];
            firsts_[i] += firsts_[i - 1];
        }
        return neighbours / double(border_.size());
    }
    // After the last sort.
    void fill() {
        Vector<std::uint32_t> next(firsts_.begin(), firsts_.end() - 1);
        places_.resize(border_.size());
        for (const std::uint32_t v : border_) places_[next[bucket_of(cell_of(mesh_.vertices[v]))]++] = {mesh_.vertices[v], v};
    }

    Vec3d at(std::uint32_t vertex) const { return exact::to_double(mesh_.vertices[vertex]); }
    // Calls visit(point, vertex) for all within the box; for some twice.
    template <class Visit>
    void for_each_within(Vec3 low, Vec3 high, Visit&& visit) const {
        const Cell first = cell_of(low), last = cell_of(high);
        for (Cell cell = first; cell.x <= last.x; ++cell.x) {
            for (cell.y = first.y; cell.y <= last.y; ++cell.y) {
                for (cell.z = first.z; cell.z <= last.z; ++cell.z) {
                    const std::size_t bucket = bucket_of(cell);
                    for (std::uint32_t i = firsts_[bucket]; i < firsts_[bucket + 1]; ++i) {
                        const Vec3 p = places_[i].at;
                        if (p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z)
                            visit(p, places_[i].vertex);
                    }
                }
            }
        }
    }

private:
    struct Place {
        Vec3 at;
        std::uint32_t vertex;
    };
    // Cells of one block lie together: an edge's are in few cache lines.
    static constexpr std::size_t kBlock = 64;

    Cell cell_of(Vec3 p) const {
        // Faster than std::floor, which is a call without SSE4.1.
        const auto floor = [this](float x) {
            const auto cell = static_cast<std::int32_t>(x * inverse_);
            return x * inverse_ < cell ? cell - 1 : cell;
        };
        return {floor(p.x), floor(p.y), floor(p.z)};
    }
    std::size_t bucket_of(const Cell& cell) const {
        std::uint64_t hash = 0;
        for (const std::int32_t part : {cell.x, cell.y, cell.z}) {
            hash = (hash ^ static_cast<std::uint32_t>(part >> 2)) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        const unsigned inside = (unsigned(cell.x) & 3u) << 4 | (unsigned(cell.y) & 3u) << 2 | (unsigned(cell.z) & 3u);
        return (hash * kBlock & (firsts_.size() - 2)) + inside;
    }

    const MeshGeometry& mesh_;
    std::span<const std::uint32_t> border_;
    double inverse_ = 1;
    Vector<std::uint32_t> firsts_;  // by bucket
    Vector<Place> places_;
};

// Whether a point is beside the inside of a segment. The ends are not inside, nor what a weld would take for them.
bool is_within(const Vec3d& p, const Vec3d& from, const Vec3d& way, double tolerance) {
    const double squared = exact::dot(way, way), along = exact::dot(p - from, way), slack = tolerance * std::sqrt(squared);
    if (!(along > slack && along < squared - slack)) return false;
    const Vec3d off = p - from - way * (along / squared);
    return exact::dot(off, off) <= tolerance * tolerance;
}

// Rounding takes less than a tolerance off.
std::pair<Vec3, Vec3> box_about(const Vec3d& a, const Vec3d& b, double about) {
    const auto low = [about](double x, double y) { return static_cast<float>(exact::least(x, y) - about); };
    const auto high = [about](double x, double y) { return static_cast<float>(exact::most(x, y) + about); };
    return {{low(a.x, b.x), low(a.y, b.y), low(a.z, b.z)}, {high(a.x, b.x), high(a.y, b.y), high(a.z, b.z)}};
}

// Those of open edges, ascending.
Vector<std::uint32_t> border_of(const MeshGeometry& mesh, std::span<const OpenEdge> edges) {
    Vector<std::uint8_t> is_border(mesh.vertices.size());
    for (const OpenEdge& edge : edges) is_border[edge.from] = is_border[edge.to] = 1;
    Vector<std::uint32_t> border;
    for (std::uint32_t v = 0; v < is_border.size(); ++v)
        if (is_border[v] != 0) border.push_back(v);
    return border;
}

Vec3d way_of(const MeshGeometry& mesh, const OpenEdge& edge) {
    return exact::to_double(mesh.vertices[edge.to]) - exact::to_double(mesh.vertices[edge.from]);
}

// Returns how long a cell is.
double sort_into_cells(const MeshGeometry& mesh, std::span<const OpenEdge> edges, double tolerance, VertexGrid& grid) {
    double sum = 0, longest = 0;
    for (const OpenEdge& edge : edges) {
        const double length = exact::norm(way_of(mesh, edge));
        sum += length, longest = std::max(longest, length);
    }
    const double mean = sum / double(edges.size()), shortest = std::max({mean / kMostPieces, longest / kMostCells, 8 * tolerance});
    double cell = std::max(mean, shortest);
    while (grid.sort(cell) > kMostInCell && cell > shortest) cell = std::max(cell / 2, shortest);
    grid.fill();
    return cell;
}

}  // namespace

std::uint32_t count_t_junctions(const MeshGeometry& mesh, std::span<const OpenEdge> edges, double tolerance) {
    if (edges.empty()) return 0;
    const Vector<std::uint32_t> border = border_of(mesh, edges);
    VertexGrid grid(mesh, border);
    const double cell = sort_into_cells(mesh, edges, tolerance, grid);
    Vector<std::uint8_t> is_junction(mesh.vertices.size());
    std::uint32_t count = 0;
    for (const OpenEdge& edge : edges) {
        const Vec3d from = grid.at(edge.from), way = way_of(mesh, edge);
        const double pieces = std::max(std::ceil(exact::norm(way) / cell), 1.0);
        for (double i = 0; i < pieces; ++i) {
            const auto [low, high] = box_about(from + way * (i / pieces), from + way * ((i + 1) / pieces), 2 * tolerance);
            grid.for_each_within(low, high, [&](Vec3 p, std::uint32_t v) {
                if (v == edge.from || v == edge.to || is_junction[v] != 0) return;
                if (!is_within(exact::to_double(p), from, way, tolerance)) return;
                is_junction[v] = 1;
                ++count;
            });
        }
    }
    return count;
}

}  // namespace abut::cooking
