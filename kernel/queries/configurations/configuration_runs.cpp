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

// The elements of some configurations, contiguous.
template <class T>
Strided<T> gathered(const Strided<T>& column, std::span<const std::uint32_t> some, std::size_t bodies,
                    Vector<T>& into) {
    if (column.empty()) return column;
    const std::size_t first = some[0], count = some.size();
    if (some[count - 1] - first + 1 == count) return part_of(column, first * bodies, count * bodies);
    if (into.size() < count * bodies) into.resize(count * bodies);
    for (std::size_t c = 0; c < count; ++c)
        for (std::size_t i = 0; i < bodies; ++i) into[c * bodies + i] = column[some[c] * bodies + i];
    return {into.data(), count * bodies};
}

// Calls visit(configuration, item).
template <class Visit>
void for_each_in_block(std::uint32_t configurations, std::size_t items, BlockOrder order, Visit&& visit) {
    if (order == BlockOrder::by_pair) {
        for (std::size_t i = 0; i < items; ++i)
            for (std::uint32_t c = 0; c < configurations; ++c) visit(c, i);
    } else {
        for (std::uint32_t c = 0; c < configurations; ++c)
            for (std::size_t i = 0; i < items; ++i) visit(c, i);
    }
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
    together_ = together;
    sorted_configurations_ = 0;
    if (all.size() == 0) return;
    const Frame one = {all.shapes, bodies_in(all, 0), all.pairs};
    if (status_.size() < pairs) status_.resize(pairs);
    sort_pairs(one, kernels, executor, list_, status_.data());
    all_have_answers_ = true;
    for (std::size_t i = 0; i < pairs; ++i) {
        if (status_[i] == Status::bad_pose) status_[i] = Status::unsupported;
        all_have_answers_ = all_have_answers_ && status_[i] == Status::ok;
    }
}

std::size_t ConfigurationRuns::block(PairRange range) const {
    return std::clamp<std::size_t>(together_ / (range.end - range.first), 1, all_.size());
}

void ConfigurationRuns::sort_range(std::size_t configurations, PairRange range, BlockOrder order) {
    const std::uint32_t pairs = range.end - range.first, bodies = static_cast<std::uint32_t>(all_.bodies.size());
    const auto count = static_cast<std::uint32_t>(configurations);
    const auto place = [&](std::uint32_t c, std::uint32_t pair) {
        const std::uint32_t i = pair - range.first;
        return order == BlockOrder::by_pair ? i * count + c : c * pairs + i;
    };
    sorted_configurations_ = configurations, sorted_range_ = range, sorted_order_ = order;
    if (pairs_.size() < std::size_t(count) * pairs) pairs_.resize(std::size_t(count) * pairs);
    for_each_in_block(count, pairs, order, [&](std::uint32_t c, std::size_t i) {
        // Pairs of bodies that do not exist are in no list.
        const Pair pair = all_.pairs[range.first + i];
        pairs_[place(c, range.first + std::uint32_t(i))] = {pair.a + c * bodies, pair.b + c * bodies};
    });
    sorted_.clear();
    sorted_.is_in_order = false;
    if (sorted_.order.size() < std::size_t(count) * pairs) sorted_.order.resize(std::size_t(count) * pairs);
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < list_.ranges.size();) {
        const KindRange& kind = list_.ranges[k];
        const std::uint32_t first = next;
        some_.clear();
        // The ranges of a kind are contiguous.
        for (;
             k < list_.ranges.size() && list_.ranges[k].kind_a == kind.kind_a && list_.ranges[k].kind_b == kind.kind_b;
             ++k) {
            list_.for_each(list_.ranges[k], [&](std::uint32_t, std::uint32_t pair_and_swap) {
                const std::uint32_t pair = pair_and_swap & ~Entry::kSwapped;
                if (pair >= range.first && pair < range.end) some_.push_back(pair_and_swap);
            });
        }
        // Either order lists the pairs of a kind by ascending index, which chunks require.
        for_each_in_block(count, some_.size(), order, [&](std::uint32_t c, std::size_t i) {
            sorted_.order[next++] = place(c, some_[i] & ~Entry::kSwapped) | (some_[i] & Entry::kSwapped);
        });
        sorted_.add_ranges({kind.kind_a, kind.kind_b}, first, next);
    }
    const auto repeat = [&](const Vector<Entry>& from, Vector<Entry>& to) {
        for_each_in_block(count, from.size(), order, [&](std::uint32_t c, std::size_t i) {
            const Entry& entry = from[i];
            if (entry.pair() < range.first || entry.pair() >= range.end) return;
            to.push_back({place(c, entry.pair()) | (entry.pair_and_swap & Entry::kSwapped), entry.a + c * bodies,
                          entry.b + c * bodies});
        });
    };
    repeat(list_.compounds, sorted_.compounds);
    repeat(list_.surfaces, sorted_.surfaces);
    repeat(list_.surface_pairs, sorted_.surface_pairs);
}

void ConfigurationRuns::list_bodies(std::size_t configurations) {
    const std::size_t bodies = all_.bodies.size(), count = configurations * bodies;
    if (shapes_.size() < count) shapes_.resize(count);
    for (std::size_t i = 0; i < count; ++i) shapes_[i] = all_.bodies[i % bodies];
}

Bodies ConfigurationRuns::bodies_of(std::span<const std::uint32_t> some) {
    const std::size_t bodies = all_.bodies.size();
    return BodyColumns{{shapes_.data(), some.size() * bodies},
                       gathered(all_.positions, some, bodies, positions_),
                       gathered(all_.double_positions, some, bodies, double_positions_),
                       gathered(all_.orientations, some, bodies, orientations_),
                       gathered(all_.transforms, some, bodies, transforms_)};
}

Frame ConfigurationRuns::frame(std::span<const std::uint32_t> some, PairRange range, BlockOrder order) {
    if (some.size() != sorted_configurations_ || range.first != sorted_range_.first || range.end != sorted_range_.end ||
        order != sorted_order_) {
        sort_range(some.size(), range, order);
        list_bodies(some.size());
    }
    Frame out;
    out.shapes = all_.shapes;
    out.bodies = bodies_of(some);
    out.pairs = {pairs_.data(), some.size() * (range.end - range.first)};
    return out;
}

void ConfigurationRuns::write_status(const Frame& frame, std::span<Status> status) const {
    std::fill(status.begin(), status.end(), Status::ok);
    if (all_have_answers_) return;
    const PairRecordBuilder record_of(frame);
    const std::size_t pairs = sorted_range_.end - sorted_range_.first;
    for (std::size_t i = 0; i < status.size(); ++i) {
        status[i] = status_[sorted_range_.first +
                            (sorted_order_ == BlockOrder::by_pair ? i / sorted_configurations_ : i % pairs)];
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

std::size_t ConfigurationRuns::bytes() const {
    return bytes_of(list_, sorted_, some_, status_, shapes_, pairs_, positions_, double_positions_, orientations_,
                    transforms_);
}

}  // namespace abut
