// HACD divides a part's triangles into clusters. The hulls are then those of all vertices of the cluster, so that their
// union contains the mesh's surface, however coarse the mesh was that HACD saw.
#include "decompose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <abut/shape_store.hpp>

#include <fmt/format.h>

#include "files.hpp"
#include "hacd.hpp"
#include "point_distances.hpp"

namespace abut::tools {
namespace {

using Labels = std::vector<std::uint32_t>;

constexpr std::uint32_t kNoTriangle = 0xffffffff;

struct Bounds {
    std::array<double, 3> least, most;

    explicit Bounds(std::span<const Vec3> points) {
        least.fill(std::numeric_limits<double>::infinity());
        most.fill(-std::numeric_limits<double>::infinity());
        for (const Vec3& p : points) {
            const double at[3] = {p.x, p.y, p.z};
            for (std::size_t k = 0; k < 3; ++k)
                least[k] = std::min(least[k], at[k]), most[k] = std::max(most[k], at[k]);
        }
    }
    // Half the longest edge.
    double size() const { return std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2]}) / 2; }
};

// A part as HACD sees it.
struct CoarsePart {
    GridMesh grid;
    Labels nearest;       // by the part's triangle: its own in the grid, or the nearest
    double metres = 0.0;  // of the grid's unit
    double weld = 0.0;    // metres
};

std::vector<Vec3> on_grid(const Part& part, const Bounds& bounds, double metres) {
    std::vector<Vec3> points;
    points.reserve(part.points.size());
    for (const Vec3& p : part.points) {
        const auto place = [&](float x, std::size_t k) {
            return float(std::round((double(x) - (bounds.least[k] + bounds.most[k]) / 2) / metres));
        };
        points.push_back({place(p.x, 0) + 0.0f, place(p.y, 1) + 0.0f, place(p.z, 2) + 0.0f});
    }
    return points;
}

// Without degenerate and duplicate triangles. Empty if none is left.
CookedMesh cook_coarse(std::span<const Vec3> points, std::span<const MeshTriangle> triangles, double& weld) {
    for (;;) {
        auto cooked = cook_mesh(points, triangles, {.sides = MeshSides::both, .weld_tolerance = float(weld)});
        if (!cooked) return {};
        const double too_many = double(cooked->report().triangles) / double(kMostTriangles);
        if (too_many <= 1.0) return std::move(*cooked);
        // Triangles become fewer as the square of the tolerance, once it is above the length of the edges.
        weld = weld == 0.0 ? kGridEdge / 64.0 : weld * std::max(1.05, std::sqrt(too_many));
    }
}

// Triangles that the coarse mesh does not have get the nearest of those that it has.
void find_nearest(const ShapeStore& store, ShapeId mesh, std::span<const Vec3> points, const Part& part,
                  Labels& nearest) {
    std::vector<Vec3> centres;
    Labels without;
    const Labels grid_of = nearest;
    for (std::uint32_t t = 0; t < nearest.size(); ++t) {
        if (nearest[t] != kNoTriangle) continue;
        Vec3 sum;
        for (const std::uint32_t i : part.faces[t])
            sum = {sum.x + points[i].x / 3, sum.y + points[i].y / 3, sum.z + points[i].z / 3};
        centres.push_back(sum);
        without.push_back(t);
    }
    const std::vector<std::uint32_t> found = measure_points(store, mesh, centres).child;
    for (std::size_t i = 0; i < without.size(); ++i) nearest[without[i]] = grid_of[found[i]];
}

CoarsePart coarse_of(const Part& part) {
    CoarsePart coarse;
    const Bounds bounds(part.points);
    if (!(bounds.size() > 0.0)) return coarse;
    coarse.metres = bounds.size() / kGridEdge;
    const std::vector<Vec3> points = on_grid(part, bounds, coarse.metres);
    std::vector<MeshTriangle> triangles;
    for (const auto& [a, b, c] : part.faces) triangles.push_back({{a, b, c}});
    double weld = 0.0;
    const CookedMesh cooked = cook_coarse(points, triangles, weld);
    if (cooked.empty()) return coarse;
    coarse.weld = weld * coarse.metres;

    ShapeStore store;
    const auto id = store.add_mesh(cooked);
    if (!id) throw InputError(std::string(id.error().message.view()));
    std::vector<Vec3> vertices(cooked.report().vertices);
    store.mesh_vertices(*id, vertices);
    for (const Vec3& v : vertices) coarse.grid.points.push_back({v.x, v.y, v.z});
    store.mesh_triangles(*id, triangles);
    for (const auto& [corners] : triangles) {
        const bool is_kept = corners[0] != corners[1];
        coarse.nearest.push_back(is_kept ? std::uint32_t(coarse.grid.triangles.size()) : kNoTriangle);
        if (is_kept) coarse.grid.triangles.push_back({corners[0], corners[1], corners[2]});
    }
    find_nearest(store, *id, points, part, coarse.nearest);
    return coarse;
}

// By triangle of the part.
struct Clusters {
    Labels label;
    std::uint32_t count = 1;
};

Clusters clusters_of(const Part& part, const CoarsePart& coarse, double concavity, std::uint32_t most,
                     const std::string& what) {
    Clusters clusters;
    clusters.label.assign(part.faces.size(), 0);
    if (coarse.grid.triangles.empty()) return clusters;
    try {
        const Labels labels = hacd_clusters(coarse.grid, concavity / coarse.metres, most, what);
        Labels number(labels.size(), kNoTriangle);  // in the order of the part's triangles
        clusters.count = 0;
        for (std::size_t t = 0; t < clusters.label.size(); ++t) {
            std::uint32_t& own = number[labels[coarse.nearest[t]]];
            if (own == kNoTriangle) own = clusters.count++;
            clusters.label[t] = own;
        }
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("part \"{}\" cannot be decomposed: {}", part.name, error.what()));
    }
    return clusters;
}

// The greatest number of clusters per part with which there are at most `most` in all.
std::uint32_t share_of(std::span<const Clusters> clusters, std::uint32_t most) {
    const auto sum = [&](std::uint32_t share) {
        std::size_t all = 0;
        for (const Clusters& c : clusters) all += std::min(c.count, share);
        return all;
    };
    std::uint32_t share = most;
    while (share > 1 && sum(share) > most) --share;
    return share;
}

std::vector<Clusters> all_clusters(std::span<const Part> parts, double concavity, std::uint32_t most_hulls,
                                   double& weld) {
    if (parts.size() > most_hulls)
        throw InputError(fmt::format(
            "{} parts do not hang together, more than --max-parts {}: --by all joins those that are near each other",
            parts.size(), most_hulls));
    std::vector<CoarsePart> coarse;
    std::vector<Clusters> clusters;
    const auto what = [&](std::size_t i) {
        return fmt::format("decomposing part {} of {}, percent", i + 1, parts.size());
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        coarse.push_back(coarse_of(parts[i]));
        weld = std::max(weld, coarse[i].weld);
        clusters.push_back(clusters_of(parts[i], coarse[i], concavity, parts.size() == 1 ? most_hulls : 0, what(i)));
    }
    const std::uint32_t share = share_of(clusters, most_hulls);
    std::size_t all = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (clusters[i].count > share) clusters[i] = clusters_of(parts[i], coarse[i], concavity, share, what(i));
        all += clusters[i].count;
    }
    if (all > most_hulls)
        throw InputError(
            fmt::format("{} parts are left that are too far from each other to be joined, more than --max-parts {}",
                        all, most_hulls));
    return clusters;
}

}  // namespace

Decomposition decompose(std::vector<Part> parts, const DecomposeOptions& options) {
    Decomposition made;
    made.mesh_volume = 0.0;
    std::vector<Vec3> all_points;
    for (Part& part : parts) {
        const std::optional<double> volume = signed_volume(part);
        if (volume && *volume < 0)
            for (auto& face : part.faces) std::swap(face[1], face[2]);
        made.mesh_volume =
            made.mesh_volume && volume ? std::optional(*made.mesh_volume + std::fabs(*volume)) : std::nullopt;
        all_points.insert(all_points.end(), part.points.begin(), part.points.end());
    }
    made.concavity = options.concavity.value_or(kConcavity * Bounds(all_points).size());
    const std::vector<Clusters> clusters = all_clusters(parts, made.concavity, options.most_hulls, made.weld);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto first_point = std::uint32_t(made.mesh.positions.size()),
                   first_object = std::uint32_t(made.mesh.objects.size());
        made.mesh.positions.insert(made.mesh.positions.end(), parts[i].points.begin(), parts[i].points.end());
        for (const auto& [a, b, c] : parts[i].faces)
            made.mesh.triangles.push_back({a + first_point, b + first_point, c + first_point});
        for (const std::uint32_t label : clusters[i].label) made.mesh.object_of.push_back(first_object + label);
        for (std::uint32_t k = 0; k < clusters[i].count; ++k)
            made.mesh.objects.push_back(clusters[i].count > 1 ? fmt::format("{}/{}", parts[i].name, k + 1)
                                                              : parts[i].name);
    }
    return made;
}

}  // namespace abut::tools
