// The order of the stages, a call a stage: check and sort the pairs, run the chunks (load, separation, depth, store), pack the columns.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "frame_checks.hpp"
#include "isa/fp_environment.hpp"
#include "isa/kernels.hpp"
#include "pairs/child_pairs.hpp"
#include "pairs/sort.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/tbb_pool.hpp"
#include "results/child_results.hpp"
#include "results/columns.hpp"
#include "shapes/unit_cube.hpp"
#include "shapes/unit_prism.hpp"

namespace abut {

namespace {

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
    ChildPairs children;
    SortedPairs child_sorted;
    ChildScratch child_scratch;
    Counters counters;
    std::atomic<bool> busy = false;

    explicit Impl(const Settings& wanted) : settings(wanted), pool(wanted.executor ? 1 : wanted.threads) {
        unit_cube(), unit_prism();  // built here, so that no call allocates them
        executor = wanted.executor ? wanted.executor : pool.executor();
        if (!is_margin(wanted.speculative_margin)) {
            settings_error = bad_margin("Settings::speculative_margin", wanted.speculative_margin);
            return;
        }
        if (!is_margin(wanted.contact_slack)) {
            settings_error = bad_margin("Settings::contact_slack", wanted.contact_slack);
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

    CallResult check(const Frame& frame) const { return settings_error.code != ErrorCode::none ? settings_error : check_frame(frame); }

    // Everything but packing: `out` points at the columns that the chunks write.
    void run(const Frame& frame, const QueryParameters& parameters, OutputView out) {
        assert(!busy.exchange(true) && "one NarrowPhase, two calls at once");
        const std::size_t pairs = frame.pairs.size();
        if (scratch.status.size() < pairs) scratch.status.resize(pairs);
        out.status = scratch.status.data();
        counters = {};
        sort_pairs(frame, executor, sorted, out.status);
        run_chunks(frame, sorted, parameters, out);
        children.owners.clear();
        if (!sorted.compounds.empty()) run_children(frame, parameters, out);
        busy = false;
    }

    void run_chunks(const Frame& frame, SortedPairs& pairs, const QueryParameters& parameters, const OutputView& out) {
        const ShapeStore::Tables& tables = frame.shapes->tables();
        FrameView view = {frame.bodies.address(0), frame.bodies.stride(), {}, {}, tables.hulls.data(), &unit_cube(), &unit_prism(), data_or_null(frame.caches)};
        for (std::uint32_t kind = 0; kind < kKindCount; ++kind) {
            view.records[kind] = tables.kinds[kind].records.data();
            view.identities[kind] = tables.kinds[kind].identities.data();
        }
        std::atomic<std::size_t> exact = 0;
        parallel_for(executor, pairs.chunks.size(), [&](std::size_t i) {
            Chunk chunk = pairs.chunks[i];
            chunk.frame = &view;
            chunk.out = &out;
            chunk.parameters = &parameters;
            ChunkCounters counted;
            const FpEnvironment environment;
            kernels->run_chunk(chunk, counted);
            if (counted.exact != 0) exact.fetch_add(counted.exact, std::memory_order_relaxed);
        });
        std::size_t answered = 0;
        for (const Chunk& chunk : pairs.chunks) answered += chunk.count;
        counters.pairs += answered;
        counters.wide += answered - exact;
        counters.exact += exact;
    }

    // Pairs with a compound: their child pairs are a frame of their own, which goes the same way.
    void run_children(const Frame& frame, const QueryParameters& wanted, const OutputView& out) {
        expand_compounds(frame, sorted.compounds, wanted, executor, children, out.status);
        Frame child_frame = {frame.shapes, children.bodies, {children.body_pairs.data(), children.size()}, {}, {}};
        if (wanted.margins != nullptr) child_frame.margins = children.margins;
        QueryParameters parameters = wanted;
        parameters.margins = data_or_null(child_frame.margins);
        const OutputView child_out = child_scratch.view(children.size(), out);
        sort_pairs(child_frame, executor, child_sorted, child_out.status);
        run_chunks(child_frame, child_sorted, parameters, child_out);
        counters.child_pairs = children.size();
        give_owners(frame, children, wanted, executor, child_scratch, out);
    }

    QueryParameters parameters(Query query, float reach) const {
        return {query, false, settings.depth == DepthPath::exact, reach, nullptr, settings.contact_slack};
    }

    CallResult check_collide(const Frame& frame) const {
        const CallResult result = check(frame);
        return result ? check_margins(frame) : result;
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

    // What the manifolds of the last run_collide need.
    ManifoldNeeds count(const Frame& frame) { return count_manifolds(manifold_sources(frame), executor, scratch.packed); }
    void pack(const Frame& frame, ManifoldNeeds needs, ManifoldColumns& out) {
        pack_manifolds(manifold_sources(frame), scratch.packed, needs, executor, statuses(frame), out);
    }

    ManifoldSources manifold_sources(const Frame& frame) const {
        return {{scratch.flag.data(), frame.pairs.size()}, scratch.manifolds.data(), children.owners.empty() ? nullptr : &children,
                child_scratch.pairs.flag.data(), child_scratch.pairs.manifolds.data()};
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

std::size_t NarrowPhase::reserve(std::size_t pairs, std::size_t child_pairs) {
    impl_->sorted.reserve(pairs);
    impl_->scratch.reserve(pairs);
    impl_->children.reserve(child_pairs == 0 ? 0 : pairs, child_pairs);
    impl_->child_sorted.reserve(child_pairs);
    impl_->child_scratch.reserve(child_pairs);
    return impl_->sorted.bytes() + impl_->scratch.bytes() + impl_->children.bytes() + impl_->child_sorted.bytes() +
           impl_->child_scratch.bytes();
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
    if (const CallResult r = check_distance_limit("DistanceOptions::max_distance", options.max_distance); !r) return r;
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
    impl_->pack(frame, impl_->count(frame), out);
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
    if (pairs == 0) {
        out.first_manifold[0] = 0;
        out.manifolds.clear();
        out.contacts.clear();
        return {};
    }
    impl_->run_collide(frame);
    const ManifoldNeeds needs = impl_->count(frame);
    out.manifolds.resize(needs.manifolds);
    out.contacts.resize(needs.contacts);
    ManifoldColumns columns{out.first_manifold, out.manifolds, out.contacts, out.status};
    impl_->pack(frame, needs, columns);
    impl_->give_status(frame, out.status);
    return {};
}

}  // namespace abut
