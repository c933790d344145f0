// See plane_runs.hpp.
#include "batch/plane_runs.hpp"

namespace abut {
namespace {

InstanceRecord halfspace_of(const PlanePair& pair) {
    InstanceRecord record = {};
    record.extent_x = static_cast<float>(pair.normal.x), record.extent_y = static_cast<float>(pair.normal.y);
    record.extent_z = static_cast<float>(pair.normal.z);
    record.radius = record.rounding = pair.rounding;
    return record;
}

}  // namespace

void PlaneRuns::make_room(std::size_t pairs, bool with_reaches) {
    grow(bodies_, 2 * pairs);
    grow(pairs_, pairs);
    grow(records_, pairs);
    if (with_reaches) grow(reaches_, pairs);
}

void PlaneRuns::set(std::uint32_t at, const PlanePair& pair) {
    const std::uint32_t slot = at % kBlock;
    bodies_[2 * std::size_t(at)] = pair.body, bodies_[2 * std::size_t(at) + 1] = pair.plane;
    bodies_[2 * std::size_t(at) + 1].shape = ShapeId::make(ShapeKind::halfspace, slot, 0);
    records_[at] = halfspace_of(pair);
    pairs_[at] = {2 * slot, 2 * slot + 1};
}

OutputView PlaneRuns::run_block(const Frame& frame, std::uint32_t first, std::uint32_t count,
                                const QueryParameters& wanted, const ChunkRunner& runner, const OutputView& columns) {
    const Frame part = {
        frame.shapes, Strided<Body>(&bodies_[2 * std::size_t(first)], 2 * std::size_t(count)), {&pairs_[first], count}};
    QueryParameters parameters = wanted;
    if (!wanted.margins.empty()) parameters.margins = {&reaches_[first], count};
    const OutputView out = scratch_.view(count, columns);
    sort_pairs(part, *runner.kernels, runner.executor, sorted_, out.status, Ids::trusted);
    const OtherShapes planes = {ShapeKind::halfspace, &records_[first]};
    runner.run(part, sorted_, parameters, out, &planes);
    return out;
}

void PlaneRuns::reserve(std::size_t pairs) {
    reserve_all(pairs, pairs_, reaches_, records_);
    bodies_.reserve(2 * pairs);
    reserve_all(std::min<std::size_t>(pairs, kBlock), sorted_, scratch_);
}

std::size_t PlaneRuns::bytes() const { return bytes_of(bodies_, pairs_, reaches_, records_, sorted_, scratch_); }

}  // namespace abut
