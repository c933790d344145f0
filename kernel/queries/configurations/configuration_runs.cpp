// See configuration_runs.hpp.
#include "queries/configurations/configuration_runs.hpp"

#include <algorithm>

#include "base/scratch_columns.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/valid_pose.hpp"

namespace abut {

namespace {

template <class T>
Strided<T> part_of(const Strided<T>& column, std::size_t first, std::size_t count) {
    return column.empty() ? column : column.subspan(first, count);
}

}  // namespace

Bodies bodies_in(const Configurations& all, std::size_t configuration) {
    const std::size_t count = all.bodies.size(), first = configuration * count;
    return BodyColumns{all.bodies, part_of(all.positions, first, count), part_of(all.double_positions, first, count),
                       part_of(all.orientations, first, count), part_of(all.transforms, first, count)};
}

void ConfigurationRuns::begin(const Configurations& all, const Kernels& kernels, const Executor& executor,
                              std::size_t together) {
    all_ = all;
    const std::size_t pairs = all.pairs.size();
    repeated_ = 0;
    if (all.size() == 0 || pairs == 0) return;
    block_ = static_cast<std::uint32_t>(std::clamp<std::size_t>(together / pairs, 1, all.size()));
    const Frame one = {all.shapes, bodies_in(all, 0), all.pairs};
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
    grow(pairs_, std::size_t(configurations) * pairs), grow(shapes_, std::size_t(configurations) * bodies);
    sorted_.clear();
    sorted_.is_in_order = false;
    grow(sorted_.order, std::size_t(configurations) * pairs);
    for (std::uint32_t c = 0; c < configurations; ++c) {
        for (std::uint32_t i = 0; i < bodies; ++i) shapes_[c * bodies + i] = all_.bodies[i];
        // A pair with a body's index out of range is in no sorted list, so that it needs no check here.
        for (std::uint32_t i = 0; i < pairs; ++i)
            pairs_[c * pairs + i] = {all_.pairs[i].a + c * bodies, all_.pairs[i].b + c * bodies};
    }
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
                to.push_back({entry.pair_and_swap + c * pairs, entry.a + c * bodies, entry.b + c * bodies});
    };
    repeat(list_.compounds, sorted_.compounds);
    repeat(list_.surfaces, sorted_.surfaces);
    repeat(list_.surface_pairs, sorted_.surface_pairs);
}

Frame ConfigurationRuns::frame(std::uint32_t first, std::uint32_t count) {
    if (count != repeated_) repeat_list(count);
    const std::size_t bodies = all_.bodies.size(), at = first * bodies, poses = count * bodies;
    const BodyColumns columns = {{shapes_.data(), poses},
                                 part_of(all_.positions, at, poses),
                                 part_of(all_.double_positions, at, poses),
                                 part_of(all_.orientations, at, poses),
                                 part_of(all_.transforms, at, poses)};
    return {all_.shapes, columns, {pairs_.data(), count * all_.pairs.size()}};
}

void ConfigurationRuns::write_status(const Frame& frame, std::span<Status> status) const {
    std::fill(status.begin(), status.end(), Status::ok);
    if (all_have_answers_) return;
    const PairRecordBuilder record_of(frame);
    for (std::size_t i = 0; i < status.size(); ++i) {
        status[i] = status_[i % all_.pairs.size()];
        // As in sort.cpp: no chunk reads the poses of unsupported pairs.
        if (status[i] != Status::unsupported) continue;
        const auto [a, b] = record_of({static_cast<std::uint32_t>(i), frame.pairs[i].a, frame.pairs[i].b});
        if (!is_valid_pose(a) || !is_valid_pose(b)) status[i] = Status::bad_pose;
    }
}

Frame ConfigurationPairs::frame(const Configurations& all) {
    const auto bodies = static_cast<std::uint32_t>(all.bodies.size());
    pairs_.clear(), shapes_.clear();
    positions_.clear(), double_positions_.clear(), orientations_.clear(), transforms_.clear();
    const auto add = [&](std::uint32_t configuration, std::uint32_t body) {
        if (body >= bodies) return kNoPair;
        const std::size_t pose = std::size_t(configuration) * bodies + body;
        shapes_.push_back(all.bodies[body]);
        if (!all.positions.empty()) positions_.push_back(all.positions[pose]);
        if (!all.double_positions.empty()) double_positions_.push_back(all.double_positions[pose]);
        if (!all.orientations.empty()) orientations_.push_back(all.orientations[pose]);
        if (!all.transforms.empty()) transforms_.push_back(all.transforms[pose]);
        return static_cast<std::uint32_t>(shapes_.size() - 1);
    };
    for (const Item& item : items_) {
        const Pair pair = all.pairs[item.pair];
        // In the list's order: of two bodies of one kind, the first is A.
        const std::uint32_t first = add(item.configuration, std::min(pair.a, pair.b)),
                            second = pair.a == pair.b ? first : add(item.configuration, std::max(pair.a, pair.b));
        pairs_.push_back(pair.a < pair.b ? Pair{first, second} : Pair{second, first});
    }
    return {all.shapes, BodyColumns{shapes_, positions_, double_positions_, orientations_, transforms_}, pairs_};
}

std::size_t ConfigurationPairs::bytes() const {
    return bytes_of(items_, pairs_, shapes_, positions_, double_positions_, orientations_, transforms_);
}

std::size_t ConfigurationRuns::bytes() const { return bytes_of(list_, sorted_, status_, shapes_, pairs_); }

}  // namespace abut
