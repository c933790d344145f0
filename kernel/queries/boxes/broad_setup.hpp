// Settings and checks of arguments, which all calls on boxes share.
#pragma once

#include <optional>

#include <abut/broad_phase.hpp>

#include "base/parallel/tbb_pool.hpp"
#include "queries/boxes/box_tree.hpp"
#include "queries/boxes/workers.hpp"

namespace abut {

struct BroadSetup {
    CallResult result;  // an error if the settings cannot be met
    const BoxKernels* kernels = nullptr;
    Isa isa = Isa::best;
    std::optional<TbbPool> pool;
    Workers workers;

    explicit BroadSetup(const BroadSettings& wanted);
};

CallResult check_count(const char* name, std::size_t count);
// `set`: empty, "a." or "b."
CallResult check_boxes(const char* set, const Boxes& boxes);

}  // namespace abut
