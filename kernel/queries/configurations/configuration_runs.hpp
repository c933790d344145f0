// One list of pairs in many configurations, checked and sorted once, then repeated for a block of configurations whose
// pairs share chunks. Also single pairs of configurations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <abut/configurations.hpp>

#include "base/memory.hpp"
#include "base/scratch_columns.hpp"
#include "batch/sort.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "queries/configurations/reductions.hpp"

namespace abut {

// The poses of the bodies of all configurations, without shapes: body i of a configuration has the index configuration
// * all.bodies.size() + i.
Bodies poses_of(const Configurations& all);
// True if some position is a double. All positions are then used as doubles.
bool has_doubles(const Configurations& all);

// Copies of bodies of configurations, as a frame has them.
class BodyCopies {
public:
    // Keeps a view of `all`. Makes room for `count` copies.
    void begin(const Configurations& all, std::size_t count);
    // Copies a body of a configuration, or an obstacle, which has a higher index, to the index `at`.
    void put(std::size_t at, std::size_t configuration, std::size_t body);
    // The first `count` copies.
    Bodies bodies(std::size_t count) const;
    std::size_t bytes() const { return bytes_of(records_, positions_); }

private:
    Strided<ShapeId> shapes_;
    Bodies poses_, obstacles_;
    Vector<Body> records_;
    Vector<DVec3> positions_;  // empty if no position is a double
};

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
    Bodies copy_bodies(std::uint32_t first, std::uint32_t configurations);

    Configurations all_;
    const Executor* executor_ = nullptr;
    std::uint32_t block_ = 1;
    SortedPairs list_;              // the list of one configuration
    Vector<Status> status_;         // the statuses of that list, without the check of poses of unsupported pairs
    bool all_have_answers_ = true;  // all pairs of the list have valid indices and supported kinds
    // --- The present block ---
    BodyCopies copies_;  // of the bodies of each configuration, then of obstacles
    Vector<Pair> pairs_;
    SortedPairs sorted_;
    std::uint32_t repeated_ = 0;  // the number of configurations for which sorted_ and pairs_ are valid
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
    std::size_t bytes() const { return bytes_of(items_, pairs_, copies_); }

private:
    Vector<Item> items_;
    Vector<Pair> pairs_;
    BodyCopies copies_;
};

}  // namespace abut
