// Items in blocks, one block per task.
#pragma once

#include "parallel/parallel_for.hpp"

namespace abut {

// Calls each(i) for all items below `count`.
template <class Each>
void for_each_in_blocks(const Executor& executor, std::size_t count, std::size_t block_size, const Each& each) {
    parallel_for(executor, (count + block_size - 1) / block_size, [&](std::size_t block) {
        const std::size_t first = block * block_size, end = count - first < block_size ? count : first + block_size;
        for (std::size_t i = first; i < end; ++i) each(i);
    });
}

}  // namespace abut
