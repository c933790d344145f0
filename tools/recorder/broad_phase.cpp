#include "broad_phase.hpp"

#include <string>

#include <abut/broad_phase.hpp>

#include "files.hpp"

namespace abut::tools {
namespace {

void check(const CallResult& result) {
    if (!result) throw InputError(std::string(result.error().message));
}

}  // namespace

std::vector<Pair> candidate_pairs(std::span<const ShapeSpec> shapes, std::span<const CaptureBody> bodies,
                                  std::uint32_t fixed, double widening) {
    ShapeStore store;
    std::vector<ShapeId> ids;
    for (const ShapeSpec& shape : shapes) {
        const Expected<ShapeId> id = add_shape(store, shape);
        if (!id) throw InputError(std::string(id.error().message));
        ids.push_back(*id);
    }
    std::vector<Body> placed;
    std::vector<std::uint8_t> moving;
    for (const CaptureBody& body : bodies) {
        moving.push_back(placed.size() >= fixed);
        placed.push_back({body.position, ids[body.shape], body.orientation});
    }
    std::vector<Bounds> bounds(placed.size());
    check(world_bounds(store, placed, bounds));
    PairList list;
    check(BroadPhase().find_pairs({.bounds = bounds, .margin = float(widening), .moving = moving}, list));
    return list.pairs;
}

}  // namespace abut::tools
