// Queries without the stages of pairs: rays, distances of points.
#include "pipeline/point_runs.hpp"
#include "pipeline/query_runner.hpp"

namespace abut {
void QueryRunner::answer(RayColumns& out, const Frame& frame, const Rays& of, const RayOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    if (scratch.flag.size() < pairs) scratch.flag.resize(pairs);
    rays.run(frame, of, options, executor, kernels->find_entries, out, begin_statuses(pairs, out.status), scratch.flag.data());
    counters = {pairs, 0, pairs};
    give_hits(pairs, out);
}

void QueryRunner::answer(const PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    run_points(frame, points, options, executor, out, begin_statuses(pairs, out.status));
    counters = {pairs, 0, pairs};
}

}  // namespace abut
