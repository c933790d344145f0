// See body_records.hpp.
#include "batch/body_records.hpp"

#include "base/parallel/blocks.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/valid_pose.hpp"
#include "shapes/instance_pose.hpp"

namespace abut {

namespace {
constexpr std::size_t kBlockBodies = 4096;

// Converts a body to a shape without a pose of its own, field by field. A bad pose stays bad, whatever the shape's
// pose.
void put(const Body& body, PlacedShape& out) {
    out.position = {body.position.x, body.position.y, body.position.z};
    out.shape = body.shape;
    out.orientation = is_valid_pose(body) ? body.orientation : Quat{0, 0, 0, 0};
    out.offset = {};
}
void put(const Bodies& bodies, std::size_t i, PlacedShape& out) {
    const BodyColumns& columns = bodies.columns();
    if (!bodies.records().empty()) return put(*reinterpret_cast<const Body*>(bodies.records().address(i)), out);
    if (columns.double_positions.empty()) return put(bodies[i], out);
    out = {columns.double_positions[i], columns.shapes[i], 0,
           columns.transforms.empty() ? columns.orientations[i] : bodies[i].orientation};
}

}  // namespace

std::optional<Frame> BodyRecords::with_records(const Frame& frame, const Kernels& kernels, const Executor& executor,
                                               bool bodies_stay) {
    const ShapeTables& tables = tables_of(*frame.shapes);
    const std::size_t bodies = frame.bodies.size(), pairs = frame.pairs.size();
    const bool has_doubles = !frame.bodies.columns().double_positions.empty(),
               is_relative = !frame.relative_poses.empty();
    placed_pairs_ = {};
    if (tables.has_poses || (has_doubles && !is_relative && bodies <= pairs))
        return with_placed(frame, tables, kernels, executor, bodies_stay);
    if (!frame.bodies.records().empty() || has_doubles || is_relative || bodies > 2 * pairs) return std::nullopt;
    if (records_.size() < bodies) records_.resize(bodies);
    const PairRecordBuilder builder(frame);
    for_each_in_blocks(executor, bodies, kBlockBodies,
                       [&](std::size_t i) { builder.put_body(static_cast<std::uint32_t>(i), records_[i]); });
    Frame out = frame;
    out.bodies = Bodies(records_.data(), bodies);
    return out;
}

Frame BodyRecords::with_placed(const Frame& frame, const ShapeTables& tables, const Kernels& kernels,
                               const Executor& executor, bool bodies_stay) {
    const Bodies& bodies = frame.bodies;
    const std::size_t pairs = frame.pairs.size();
    const bool by_pair = !frame.relative_poses.empty() || (!bodies_stay && bodies.size() > 2 * pairs);
    const std::size_t count = by_pair ? 2 * pairs : bodies.size();
    if (placed_.size() < count) placed_.resize(count);
    if (by_pair && pairs_.size() < pairs) pairs_.resize(pairs);
    for_each_block(executor, count, kBlockBodies, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            if (!by_pair)
                put(bodies, i, placed_[i]);
            else if (i % 2 == 0)
                place_pair(frame, i / 2);
        }
        if (tables.has_poses) apply_shape_poses(tables, kernels.poses, {placed_.data() + first, end - first});
    });
    Frame out = frame;
    if (by_pair) out.pairs = {pairs_.data(), pairs}, out.relative_poses = {};
    placed_pairs_ = out.pairs;
    const Strided<PlacedShape> all(placed_.data(), count);
    out.bodies = BodyColumns{all.member<ShapeId>(offsetof(PlacedShape, shape)),
                             {},
                             all.member<DVec3>(offsetof(PlacedShape, position)),
                             all.member<Quat>(offsetof(PlacedShape, orientation))};
    return out;
}

// Makes two records for one pair alone, in the pair's order.
void BodyRecords::place_pair(const Frame& frame, std::size_t i) {
    const Bodies& bodies = frame.bodies;
    const Pair pair = frame.pairs[i];
    const bool is_relative = !frame.relative_poses.empty(), is_first = pair.a <= pair.b;
    const auto first = static_cast<std::uint32_t>(2 * i);
    const auto place = [&](std::uint32_t to, std::uint32_t from, const RelativePose& pose) {
        if (from >= bodies.size())
            placed_[to] = {{}, ShapeId()};
        else if (is_relative)
            put({pose.position, bodies.columns().shapes[from], pose.orientation}, placed_[to]);
        else
            put(bodies, from, placed_[to]);
    };
    pairs_[i] = {first + !is_first, first + is_first};
    place(pairs_[i].a, pair.a, {});
    place(pairs_[i].b, pair.b, is_relative ? frame.relative_poses[i] : RelativePose{});
    if (!is_relative && pair.a == pair.b) pairs_[i].b = pairs_[i].a;
}

}  // namespace abut
