// See body_records.hpp.
#include "pairs/body_records.hpp"

#include "frame/pair_records.hpp"
#include "frame/valid_pose.hpp"
#include "parallel/blocks.hpp"
#include "shapes/instance_pose.hpp"

namespace abut {

namespace {
constexpr std::size_t kBlockBodies = 4096;
}

std::optional<Frame> BodyRecords::with_records(const Frame& frame, const Executor& executor, bool bodies_stay) {
    placed_pairs_ = {};
    if (const ShapeTables& tables = tables_of(*frame.shapes); tables.has_poses) return with_poses(frame, tables, executor, bodies_stay);
    if (!frame.bodies.records().empty()) return std::nullopt;
    const BodyColumns& columns = frame.bodies.columns();
    const std::size_t bodies = columns.shapes.size();
    const bool is_for_pairs = !frame.relative_poses.empty() || !columns.double_positions.empty();
    if (is_for_pairs || bodies > 2 * frame.pairs.size()) return std::nullopt;
    if (records_.size() < bodies) records_.resize(bodies);
    const PairRecordBuilder builder(frame);
    for_each_in_blocks(executor, bodies, kBlockBodies, [&](std::size_t i) { builder.put_body(static_cast<std::uint32_t>(i), records_[i]); });
    Frame out = frame;
    out.bodies = Bodies(records_.data(), bodies);
    return out;
}

BodyRecords::PlacedShape BodyRecords::placed(const ShapeTables& tables, Body body, const DVec3& at, bool is_valid) {
    const exact::Vec3d offset = pose_shape(tables, body);
    if (!is_valid) body.orientation = {0, 0, 0, 0};  // bad, wherever the shape is
    return {{at.x + offset.x, at.y + offset.y, at.z + offset.z}, body.shape, body.orientation, {float(offset.x), float(offset.y), float(offset.z)}};
}

Frame BodyRecords::with_poses(const Frame& frame, const ShapeTables& tables, const Executor& executor, bool bodies_stay) {
    const Bodies& bodies = frame.bodies;
    const std::size_t pairs = frame.pairs.size();
    const bool by_pair = !frame.relative_poses.empty() || (!bodies_stay && bodies.size() > 2 * pairs);
    const std::size_t count = by_pair ? 2 * pairs : bodies.size();
    if (placed_.size() < count) placed_.resize(count);
    Frame out = frame;
    if (by_pair) {
        if (pairs_.size() < pairs) pairs_.resize(pairs);
        for_each_in_blocks(executor, pairs, kBlockBodies, [&](std::size_t i) { place_pair(frame, tables, i); });
        out.pairs = {pairs_.data(), pairs};
        out.relative_poses = {};
    } else {
        const bool has_doubles = !bodies.columns().double_positions.empty();
        for_each_in_blocks(executor, count, kBlockBodies, [&](std::size_t i) {
            const Body body = bodies[i];
            placed_[i] = placed(tables, body, bodies.position(i), has_doubles || is_valid_pose(body));
        });
    }
    placed_pairs_ = out.pairs;
    const Strided<PlacedShape> all(placed_.data(), count);
    out.bodies = BodyColumns{all.member<ShapeId>(offsetof(PlacedShape, shape)),
                             {},
                             all.member<DVec3>(offsetof(PlacedShape, position)),
                             all.member<Quat>(offsetof(PlacedShape, orientation))};
    return out;
}

// Two bodies for a pair, in the order of its own.
void BodyRecords::place_pair(const Frame& frame, const ShapeTables& tables, std::size_t i) {
    const Bodies& bodies = frame.bodies;
    const Pair pair = frame.pairs[i];
    const bool is_relative = !frame.relative_poses.empty(), has_doubles = !bodies.columns().double_positions.empty();
    const bool is_first = pair.a <= pair.b, is_self = !is_relative && pair.a == pair.b;
    const auto first = static_cast<std::uint32_t>(2 * i);
    const auto place = [&](std::uint32_t to, std::uint32_t from, const RelativePose& pose) {
        if (from >= bodies.size())
            placed_[to] = {{}, ShapeId(), {}, {}};
        else if (is_relative)
            placed_[to] = placed(tables, {pose.position, bodies.columns().shapes[from], pose.orientation},
                                 {pose.position.x, pose.position.y, pose.position.z}, is_valid_pose({pose.position, {}, pose.orientation}));
        else
            placed_[to] = placed(tables, bodies[from], bodies.position(from), has_doubles || is_valid_pose(bodies[from]));
    };
    pairs_[i] = {first + !is_first, is_self ? first : first + is_first};
    place(pairs_[i].a, pair.a, {});
    if (!is_self) place(pairs_[i].b, pair.b, is_relative ? frame.relative_poses[i] : RelativePose{});
}

}  // namespace abut
