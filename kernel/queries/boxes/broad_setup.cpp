// See broad_setup.hpp.
#include "queries/boxes/broad_setup.hpp"

#include <algorithm>
#include <thread>

#include "base/message.hpp"
#include "batch/frame_checks.hpp"

namespace abut {

namespace {

constexpr std::size_t kMostBoxes = std::size_t(1) << 30;
constexpr unsigned kMaxThreads = 4096;

}  // namespace

BroadSetup::BroadSetup(const BroadSettings& wanted) {
    if (wanted.threads > kMaxThreads) {
        result = bad_argument(
            message_of("BroadSettings::threads is ", wanted.threads, ", expected ", kMaxThreads, " or less"));
        return;
    }
    const Expected<Isa> resolved = resolve_isa(wanted.isa);
    if (!resolved) {
        result = resolved.error();
        return;
    }
    if (!wanted.executor) pool.emplace(wanted.threads);
    isa = *resolved;
    kernels = kernels_for<BoxKernels>(isa);
    workers.executor = wanted.executor ? wanted.executor : pool->executor();
    const bool is_serial = workers.executor.run == serial_executor().run;
    workers.threads = is_serial             ? 1
                      : wanted.threads != 0 ? wanted.threads
                                            : std::max(std::thread::hardware_concurrency(), 1u);
}

CallResult check_count(const char* name, std::size_t count) {
    if (count <= kMostBoxes) return {};
    return Error{ErrorCode::limit, message_of(name, " has ", count, " items, expected ", kMostBoxes, " or less")};
}

CallResult check_boxes(const char* set, const Boxes& boxes) {
    const auto name = [&](const char* column) { return message_of("Boxes ", set, column); };
    const std::size_t count = boxes.bounds.size();
    if (CallResult r = check_count(name("bounds").c_str(), count); !r) return r;
    if (CallResult r = check_strided(name("bounds").c_str(), boxes.bounds); !r) return r;
    if (CallResult r = check_margin(name("margin").c_str(), boxes.margin); !r) return r;
    if (CallResult r = check_column(name("margins").c_str(), boxes.margins, count); !r) return r;
    if (CallResult r = check_column(name("groups").c_str(), boxes.groups, count); !r) return r;
    if (CallResult r = check_column(name("masks").c_str(), boxes.masks, count); !r) return r;
    if (CallResult r = check_column(name("moving").c_str(), boxes.moving, count); !r) return r;
    if (boxes.margins.empty()) return {};
    for (std::size_t i = 0; i < count; ++i)
        if (CallResult r = check_margin(numbered(name("margins").c_str(), i).c_str(), boxes.margins[i]); !r) return r;
    return {};
}

}  // namespace abut
