// See body_records.hpp.
#include "pairs/body_records.hpp"

#include "frame/pair_records.hpp"
#include "parallel/blocks.hpp"

namespace abut {

namespace {
constexpr std::size_t kBlockBodies = 4096;
}

std::optional<Frame> BodyRecords::with_records(const Frame& frame, const Executor& executor) {
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

}  // namespace abut
