// See configuration_runs.hpp.
#include "queries/configurations/configuration_runs.hpp"

#include <algorithm>

#include "base/parallel/blocks.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/valid_pose.hpp"

namespace abut {

namespace {
constexpr std::size_t kBodiesAtOnce = 4096;  // bodies per task
}  // namespace

Bodies poses_of(const Configurations& all) {
    const auto* const any_shape = reinterpret_cast<const ShapeId*>(all.bodies.address(0));
    return BodyColumns{
        {any_shape, all.poses(), 0}, all.positions, all.double_positions, all.orientations, all.transforms};
}

bool has_doubles(const Configurations& all) {
    return !all.double_positions.empty() || !all.obstacles.columns().double_positions.empty();
}

void BodyCopies::begin(const Configurations& all, std::size_t count) {
    shapes_ = all.bodies, poses_ = poses_of(all), obstacles_ = all.obstacles;
    grow(records_, count);
    positions_.resize(has_doubles(all) ? count : 0);
}

void BodyCopies::put(std::size_t at, std::size_t configuration, std::size_t body) {
    const std::size_t count = shapes_.size();
    const bool moves = body < count;
    const Bodies& from = moves ? poses_ : obstacles_;
    const std::size_t i = moves ? configuration * count + body : body - count;
    records_[at] = from[i];
    if (moves) records_[at].shape = shapes_[body];
    if (!positions_.empty()) positions_[at] = from.position(i);
}

Bodies BodyCopies::bodies(std::size_t count) const {
    const Strided<Body> records(records_.data(), count);
    if (positions_.empty()) return records;
    BodyColumns columns = Bodies(records).columns();
    columns.positions = {}, columns.double_positions = {positions_.data(), count};
    return columns;
}

void ConfigurationRuns::begin(const Configurations& all, const Kernels& kernels, const Executor& executor,
                              std::size_t together) {
    all_ = all, executor_ = &executor;
    const std::size_t pairs = all.pairs.size();
    repeated_ = 0;
    if (all.size() == 0 || pairs == 0) return;
    block_ = static_cast<std::uint32_t>(std::clamp<std::size_t>(together / pairs, 1, all.size()));
    const Frame one = {all.shapes, copy_bodies(0, 1), all.pairs};
    if (status_.size() < pairs) status_.resize(pairs);
    sort_pairs(one, kernels, executor, list_, status_.data());
    all_have_answers_ = true;
    for (std::size_t i = 0; i < pairs; ++i) {
        if (status_[i] == Status::bad_pose) status_[i] = Status::unsupported;
        all_have_answers_ = all_have_answers_ && status_[i] == Status::ok;
    }
}

void ConfigurationRuns::repeat_list(std::uint32_t configurations) {
    const auto pairs = static_cast<std::uint32_t>(all_.pairs.size()),
               bodies = static_cast<std::uint32_t>(all_.bodies.size());
    repeated_ = configurations;
    // The index of a body in a configuration, or of an obstacle. Bodies out of range are in no sorted list and need no
    // check.
    const auto index_of = [&](std::uint32_t body, std::uint32_t configuration) {
        return body + (body < bodies ? configuration : configurations - 1) * bodies;
    };
    grow(pairs_, std::size_t(configurations) * pairs);
    sorted_.clear();
    sorted_.is_in_order = false;
    grow(sorted_.order, std::size_t(configurations) * pairs);
    for (std::uint32_t c = 0; c < configurations; ++c)
        for (std::uint32_t i = 0; i < pairs; ++i)
            pairs_[c * pairs + i] = {index_of(all_.pairs[i].a, c), index_of(all_.pairs[i].b, c)};
    std::uint32_t next = 0;
    for (std::size_t first = 0, end = 0; first < list_.ranges.size(); first = end) {
        const KindRange& kind = list_.ranges[first];
        // The ranges of a kind are contiguous.
        while (end < list_.ranges.size() && list_.ranges[end].kind_a == kind.kind_a &&
               list_.ranges[end].kind_b == kind.kind_b)
            ++end;
        const std::uint32_t begin = next;
        for (std::uint32_t c = 0; c < configurations; ++c)
            for (std::size_t k = first; k < end; ++k)
                list_.for_each(list_.ranges[k], [&](std::uint32_t, std::uint32_t pair_and_swap) {
                    sorted_.order[next++] = pair_and_swap + c * pairs;
                });
        sorted_.add_ranges({kind.kind_a, kind.kind_b}, begin, next);
    }
    const auto repeat = [&](const Vector<Entry>& from, Vector<Entry>& to) {
        for (std::uint32_t c = 0; c < configurations; ++c)
            for (const Entry& entry : from)
                to.push_back({entry.pair_and_swap + c * pairs, index_of(entry.a, c), index_of(entry.b, c)});
    };
    repeat(list_.compounds, sorted_.compounds);
    repeat(list_.surfaces, sorted_.surfaces);
    repeat(list_.surface_pairs, sorted_.surface_pairs);
}

Bodies ConfigurationRuns::copy_bodies(std::uint32_t first, std::uint32_t configurations) {
    const std::size_t bodies = all_.bodies.size(), moving = configurations * bodies,
                      count = moving + all_.obstacles.size();
    copies_.begin(all_, count);
    for_each_in_blocks(*executor_, count, kBodiesAtOnce, [&](std::size_t i) {
        if (i < moving)
            copies_.put(i, first + i / bodies, i % bodies);
        else
            copies_.put(i, first, bodies + (i - moving));
    });
    return copies_.bodies(count);
}

Frame ConfigurationRuns::frame(std::uint32_t first, std::uint32_t count) {
    if (count != repeated_) repeat_list(count);
    return {all_.shapes, copy_bodies(first, count), {pairs_.data(), count * all_.pairs.size()}};
}

void ConfigurationRuns::write_status(const Frame& frame, std::span<Status> status) const {
    std::fill(status.begin(), status.end(), Status::ok);
    if (all_have_answers_) return;
    const PairRecordBuilder record_of(frame);
    for (std::size_t i = 0; i < status.size(); ++i) {
        status[i] = status_[i % all_.pairs.size()];
        // As in sort.cpp: no chunk checks the poses of unsupported pairs.
        if (status[i] != Status::unsupported) continue;
        const auto [a, b] = record_of({static_cast<std::uint32_t>(i), frame.pairs[i].a, frame.pairs[i].b});
        if (!is_valid_pose(a) || !is_valid_pose(b)) status[i] = Status::bad_pose;
    }
}

Frame ConfigurationPairs::frame(const Configurations& all) {
    const std::size_t bodies = all.bodies.size() + all.obstacles.size();
    std::uint32_t count = 0;
    copies_.begin(all, 2 * items_.size());
    pairs_.clear();
    const auto add = [&](std::uint32_t configuration, std::uint32_t body) {
        if (body >= bodies) return kNoPair;
        copies_.put(count, configuration, body);
        return count++;
    };
    for (const Item& item : items_) {
        const Pair pair = all.pairs[item.pair];
        // In the list's order: if two bodies are of one kind, the first is A.
        const std::uint32_t first = add(item.configuration, std::min(pair.a, pair.b)),
                            second = pair.a == pair.b ? first : add(item.configuration, std::max(pair.a, pair.b));
        pairs_.push_back(pair.a < pair.b ? Pair{first, second} : Pair{second, first});
    }
    return {all.shapes, copies_.bodies(count), pairs_};
}

std::size_t ConfigurationRuns::bytes() const { return bytes_of(list_, sorted_, status_, copies_, pairs_); }

}  // namespace abut
