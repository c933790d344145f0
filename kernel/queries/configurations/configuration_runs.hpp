// One list of pairs in many configurations: checked and sorted once, then repeated for a block of configurations whose
// pairs share chunks.
//
// The pairs of a block are ordered by configuration, as in the columns of a query; or, for reductions, by pair: then
// lanes have the same two shapes and, along a path, nearly the same answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/configurations.hpp>

#include "base/memory.hpp"
#include "batch/sort.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "queries/configurations/reductions.hpp"

namespace abut {

// The bodies of one configuration.
Bodies bodies_in(const Configurations& all, std::size_t configuration);

enum class BlockOrder { by_configuration, by_pair };

// Pairs that one thread computes together: their input and output fit the L2 cache.
inline constexpr std::size_t kPairsTogether = 8192;

class ConfigurationRuns {
public:
    // Keeps a view of `all`. `together`: the largest number of pairs computed together, but at least one
    // configuration's.
    void begin(const Configurations& all, const Kernels& kernels, const Executor& executor, std::size_t together);
    // The number of configurations computed together, each with the pairs of `range`.
    std::size_t block(PairRange range) const;
    // The frame of m configurations (`some`, ascending), each with the n pairs of `range`; valid until the next call.
    // Pair i of the frame is by_configuration: pair range.first + i % n of the list in configuration some[i / n];
    // by_pair: pair range.first + i / m of the list in configuration some[i % m].
    Frame frame(std::span<const std::uint32_t> some, PairRange range, BlockOrder order);
    const SortedPairs& sorted() const { return sorted_; }
    // Writes the status that each pair of `frame` has before chunks run.
    void write_status(const Frame& frame, std::span<Status> status) const;
    std::size_t bytes() const;

private:
    void sort_range(std::size_t configurations, PairRange range, BlockOrder order);
    void list_bodies(std::size_t configurations);
    Bodies bodies_of(std::span<const std::uint32_t> some);

    Configurations all_;
    std::size_t together_ = 1;
    SortedPairs list_;              // of one configuration
    Vector<Status> status_;         // likewise, without the check of poses of unsupported pairs
    bool all_have_answers_ = true;  // all pairs of the list have valid indices and supported kinds
    // The present block.
    Vector<ShapeId> shapes_;
    Vector<Pair> pairs_;
    SortedPairs sorted_;
    Vector<std::uint32_t> some_;             // pairs of one kind in the list, as in SortedPairs::order
    std::size_t sorted_configurations_ = 0;  // the number for which sorted_ and pairs_ are valid
    PairRange sorted_range_ = {0, 0};
    BlockOrder sorted_order_ = BlockOrder::by_configuration;
    // Poses of configurations that are not contiguous.
    Vector<Vec3> positions_;
    Vector<DVec3> double_positions_;
    Vector<Quat> orientations_;
    Vector<Mat44> transforms_;
};

// Single pairs, each in a configuration of its own.
class ConfigurationPairs {
public:
    struct Item {
        std::uint32_t configuration, pair;
    };

    void clear() { items_.clear(); }
    void add(Item item) { items_.push_back(item); }
    std::span<const Item> items() const { return items_; }
    // Pair i of the frame is that of item i; valid until the next call.
    Frame frame(const Configurations& all);
    std::size_t bytes() const;

private:
    Vector<Item> items_;
    Vector<Pair> pairs_;
    Vector<ShapeId> shapes_;
    Vector<Vec3> positions_;
    Vector<DVec3> double_positions_;
    Vector<Quat> orientations_;
    Vector<Mat44> transforms_;
};

}  // namespace abut
