// See plane_configurations.hpp.
#include "d2/pairs/plane_configurations.hpp"

#include <numeric>

#include "base/scratch_columns.hpp"

namespace abut::d2 {
namespace {

constexpr std::size_t kPairsTogether = 8192;  // of one thread

bool has_doubles(const Bodies& bodies) { return !bodies.columns().double_positions.empty(); }

}  // namespace

void ConfigurationQueries::put(std::size_t at, const Bodies& from, std::size_t i) {
    bodies[at] = from[i], positions[at] = from.position(i);
}

// Pair i of m configurations is at i * m + configuration.
Frame ConfigurationQueries::frame_of(const Configurations& all, std::span<const std::uint32_t> some, PairRange range) {
    const std::size_t own = all.robot_bodies, obstacles_at = bodies.size() - all.obstacles.size();
    for (std::size_t c = 0; c < some.size(); ++c)
        for (std::size_t i = 0; i < own; ++i) put(c * own + i, all.robot, some[c] * own + i);
    const auto index_of = [&](std::uint32_t body, std::size_t c) {
        const std::size_t index = body < own ? c * own + body : obstacles_at + (body - own);
        return index < bodies.size() ? static_cast<std::uint32_t>(index) : ~0u;
    };
    pairs.clear();
    for (std::uint32_t i = range.first; i < range.end; ++i)
        for (std::size_t c = 0; c < some.size(); ++c)
            pairs.push_back({index_of(all.pairs[i].a, c), index_of(all.pairs[i].b, c)});
    Frame frame = {all.shapes, bodies, pairs};
    if (!has_doubles(all.robot) && !has_doubles(all.obstacles)) return frame;
    BodyColumns columns = frame.bodies.columns();
    columns.positions = {}, columns.double_positions = positions;
    frame.bodies = columns;
    return frame;
}

// Calls visit(frame, some, range), which returns how many of them remain undecided. Bodies of the robot come first, as in
// the caller's pairs: of two boxes the one with the lower index is computed as A.
template <class Visit>
void ConfigurationQueries::for_each_frame(const Configurations& all, Visit&& visit) {
    const std::size_t together = kPairsTogether * queries.context.tasks();
    const auto block_of = [&](PairRange range) {
        return std::clamp<std::size_t>(together / range.count(), 1, all.size());
    };
    const auto count = static_cast<std::uint32_t>(all.pairs.size());
    if (count == 0) return;
    undecided.resize(all.size());
    std::iota(undecided.begin(), undecided.end(), 0u);
    const std::size_t obstacles = all.obstacles.size(),
                      most = all.robot_bodies * block_of({0, std::min(count, kFirstPart)});
    bodies.assign(most + obstacles, {}), positions.assign(most + obstacles, {});
    for (std::size_t i = 0; i < obstacles; ++i) put(most + i, all.obstacles, i);
    for_each_part(count, undecided, block_of, [&](std::span<std::uint32_t> some, PairRange range) {
        return visit(frame_of(all, some, range), some, range);
    });
}

void ConfigurationQueries::answer(AnyOverlapColumns& out, const Configurations& all) {
    clear_answers(out, all.size());
    for_each_frame(all, [&](const Frame& frame, std::span<std::uint32_t> some, PairRange range) {
        const std::size_t count = frame.pairs.size();
        grow(bits, (count + 31) / 32);
        OverlapColumns columns = {bits};
        queries.answer(columns, frame);
        return reduce_hits(some, range, queries.context.scratch.flag, queries.context.statuses(count), out);
    });
}

void ConfigurationQueries::answer(LeastDistanceColumns& out, const Configurations& all,
                                  const DistanceOptions& options) {
    clear_answers(out, all.size());
    for_each_frame(all, [&](const Frame& frame, std::span<std::uint32_t> some, PairRange range) {
        const std::size_t count = frame.pairs.size();
        grow(reach, count), grow(distance, count);
        for (std::size_t i = 0; i < count; ++i) {
            const float limit = options.max_distances.empty() ? options.max_distance
                                                              : options.max_distances[range.first + i / some.size()];
            reach[i] = std::min(limit, reach_for(out.signed_distance[some[i % some.size()]]));
        }
        DistanceColumns columns = {distance};
        if (!out.normal.empty()) grow(normal, count), columns.normal = normal;
        if (!out.point_a.empty()) grow(point_a, count), columns.point_a = point_a;
        if (!out.point_b.empty()) grow(point_b, count), columns.point_b = point_b;
        queries.answer(columns, frame, {.max_distances = reach, .separation_only = options.separation_only});
        reduce_distances(some, range, *this, queries.context.statuses(count), out);
        return some.size();
    });
}

}  // namespace abut::d2
