// Queries without the stages of pairs: casts of moving bodies, rays, distances of points.
#include <limits>

#include "pipeline/point_runs.hpp"
#include "pipeline/query_runner.hpp"

namespace abut {
namespace {

void write_hit(const FirstHit& hit, std::size_t pair, const CastColumns& out) {
    const auto put = [&](auto column, const auto& value) {
        if (!column.empty()) column[pair] = value;
    };
    put(out.time, hit.time), put(out.signed_distance, hit.distance);
    put(out.normal, hit.normal), put(out.point_a, hit.point_a), put(out.point_b, hit.point_b);
    put(out.child_a, hit.child_a), put(out.child_b, hit.child_b);
}

}  // namespace

void QueryRunner::answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    Status* const status = begin_statuses(pairs, out.status);
    casts.run(frame, motions, options, settings.max_child_pairs, {kernels, few_kernels, executor, &counters, &times}, status);
    scratch.flag.assign(pairs, 0);
    for (std::size_t i = 0; i < pairs; ++i) {
        const FirstHit& first = casts.first()[i];
        const bool is_answered = status[i] == Status::ok || status[i] == Status::not_converged;
        scratch.flag[i] = is_answered && first.hits;
        FirstHit miss = {};
        if (is_answered) {
            miss.time = options.latest.empty() ? 1.0 : double(options.latest[i]);
            miss.distance = std::numeric_limits<float>::infinity();
        }
        write_hit(scratch.flag[i] != 0 ? first : miss, i, out);
    }
    give_hits(pairs, out);
}

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
