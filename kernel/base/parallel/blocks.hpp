// Items in blocks, one block per task.
#pragma once

#include "base/parallel/parallel_for.hpp"

namespace abut {

// Calls each(first, end) for all blocks of `count` items.
template <class Each>
void for_each_block(const Executor& executor, std::size_t count, std::size_t block_size, const Each& each) {
    parallel_for(executor, blocks_of(count, block_size), [&](std::size_t block) {
        const std::size_t first = block * block_size;
        each(first, count - first < block_size ? count : first + block_size);
    });
}

// Calls each(i) for all items below `count`.
template <class Each>
void for_each_in_blocks(const Executor& executor, std::size_t count, std::size_t block_size, const Each& each) {
    for_each_block(executor, count, block_size, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) each(i);
    });
}

}  // namespace abut
