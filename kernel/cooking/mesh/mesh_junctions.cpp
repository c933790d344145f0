// See mesh_junctions.hpp. A hashed grid of the border's vertices: an edge looks into the cells that its pieces, no
// longer than a cell each, pass.
#include "cooking/mesh/mesh_junctions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/double_math.hpp"

namespace abut::cooking {
namespace {

using maths::Vec3d;

// Limits of averages: a cell is no longer than an edge and holds at most kMostInCell vertices on average, unless an
// edge would then pass more than kMostPieces cells.
constexpr double kMostInCell = 4, kMostPieces = 64;
// The largest number of vertices and cells examined per open edge, on average; a soup needs five. Among many edges of
// very different lengths, the limit makes the count of T-junctions too low, but cooking ends.
constexpr std::size_t kMostLooks = 512, kLeastLooks = std::size_t(1) << 26;
constexpr double kShortEdge = 2;     // cells: the longest edge that is searched as a whole
constexpr double kMostCells = 8192;  // the largest number of cells along the longest edge

// Coordinates of a cell. They fit int, because a cell is several tolerances long.
struct Cell {
    std::int32_t x, y, z;
};

class VertexGrid {
public:
    VertexGrid(const MeshGeometry& mesh, std::span<const std::uint32_t> vertices) : mesh_(mesh), border_(vertices) {
        std::size_t buckets = kBlock;
        while (buckets < 2 * vertices.size()) buckets *= 2;
        firsts_.resize(buckets + 1);
        buckets_.resize(vertices.size());
    }

    // Sorts the vertices into cells of length `cell`. Returns the mean number of vertices in a vertex's cell.
    double sort_into_cells(double cell) {
        inverse_ = 1 / cell;
        std::fill(firsts_.begin(), firsts_.end(), 0);
        for (std::size_t i = 0; i < border_.size(); ++i) {
            buckets_[i] = static_cast<std::uint32_t>(bucket_of(mesh_.vertices[border_[i]]));
            ++firsts_[buckets_[i] + 1];
        }
        double neighbours = 0;
        for (std::size_t i = 1; i < firsts_.size(); ++i) {
            neighbours += double(firsts_[i]) * firsts_[i];
            firsts_[i] += firsts_[i - 1];
        }
        return neighbours / double(border_.size());
    }
    // Must be called after the last sort.
    void fill() {
        Vector<std::uint32_t> next(firsts_.begin(), firsts_.end() - 1);
        places_.resize(border_.size());
        for (std::size_t i = 0; i < border_.size(); ++i)
            places_[next[buckets_[i]]++] = {mesh_.vertices[border_[i]], border_[i]};
    }

    Vec3d at(std::uint32_t vertex) const { return maths::to_double(mesh_.vertices[vertex]); }
    // Calls visit(point, vertex) for all vertices in the box, for some twice. Returns the number of vertices and cells
    // examined.
    template <class Visit>
    std::size_t for_each_within(Vec3 low, Vec3 high, Visit&& visit) const {
        std::size_t looks = 0;
        const Cell first = cell_of(low), last = cell_of(high);
        for (std::int32_t x = first.x; x <= last.x; ++x) {
            for (std::int32_t y = first.y; y <= last.y; ++y) {
                const std::uint64_t hash = hash_of(x, y);
                for (std::int32_t z = first.z; z <= last.z; ++z)
                    looks += visit_bucket(bucket_of(hash, {x, y, z}), low, high, visit);
            }
        }
        return looks;
    }

private:
    struct Place {
        Vec3 at;
        std::uint32_t vertex;
    };
    // Cells of one block are contiguous, so that an edge needs few cache lines.
    static constexpr unsigned kBlockBits = 2;  // of the block's edge, in cells
    static constexpr std::size_t kBlock = 1u << 3 * kBlockBits;

    Cell cell_of(Vec3 p) const {
        // Faster than std::floor, which is a call without SSE4.1.
        const auto floor = [this](float x) {
            const auto cell = static_cast<std::int32_t>(x * inverse_);
            return x * inverse_ < cell ? cell - 1 : cell;
        };
        return {floor(p.x), floor(p.y), floor(p.z)};
    }
    static std::uint64_t mixed(std::uint64_t hash, std::int32_t part) {
        hash = (hash ^ static_cast<std::uint32_t>(part >> kBlockBits)) * 0x9e3779b97f4a7c15u;
        return hash ^ hash >> 32;
    }
    static std::uint64_t hash_of(std::int32_t x, std::int32_t y) { return mixed(mixed(0, x), y); }
    std::size_t bucket_of(std::uint64_t hash, const Cell& cell) const {
        std::size_t inside = 0;
        for (const std::int32_t part : {cell.x, cell.y, cell.z})
            inside = inside << kBlockBits | (static_cast<unsigned>(part) & ((1u << kBlockBits) - 1));
        return (mixed(hash, cell.z) * kBlock & (firsts_.size() - 2)) + inside;
    }
    std::size_t bucket_of(Vec3 p) const {
        const Cell cell = cell_of(p);
        return bucket_of(hash_of(cell.x, cell.y), cell);
    }
    template <class Visit>
    std::size_t visit_bucket(std::size_t bucket, Vec3 low, Vec3 high, Visit&& visit) const {
        for (std::uint32_t i = firsts_[bucket]; i < firsts_[bucket + 1]; ++i) {
            const Vec3 p = places_[i].at;
            if (p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z)
                visit(p, places_[i].vertex);
        }
        return firsts_[bucket + 1] - firsts_[bucket] + 1;
    }

    const MeshGeometry& mesh_;
    std::span<const std::uint32_t> border_;
    double inverse_ = 1;
    Vector<std::uint32_t> firsts_;   // by bucket
    Vector<std::uint32_t> buckets_;  // by place in border_
    Vector<Place> places_;
};

// True if a point is within the tolerance of a segment, and farther than the tolerance from its ends, to which it would
// be welded.
bool is_on_segment(const Vec3d& p, const Vec3d& from, const Vec3d& way, double tolerance) {
    const double squared = maths::dot(way, way), along = maths::dot(p - from, way),
                 slack = tolerance * std::sqrt(squared);
    if (!(along > slack && along < squared - slack)) return false;
    const Vec3d off = p - from - way * (along / squared);
    return maths::dot(off, off) <= tolerance * tolerance;
}

// The box, larger by `by` in all directions. Rounding to floats removes less than the tolerance.
std::pair<Vec3, Vec3> widened(const maths::BoxD& box, double by) {
    const auto low = [by](double x) { return static_cast<float>(x - by); };
    const auto high = [by](double x) { return static_cast<float>(x + by); };
    return {{low(box.low.x), low(box.low.y), low(box.low.z)}, {high(box.high.x), high(box.high.y), high(box.high.z)}};
}

// The vertices of open edges, ascending.
Vector<std::uint32_t> border_of(const MeshGeometry& mesh, std::span<const OpenEdge> edges) {
    Vector<std::uint8_t> is_border(mesh.vertices.size());
    for (const OpenEdge& edge : edges) is_border[edge.from] = is_border[edge.to] = 1;
    Vector<std::uint32_t> border;
    for (std::uint32_t v = 0; v < is_border.size(); ++v)
        if (is_border[v] != 0) border.push_back(v);
    return border;
}

Vec3d way_of(const MeshGeometry& mesh, const OpenEdge& edge) {
    return maths::to_double(mesh.vertices[edge.to]) - maths::to_double(mesh.vertices[edge.from]);
}

// Chooses the length of cells and sorts the vertices into them. Returns the length.
double sort_into_cells(const MeshGeometry& mesh, std::span<const OpenEdge> edges, double tolerance, VertexGrid& grid) {
    double sum = 0, longest = 0;
    for (const OpenEdge& edge : edges) {
        const double length = maths::norm(way_of(mesh, edge));
        sum += length, longest = std::max(longest, length);
    }
    const double mean = sum / double(edges.size()),
                 shortest = std::max({mean / kMostPieces, longest / kMostCells, 8 * tolerance});
    double cell = std::max(mean, shortest);
    while (grid.sort_into_cells(cell) > kMostInCell && cell > shortest) cell = std::max(cell / 2, shortest);
    grid.fill();
    return cell;
}

// The number of edges from the first of `edges` that are searched together: one, or the short edges of one triangle.
std::size_t group_at(const MeshGeometry& mesh, std::span<const OpenEdge> edges, double cell) {
    const auto is_short = [&](const OpenEdge& edge) {
        const Vec3d way = way_of(mesh, edge);
        return maths::dot(way, way) <= kShortEdge * kShortEdge * cell * cell;
    };
    std::size_t size = 1;
    if (!is_short(edges[0])) return size;
    while (size < edges.size() && size < 3 && edges[size].from == edges[size - 1].to && is_short(edges[size])) ++size;
    return size;
}

// Calls look(box) for the box of a group of edges, or for the box of each piece of a long edge.
template <class Look>
void for_each_piece(const VertexGrid& grid, const MeshGeometry& mesh, std::span<const OpenEdge> group, double cell,
                    Look&& look) {
    const Vec3d from = grid.at(group[0].from), way = way_of(mesh, group[0]);
    const double squared = maths::dot(way, way);
    if (squared <= kShortEdge * kShortEdge * cell * cell) {
        maths::BoxD box = {from, from};
        for (const OpenEdge& edge : group) box = joined(box, grid.at(edge.to));
        return look(box);
    }
    const double pieces = std::ceil(std::sqrt(squared) / cell);
    for (double i = 0; i < pieces; ++i) {
        const Vec3d a = from + way * (i / pieces), b = from + way * ((i + 1) / pieces);
        look(joined(maths::BoxD{a, a}, b));
    }
}

}  // namespace

std::uint32_t count_t_junctions(const MeshGeometry& mesh, std::span<const OpenEdge> edges, double tolerance) {
    if (edges.empty()) return 0;
    const Vector<std::uint32_t> border = border_of(mesh, edges);
    VertexGrid grid(mesh, border);
    const double cell = sort_into_cells(mesh, edges, tolerance, grid);
    Vector<std::uint8_t> is_junction(mesh.vertices.size());
    std::uint32_t count = 0;
    const std::size_t most = std::max(kMostLooks * edges.size(), kLeastLooks);
    for (std::size_t first = 0, looks = 0; first < edges.size() && looks < most;) {
        const auto group = edges.subspan(first, group_at(mesh, edges.subspan(first), cell));
        first += group.size();
        const auto look = [&](Vec3 p, std::uint32_t v) {
            if (is_junction[v] != 0) return;
            for (const OpenEdge& edge : group) {
                if (v == edge.from || v == edge.to) continue;
                if (!is_on_segment(maths::to_double(p), grid.at(edge.from), way_of(mesh, edge), tolerance)) continue;
                is_junction[v] = 1;
                ++count;
                return;
            }
        };
        for_each_piece(grid, mesh, group, cell, [&](const maths::BoxD& piece) {
            const auto [low, high] = widened(piece, 2 * tolerance);
            looks += grid.for_each_within(low, high, look);
        });
    }
    return count;
}

}  // namespace abut::cooking
