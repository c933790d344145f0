// The order of the stages: check the columns, sort the boxes into blocks under a tree, let blocks or rays look for
// pairs, filter, sort the pairs.
#include <abut/broad_phase.hpp>

#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/parallel/parallel_for.hpp"
#include "batch/frame_checks.hpp"
#include "queries/boxes/box_blocks.hpp"
#include "queries/boxes/broad_setup.hpp"
#include "queries/boxes/pair_search.hpp"
#include "queries/boxes/ray_lines.hpp"

namespace abut {

namespace {

// The least numbers of nodes (64 boxes each) and of rays: 20 microseconds.
constexpr std::size_t kNodesPerTask = 8, kRaysPerTask = 64;

}  // namespace

struct BroadPhase::Impl : HostAllocated<BroadPhase::Impl> {
    BroadSetup setup;
    BoxBlocks boxes_a, boxes_b;
    RayLines rays;
    PairSearch search;
    std::span<const Pair> pairs;
    std::span<const std::uint32_t> bad_a, bad_b;

    explicit Impl(const BroadSettings& wanted) : setup(wanted) {}

    void clear() { pairs = {}, bad_a = {}, bad_b = {}; }

    void find_pairs(const Boxes& boxes) {
        boxes_a.build(BoxReader(boxes), true, *setup.kernels, setup.workers);
        bad_a = boxes_a.bad();
        const BoxTree& tree = boxes_a.tree();
        const BoxFilter own = {boxes.groups, boxes.masks};
        pairs = search.collect(setup.workers, blocks_of(tree.moving_blocks, kBlock), kNodesPerTask, boxes.bounds.size(),
                               boxes.bounds.size(), own, own,
                               [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
            setup.kernels->find_box_pairs({&tree, &tree, first, end}, out);
        });
    }

    void find_pairs(const Boxes& a, const Boxes& b) {
        boxes_a.build(BoxReader(a), false, *setup.kernels, setup.workers);
        boxes_b.build(BoxReader(b), false, *setup.kernels, setup.workers);
        bad_a = boxes_a.bad(), bad_b = boxes_b.bad();
        const BoxTree &from = boxes_a.tree(), &in = boxes_b.tree();
        pairs = search.collect(setup.workers, in.counts[0] == 0 ? 0 : from.counts[1], kNodesPerTask, a.bounds.size(),
                               b.bounds.size(), {a.groups, a.masks}, {b.groups, b.masks},
                               [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
            setup.kernels->find_box_pairs({&from, &in, first, end}, out);
        });
    }

    void find_ray_pairs(const BoxRays& wanted, const Boxes& boxes) {
        rays.read(wanted);
        boxes_b.build(BoxReader(boxes), false, *setup.kernels, setup.workers);
        bad_a = rays.bad(), bad_b = boxes_b.bad();
        const BoxTree& in = boxes_b.tree();
        pairs = search.collect(setup.workers, in.counts[0] == 0 ? 0 : rays.lines().size(), kRaysPerTask,
                               wanted.directions.size(), boxes.bounds.size(), {wanted.groups, wanted.masks},
                               {boxes.groups, boxes.masks},
                               [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
            setup.kernels->find_ray_pairs({rays.lines().data(), rays.ids().data(), &in, first, end}, out);
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
    if (!impl_->setup.result) return impl_->setup.result;
    if (CallResult r = check_boxes("", boxes); !r) return r;
    impl_->clear();
    return guarded_call([&]() -> CallResult {
        impl_->find_pairs(boxes);
        return {};
    });
}

CallResult BroadPhase::find_pairs(const Boxes& a, const Boxes& b) {
    if (!impl_) return out_of_memory();
    if (!impl_->setup.result) return impl_->setup.result;
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
    if (!impl_->setup.result) return impl_->setup.result;
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
Isa BroadPhase::isa() const { return impl_ ? impl_->setup.isa : Isa::best; }

}  // namespace abut
