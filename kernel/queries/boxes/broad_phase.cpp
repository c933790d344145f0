// The order of the stages: check the columns, sort the boxes into blocks under a tree, let blocks or rays look for
// pairs, filter, sort the pairs.
#include <abut/broad_phase.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/parallel/tbb_pool.hpp"
#include "batch/frame_checks.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "queries/boxes/box_blocks.hpp"
#include "queries/boxes/box_tree.hpp"
#include "queries/boxes/pair_order.hpp"
#include "queries/boxes/ray_lines.hpp"
#include "queries/boxes/workers.hpp"

namespace abut {

namespace {

constexpr std::size_t kMostBoxes = std::size_t(1) << 30;
constexpr unsigned kMaxThreads = 4096;
// The least number of nodes (64 boxes each) and of rays per task: 20 microseconds.
constexpr std::size_t kLeastNodes = 8, kLeastRays = 64;
// Several tasks per thread, so that no thread waits long for the last task.
constexpr std::size_t kTasksPerThread = 8;

CallResult check_count(const char* name, std::size_t count) {
    if (count <= kMostBoxes) return {};
    return Error{ErrorCode::limit, message_of(name, " has ", count, " items, expected ", kMostBoxes, " or less")};
}

// `set`: empty, "a." or "b."
CallResult check_boxes(const char* set, const Boxes& boxes) {
    const auto name = [&](const char* column) { return message_of("Boxes ", set, column); };
    const std::size_t count = boxes.bounds.size();
    if (CallResult r = check_count(name("bounds").c_str(), count); !r) return r;
    if (CallResult r = check_strided(name("bounds").c_str(), boxes.bounds); !r) return r;
    if (CallResult r = check_margin(name("margin").c_str(), boxes.margin); !r) return r;
    if (CallResult r = check_column(name("margins").c_str(), boxes.margins, count); !r) return r;
    if (CallResult r = check_column(name("groups").c_str(), boxes.groups, count); !r) return r;
    if (CallResult r = check_column(name("masks").c_str(), boxes.masks, count); !r) return r;
    if (CallResult r = check_size(name("moving").c_str(), boxes.moving, count, true); !r) return r;
    if (boxes.margins.empty()) return {};
    for (std::size_t i = 0; i < count; ++i)
        if (CallResult r = check_margin(numbered(name("margins").c_str(), i).c_str(), boxes.margins[i]); !r) return r;
    return {};
}

// Groups and masks, which decide without a callback whether two boxes may form a pair.
class Filter {
public:
    Filter(const Strided<std::uint32_t>& groups, const Strided<std::uint32_t>& masks)
        : groups_(groups), masks_(masks) {}
    bool is_empty() const { return groups_.empty() && masks_.empty(); }
    std::uint32_t group(std::uint32_t i) const { return groups_.empty() ? ~0u : groups_[i]; }
    std::uint32_t mask(std::uint32_t i) const { return masks_.empty() ? ~0u : masks_[i]; }

private:
    const Strided<std::uint32_t>&groups_, &masks_;
};

// Removes the pairs that the filters of the two sets exclude.
void filter(PairBuffer& pairs, const Filter& a, const Filter& b) {
    if (a.is_empty() && b.is_empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.size; ++i) {
        const std::uint32_t first = pairs.a[i], second = pairs.b[i];
        pairs.a[kept] = first, pairs.b[kept] = second;
        kept += (a.group(first) & b.mask(second)) != 0 && (b.group(second) & a.mask(first)) != 0;
    }
    pairs.size = kept;
}

// The memory of a buffer.
struct PairMemory : PairBuffer {
    Vector<std::uint32_t> all_a, all_b;

    void start() {
        a = all_a.data(), b = all_b.data(), room = all_a.size(), size = 0;
        owner = this;
        grow = [](PairBuffer& buffer) {
            PairMemory& memory = *static_cast<PairMemory*>(buffer.owner);
            const std::size_t wanted =
                std::max<std::size_t>(buffer.room + buffer.room / 2, buffer.size + 16 * kLeastPairRoom);
            memory.all_a.resize(wanted);
            memory.all_b.resize(wanted);
            buffer.a = memory.all_a.data(), buffer.b = memory.all_b.data(), buffer.room = wanted;
        };
    }
};

}  // namespace

struct BroadPhase::Impl : HostAllocated<BroadPhase::Impl> {
    BroadSettings settings;
    CallResult settings_result;  // an error where the settings cannot be met
    const BoxKernels* kernels = nullptr;
    Isa isa = Isa::best;
    std::optional<TbbPool> pool;
    Workers workers;
    BoxBlocks boxes_a, boxes_b;
    RayLines rays;
    Vector<PairMemory> memory;
    Vector<PairBuffer> buffers;
    PairOrder order;
    std::span<const Pair> pairs;
    std::span<const std::uint32_t> bad_a, bad_b;

    explicit Impl(const BroadSettings& wanted) : settings(wanted) {
        if (wanted.threads > kMaxThreads) {
            settings_result = bad_argument(
                message_of("BroadSettings::threads is ", wanted.threads, ", expected ", kMaxThreads, " or less"));
            return;
        }
        const Expected<Isa> resolved = resolve_isa(wanted.isa);
        if (!resolved) {
            settings_result = resolved.error();
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

    void clear() { pairs = {}, bad_a = {}, bad_b = {}; }

    // Calls find(first, end, buffer) for parts of `count` items, then filters and sorts the pairs. Indices of the first
    // set are below `count_a`, those of the second below `count_b`.
    template <class Find>
    void collect(std::size_t count, std::size_t least, std::size_t count_a, std::size_t count_b, const Filter& a,
                 const Filter& b, const Find& find) {
        const std::size_t parts = workers.parts(count, least, kTasksPerThread);
        if (memory.size() < parts) memory.resize(parts), buffers.resize(parts);
        workers.run(parts, count, [&](std::size_t part, std::size_t first, std::size_t end) {
            PairMemory& own = memory[part];
            own.start();
            find(std::uint32_t(first), std::uint32_t(end), own);
            filter(own, a, b);
            buffers[part] = own;
        });
        pairs = order.sort({buffers.data(), parts}, std::uint32_t(count_a), std::uint32_t(count_b), workers);
    }

    void find_pairs(const Boxes& boxes) {
        boxes_a.build(BoxReader(boxes), true, *kernels, workers);
        bad_a = boxes_a.bad();
        const BoxTree& tree = boxes_a.tree();
        const Filter own(boxes.groups, boxes.masks);
        collect((tree.moving_blocks + kBlock - 1) / kBlock, kLeastNodes, boxes.bounds.size(), boxes.bounds.size(), own,
                own, [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
                    kernels->find_box_pairs({&tree, &tree, first, end}, out);
                });
    }

    void find_pairs(const Boxes& a, const Boxes& b) {
        boxes_a.build(BoxReader(a), false, *kernels, workers);
        boxes_b.build(BoxReader(b), false, *kernels, workers);
        bad_a = boxes_a.bad(), bad_b = boxes_b.bad();
        const BoxTree &from = boxes_a.tree(), &in = boxes_b.tree();
        collect(in.counts[0] == 0 ? 0 : from.counts[1], kLeastNodes, a.bounds.size(), b.bounds.size(),
                {a.groups, a.masks}, {b.groups, b.masks}, [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
                    kernels->find_box_pairs({&from, &in, first, end}, out);
                });
    }

    void find_ray_pairs(const BoxRays& wanted, const Boxes& boxes) {
        rays.read(wanted);
        boxes_b.build(BoxReader(boxes), false, *kernels, workers);
        bad_a = rays.bad(), bad_b = boxes_b.bad();
        const BoxTree& in = boxes_b.tree();
        collect(in.counts[0] == 0 ? 0 : rays.lines().size(), kLeastRays, wanted.directions.size(), boxes.bounds.size(),
                {wanted.groups, wanted.masks}, {boxes.groups, boxes.masks},
                [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
            kernels->find_ray_pairs({rays.lines().data(), rays.ids().data(), &in, first, end}, out);
        });
    }
};

BroadPhase::BroadPhase(const BroadSettings& settings) noexcept {
    try {
        impl_ = std::make_unique<Impl>(settings);
    } catch (...) {  // no memory: every call returns this error
    }
}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

CallResult BroadPhase::find_pairs(const Boxes& boxes) {
    if (!impl_) return out_of_memory();
    if (!impl_->settings_result) return impl_->settings_result;
    if (CallResult r = check_boxes("", boxes); !r) return r;
    impl_->clear();
    return guarded_call([&]() -> CallResult {
        impl_->find_pairs(boxes);
        return {};
    });
}

CallResult BroadPhase::find_pairs(const Boxes& a, const Boxes& b) {
    if (!impl_) return out_of_memory();
    if (!impl_->settings_result) return impl_->settings_result;
    if (CallResult r = check_boxes("a.", a); !r) return r;
    if (CallResult r = check_boxes("b.", b); !r) return r;
    impl_->clear();
    return guarded_call([&]() -> CallResult {
        impl_->find_pairs(a, b);
        return {};
    });
}

CallResult BroadPhase::find_ray_pairs(const BoxRays& rays, const Boxes& boxes) {
    if (!impl_) return out_of_memory();
    if (!impl_->settings_result) return impl_->settings_result;
    if (CallResult r = check_count("BoxRays directions", rays.directions.size()); !r) return r;
    if (CallResult r = check_rays(rays); !r) return r;
    if (CallResult r = check_boxes("", boxes); !r) return r;
    impl_->clear();
    return guarded_call([&]() -> CallResult {
        impl_->find_ray_pairs(rays, boxes);
        return {};
    });
}

std::span<const Pair> BroadPhase::pairs() const { return impl_ ? impl_->pairs : std::span<const Pair>{}; }
std::span<const std::uint32_t> BroadPhase::bad_a() const {
    return impl_ ? impl_->bad_a : std::span<const std::uint32_t>{};
}
std::span<const std::uint32_t> BroadPhase::bad_b() const {
    return impl_ ? impl_->bad_b : std::span<const std::uint32_t>{};
}
Isa BroadPhase::isa() const { return impl_ ? impl_->isa : Isa::best; }

}  // namespace abut
