// See point_distances.hpp.
#include "point_distances.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "files.hpp"
#include "progress.hpp"

namespace abut::tools {
namespace {

constexpr std::size_t kBatch = 10000;  // points per call

}  // namespace

PointDistances measure_points(const ShapeStore& store, ShapeId shape, std::span<const Vec3> points, bool solid_meshes) {
    const Body body = {{0, 0, 0}, shape, {0, 0, 0, 1}};
    NarrowPhase narrow;
    PointDistances all;
    Progress progress("measuring, points", points.size());
    for (std::size_t first = 0; first < points.size(); first += kBatch) {
        const std::span<const Vec3> batch = points.subspan(first, std::min(kBatch, points.size() - first));
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i < batch.size(); ++i) pairs.push_back({i, 0});
        PointDistances found;
        const auto result = narrow.measure({&store, Bodies(&body, 1), pairs}, {.positions = batch}, found,
                                           {.solid_meshes = solid_meshes});
        if (!result) throw InputError(std::string(result.error().message.view()));
        all.signed_distance.insert(all.signed_distance.end(), found.signed_distance.begin(),
                                   found.signed_distance.end());
        all.child.insert(all.child.end(), found.child.begin(), found.child.end());
        progress.step(batch.size());
    }
    return all;
}

}  // namespace abut::tools
