// The order of the stages, a call a stage: check and sort the pairs, run the chunks (load, separation, depth, store), pack the columns.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "isa/fp_environment.hpp"
#include "isa/kernels.hpp"
#include "pairs/sort.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/tbb_pool.hpp"
#include "results/columns.hpp"
#include "shapes/unit_cube.hpp"
#include "shapes/unit_prism.hpp"

namespace abut {

namespace {

// Names the column that is too short.
template <class T>
CallResult check_size(const char* column, std::span<T> span, std::size_t wanted, bool optional) {
    if (span.size() >= wanted || (optional && span.empty())) return {};
    return Error{ErrorCode::bad_size, std::string(column) + " has room for " + std::to_string(span.size()) + ", the frame needs " +
                                          std::to_string(wanted)};
}

CallResult check_length(const char* name, float value) {
    if (value >= 0.0f && !std::isnan(value)) return {};
    return Error{ErrorCode::bad_argument, std::string(name) + " is " + std::to_string(value) + ", expected 0 or more"};
}

template <class T>
T* data_or_null(std::span<T> span) {
    return span.empty() ? nullptr : span.data();
}

}  // namespace

struct NarrowPhase::Impl {
    Settings settings;
    Error settings_error;  // code none where the settings can be met
    const Kernels* kernels = nullptr;
    Isa isa = Isa::best;
    TbbPool pool;
    Executor executor;
    SortedPairs sorted;
    PairScratch scratch;
    Counters counters;
    std::atomic<bool> busy = false;

    explicit Impl(const Settings& wanted) : settings(wanted), pool(wanted.executor ? 1 : wanted.threads) {
        unit_cube(), unit_prism();  // built here, so that no call allocates them
        executor = wanted.executor ? wanted.executor : pool.executor();
        if (!is_margin(wanted.speculative_margin)) {
            settings_error = bad_margin("Settings::speculative_margin", wanted.speculative_margin);
            return;
        }
        const Expected<Isa> resolved = resolve_isa(wanted.isa);
        if (!resolved) {
            settings_error = resolved.error();
            return;
        }
        isa = *resolved;
        kernels = kernels_for(isa);
    }

    static bool is_margin(float value) { return value >= 0.0f && value <= std::numeric_limits<float>::max(); }
    static Error bad_margin(const std::string& name, float value) {
        return {ErrorCode::bad_argument, name + " is " + std::to_string(value) + ", expected 0 or more, finite"};
    }

    CallResult check(const Frame& frame) const {
        if (settings_error.code != ErrorCode::none) return settings_error;
        const std::size_t pairs = frame.pairs.size();
        if (pairs == 0) return {};
        if (frame.shapes == nullptr) return Error{ErrorCode::bad_argument, "Frame::shapes is null"};
        if (pairs >= Entry::kSwapped)
            return Error{ErrorCode::limit, "the frame has " + std::to_string(pairs) + " pairs, the limit is 2147483647"};
        for (const auto& [name, address, stride, size] :
             {std::tuple{"Frame::bodies", frame.bodies.address(0), frame.bodies.stride(), sizeof(Body)},
              std::tuple{"Frame::pairs", frame.pairs.address(0), frame.pairs.stride(), sizeof(Pair)}}) {
            if (reinterpret_cast<std::uintptr_t>(address) % 4 != 0 || stride % 4 != 0)
                return Error{ErrorCode::bad_argument, std::string(name) + " is not aligned to 4 bytes"};
            if (stride < size)
                return Error{ErrorCode::bad_argument, std::string(name) + " has a stride of " + std::to_string(stride) +
                                                          " bytes, expected " + std::to_string(size) + " or more"};
        }
        if (const CallResult r = check_size("Frame::caches", frame.caches, pairs, true); !r) return r;
        return {};
    }

    // Everything but packing: `out` points at the columns that the chunks write.
    void run(const Frame& frame, const QueryParameters& parameters, OutputView out) {
        assert(!busy.exchange(true) && "one NarrowPhase, two calls at once");
        const std::size_t pairs = frame.pairs.size();
        if (scratch.status.size() < pairs) scratch.status.resize(pairs);
        out.status = scratch.status.data();
        sort_pairs(frame, executor, sorted, out.status);

        const ShapeStore::Tables& tables = frame.shapes->tables();
        FrameView view = {frame.bodies.address(0), frame.bodies.stride(), {}, tables.hulls.data(), &unit_cube(), &unit_prism(), data_or_null(frame.caches)};
        for (std::uint32_t kind = 0; kind < kKindCount; ++kind) view.records[kind] = tables.kinds[kind].records.data();
        std::atomic<std::size_t> exact = 0;
        parallel_for(executor, sorted.chunks.size(), [&](std::size_t i) {
            Chunk chunk = sorted.chunks[i];
            chunk.frame = &view;
            chunk.out = &out;
            chunk.parameters = &parameters;
            ChunkCounters counted;
            const FpEnvironment environment;
            kernels->run_chunk(chunk, counted);
            if (counted.exact != 0) exact.fetch_add(counted.exact, std::memory_order_relaxed);
        });
        std::size_t answered = 0;
        for (const Chunk& chunk : sorted.chunks) answered += chunk.count;
        counters = {answered, answered - exact, exact};
        busy = false;
    }

    QueryParameters parameters(Query query, float reach) const {
        return {query, false, settings.depth == DepthPath::exact, reach, nullptr};
    }

    CallResult check_collide(const Frame& frame) const {
        const std::size_t pairs = frame.pairs.size();
        if (const CallResult r = check(frame); !r) return r;
        if (const CallResult r = check_size("Frame::margins", frame.margins, pairs, true); !r) return r;
        for (std::size_t i = 0; i < pairs && i < frame.margins.size(); ++i)
            if (const float margin = frame.margins[i]; !is_margin(margin))
                return bad_margin(std::string("Frame::margins[").append(std::to_string(i)).append("]"), margin);
        return {};
    }

    // Leaves contact counts and manifolds in the scratch.
    void run_collide(const Frame& frame) {
        const std::size_t pairs = frame.pairs.size();
        scratch.flag.assign(pairs, 0);
        if (scratch.manifolds.size() < pairs) scratch.manifolds.resize(pairs);
        OutputView view = {};
        view.contact_count = scratch.flag.data();
        view.manifolds = scratch.manifolds.data();
        QueryParameters wanted = parameters(Query::collide, settings.speculative_margin);
        wanted.margins = data_or_null(frame.margins);
        run(frame, wanted, view);
    }

    std::span<Status> statuses(const Frame& frame) { return {scratch.status.data(), frame.pairs.size()}; }

    void give_status(const Frame& frame, std::span<Status> wanted) {
        if (!wanted.empty()) std::copy_n(scratch.status.data(), frame.pairs.size(), wanted.data());
    }
};

NarrowPhase::NarrowPhase(const Settings& settings) : impl_(std::make_unique<Impl>(settings)) {}
NarrowPhase::~NarrowPhase() = default;
NarrowPhase::NarrowPhase(NarrowPhase&&) noexcept = default;
NarrowPhase& NarrowPhase::operator=(NarrowPhase&&) noexcept = default;

const Counters& NarrowPhase::counters() const { return impl_->counters; }
Isa NarrowPhase::isa() const { return impl_->isa; }

std::size_t NarrowPhase::reserve(std::size_t pairs) {
    impl_->sorted.reserve(pairs);
    impl_->scratch.status.reserve(pairs);
    impl_->scratch.flag.reserve(pairs);
    impl_->scratch.manifolds.reserve(pairs);
    return impl_->sorted.bytes() + impl_->scratch.bytes();
}

CallResult NarrowPhase::overlap(const Frame& frame, OverlapColumns& out) {
    const FpEnvironment environment;
    const std::size_t pairs = frame.pairs.size();
    if (const CallResult r = impl_->check(frame); !r) return r;
    if (const CallResult r = check_size("OverlapColumns::bits", out.bits, (pairs + 31) / 32, false); !r) return r;
    if (const CallResult r = check_size("OverlapColumns::status", out.status, pairs, true); !r) return r;
    out.hit_count = 0;
    if (pairs == 0) return {};

    PairScratch& scratch = impl_->scratch;
    scratch.flag.assign(pairs, 0);
    OutputView view = {};
    view.hit = scratch.flag.data();
    impl_->run(frame, impl_->parameters(Query::overlap, 0.0f), view);
    out.hit_count = pack_bits(scratch.flag, impl_->executor, out.bits);
    list_hits(out.bits.first((pairs + 31) / 32), out.hits);
    impl_->give_status(frame, out.status);
    return {};
}

CallResult NarrowPhase::distance(const Frame& frame, const DistanceColumns& out, const DistanceOptions& options) {
    const FpEnvironment environment;
    const std::size_t pairs = frame.pairs.size();
    if (const CallResult r = impl_->check(frame); !r) return r;
    if (const CallResult r = check_length("DistanceOptions::max_distance", options.max_distance); !r) return r;
    if (const CallResult r = check_size("DistanceColumns::signed_distance", out.signed_distance, pairs, false); !r) return r;
    if (const CallResult r = check_size("DistanceColumns::normal", out.normal, pairs, true); !r) return r;
    if (const CallResult r = check_size("DistanceColumns::point_a", out.point_a, pairs, true); !r) return r;
    if (const CallResult r = check_size("DistanceColumns::point_b", out.point_b, pairs, true); !r) return r;
    if (const CallResult r = check_size("DistanceColumns::status", out.status, pairs, true); !r) return r;
    if (pairs == 0) return {};

    OutputView view = {};
    view.signed_distance = out.signed_distance.data();
    view.normal = data_or_null(out.normal);
    view.point_a = data_or_null(out.point_a);
    view.point_b = data_or_null(out.point_b);
    QueryParameters parameters = impl_->parameters(Query::distance, options.max_distance);
    parameters.separation_only = options.separation_only;
    impl_->run(frame, parameters, view);
    // Pairs without an answer hold zeros, whatever the caller's memory held.
    const std::span<const Status> status = impl_->statuses(frame);
    for (std::size_t i = 0; i < pairs; ++i) {
        if (status[i] == Status::ok || status[i] == Status::not_converged) continue;
        view.signed_distance[i] = 0.0f;
        if (view.normal) view.normal[i] = {};
        if (view.point_a) view.point_a[i] = {};
        if (view.point_b) view.point_b[i] = {};
    }
    impl_->give_status(frame, out.status);
    return {};
}

CallResult NarrowPhase::collide(const Frame& frame, ManifoldColumns& out) {
    const FpEnvironment environment;
    const std::size_t pairs = frame.pairs.size();
    out.manifold_count = out.contact_count = out.manifolds_needed = out.contacts_needed = 0;
    if (const CallResult r = impl_->check_collide(frame); !r) return r;
    if (pairs == 0) {
        if (!out.first_manifold.empty()) out.first_manifold[0] = 0;
        return {};
    }
    if (const CallResult r = check_size("ManifoldColumns::first_manifold", out.first_manifold, pairs + 1, false); !r) return r;
    if (const CallResult r = check_size("ManifoldColumns::status", out.status, pairs, true); !r) return r;
    impl_->run_collide(frame);
    pack_manifolds(impl_->scratch.flag, impl_->scratch.manifolds, impl_->statuses(frame), out);
    impl_->give_status(frame, out.status);
    return {};
}

// --- Containers that grow ---

CallResult NarrowPhase::overlap(const Frame& frame, Overlaps& out) {
    const std::size_t pairs = frame.pairs.size();
    out.bits.resize((pairs + 31) / 32);
    out.status.resize(pairs);
    OverlapColumns columns{out.bits, out.status};
    const CallResult result = overlap(frame, columns);
    out.hits.resize(columns.hit_count);
    list_hits(out.bits, out.hits);
    return result;
}

CallResult NarrowPhase::distance(const Frame& frame, Distances& out, const DistanceOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    out.signed_distance.resize(pairs);
    out.normal.resize(pairs);
    out.point_a.resize(pairs);
    out.point_b.resize(pairs);
    out.status.resize(pairs);
    return distance(frame, DistanceColumns{out.signed_distance, out.normal, out.point_a, out.point_b, out.status}, options);
}

CallResult NarrowPhase::collide(const Frame& frame, Manifolds& out) {
    const FpEnvironment environment;
    const std::size_t pairs = frame.pairs.size();
    if (const CallResult r = impl_->check_collide(frame); !r) return r;
    out.first_manifold.resize(pairs + 1);
    out.status.resize(pairs);
    ManifoldNeeds needs;
    if (pairs != 0) {
        impl_->run_collide(frame);
        needs = count_manifolds(impl_->scratch.flag);
    }
    out.manifolds.resize(needs.manifolds);
    out.contacts.resize(needs.contacts);
    ManifoldColumns columns{out.first_manifold, out.manifolds, out.contacts, out.status};
    pack_manifolds({impl_->scratch.flag.data(), pairs}, impl_->scratch.manifolds, impl_->statuses(frame), columns);
    impl_->give_status(frame, out.status);
    return {};
}

}  // namespace abut
