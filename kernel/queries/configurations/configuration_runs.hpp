// One list of pairs in many configurations: checked and sorted once, then repeated for a block of configurations whose
// pairs share chunks; and single pairs of them.
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

// Pairs that one thread computes together: their input and output fit the L2 cache.
inline constexpr std::size_t kPairsTogether = 8192;

class ConfigurationRuns {
public:
    // Keeps a view of `all`. `together`: the largest number of pairs computed together, but at least one
    // configuration's.
    void begin(const Configurations& all, const Kernels& kernels, const Executor& executor, std::size_t together);
    // The number of configurations computed together.
    std::uint32_t block() const { return block_; }
    // The frame of configurations [first, first + count), valid until the next call: pair i is pair i % pairs of the list
    // in configuration first + i / pairs.
    Frame frame(std::uint32_t first, std::uint32_t count);
    const SortedPairs& sorted() const { return sorted_; }
    // Writes the status that each pair of `frame` has before chunks run.
    void write_status(const Frame& frame, std::span<Status> status) const;
    std::size_t bytes() const;

private:
    void repeat_list(std::uint32_t configurations);

    Configurations all_;
    std::uint32_t block_ = 1;
    SortedPairs list_;              // of one configuration
    Vector<Status> status_;         // likewise, without the check of poses of unsupported pairs
    bool all_have_answers_ = true;  // all pairs of the list have valid indices and supported kinds
    // The present block.
    Vector<ShapeId> shapes_;
    Vector<Pair> pairs_;
    SortedPairs sorted_;
    std::uint32_t repeated_ = 0;  // the configurations for which sorted_, pairs_ and shapes_ are valid
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
