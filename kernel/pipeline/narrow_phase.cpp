// The order of the stages, one call per stage: check and sort the pairs, run the chunks (load, separation, depth, store), pack the columns.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>

#include <abut/narrow_phase.hpp>

#include "frame/frame_checks.hpp"
#include "host/message.hpp"
#include "isa/kernels.hpp"
#include "pairs/body_records.hpp"
#include "pairs/sort.hpp"
#include "parallel/fp_environment.hpp"
#include "parallel/guarded_call.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/tbb_pool.hpp"
#include "pipeline/cast_runs.hpp"
#include "pipeline/child_runs.hpp"
#include "pipeline/chunk_runs.hpp"
#include "pipeline/configuration_call.hpp"
#include "pipeline/configuration_runs.hpp"
#include "pipeline/point_runs.hpp"
#include "pipeline/ray_runs.hpp"
#include "pipeline/surface_runs.hpp"
#include "results/columns.hpp"

namespace abut {

namespace {

template <class T>
T* data_or_null(std::span<T> span) {
    return span.empty() ? nullptr : span.data();
}

// Beyond this a number of threads is a mistake: an arena has a slot for each.
constexpr unsigned kMaxThreads = 4096;

CallResult check_settings(const Settings& wanted) {
    if (wanted.threads > kMaxThreads)
        return bad_argument(message_of("Settings::threads is ", wanted.threads, ", expected ", kMaxThreads, " or less"));
    if (wanted.depth != DepthPath::automatic && wanted.depth != DepthPath::exact)
        return bad_argument(message_of("Settings::depth is ", static_cast<unsigned>(wanted.depth), ", expected automatic (0) or exact (1)"));
    if (const CallResult r = check_margin("Settings::speculative_margin", wanted.speculative_margin); !r) return r;
    if (const CallResult r = check_margin("Settings::contact_slack", wanted.contact_slack); !r) return r;
    return check_margin("Settings::follow_distance", wanted.follow_distance);
}

// One call at a time, whichever way it ends. Relaxed, as nothing is ordered by it: an exchange would cost a small call 20 cycles.
class Busy {
public:
    explicit Busy(std::atomic<bool>& busy) : busy_(busy) {
        assert(!busy_.load(std::memory_order_relaxed) && "one NarrowPhase, two calls at once");
        busy_.store(true, std::memory_order_relaxed);
    }
    ~Busy() { busy_.store(false, std::memory_order_relaxed); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    std::atomic<bool>& busy_;
};

// Field by field: gcc clears the whole by an instruction that takes 30 cycles to start.
OutputView no_columns() {
    OutputView view;
    view.status = nullptr;
    view.hit = nullptr, view.contact_count = nullptr;
    view.signed_distance = nullptr;
    view.normal = nullptr, view.point_a = nullptr, view.point_b = nullptr;
    view.manifolds = nullptr;
    view.traces = nullptr;
    return view;
}

}  // namespace

struct NarrowPhase::Impl : HostAllocated<NarrowPhase::Impl> {
    Settings settings;
    CallResult settings_result;  // an error where the settings cannot be met
    const Kernels* kernels = nullptr;
    Isa isa = Isa::best;
    std::optional<TbbPool> pool;
    Executor executor;
    BodyRecords bodies;
    SortedPairs sorted;
    PairScratch scratch;
    ChildRuns compounds{ChildRuns::Of::compounds}, surfaces{ChildRuns::Of::surfaces};
    SurfaceRuns surface_pairs;
    CastRuns casts;
    RayRuns ray_runs;
    ConfigurationRuns configurations;
    ConfigurationScratch configuration_scratch;
    Counters counters;
    CallTimes times;
    std::atomic<bool> busy = false;

    explicit Impl(const Settings& wanted) : settings(wanted), settings_result(check_settings(wanted)) {
        if (!settings_result) return;
        const Expected<Isa> resolved = resolve_isa(wanted.isa);
        if (!resolved) {
            settings_result = resolved.error();
            return;
        }
        if (!wanted.executor) pool.emplace(wanted.threads);
        executor = wanted.executor ? wanted.executor : pool->executor();
        isa = *resolved;
        kernels = kernels_for(isa);
    }

    // The largest number of chunks that run at once; for an executor of the caller's, which does not tell, one per processor.
    std::size_t tasks() const {
        if (settings.executor.run == serial_executor().run || settings.threads == 1) return 1;
        return settings.threads != 0 ? settings.threads : std::max(std::thread::hardware_concurrency(), 1u);
    }

    CallResult check(const Frame& frame) const { return settings_result ? check_frame(frame) : settings_result; }

    CallResult check_distance(const Frame& frame, const DistanceOptions& options) const {
        const CallResult result = check(frame);
        return result ? check_limits(frame, options) : result;
    }

    CallResult check_collide(const Frame& frame) const {
        const CallResult result = check(frame);
        return result ? check_margins(frame) : result;
    }

    // Everything but packing: `out` points at the columns that the chunks write.
    void run(const Frame& wanted, const QueryParameters& parameters, OutputView out) {
        const Busy one(busy);
        const std::optional<Frame> with_records = bodies.with_records(wanted, executor);
        const Frame& frame = with_records ? *with_records : wanted;
        const std::size_t pairs = frame.pairs.size();
        if (scratch.status.size() < pairs) scratch.status.resize(pairs);
        out.status = scratch.status.data();
        out.traces = data_or_null(frame.traces);
        counters = {};
        times.clear();
        {
            const TimedStage timed(times, CallTimes::sort, pairs);
            sort_pairs(frame, *kernels, executor, sorted, out.status);
        }
        if (out.traces) begin_traces(out.traces, pairs);
        run_sorted(frame, sorted, parameters, out);
    }

    void run_sorted(const Frame& frame, const SortedPairs& some, const QueryParameters& parameters, const OutputView& out) {
        compounds.clear();
        surfaces.clear();
        const ChunkRunner runner = {kernels, executor, &counters, &times};
        runner.run(frame, some, parameters, out);
        if (!some.compounds.empty()) compounds.run(frame, some.compounds, parameters, settings.max_child_pairs, runner, out);
        if (!some.surfaces.empty()) surfaces.run(frame, some.surfaces, parameters, settings.max_child_pairs, runner, out);
        if (!some.surface_pairs.empty()) surface_pairs.run(frame, some.surface_pairs, parameters, settings.max_child_pairs, runner, out);
    }

    // Pairs with a compound or a surface are in no chunk.
    void begin_traces(PairTrace* traces, std::size_t pairs) const {
        std::fill_n(traces, pairs, PairTrace());
        for (const auto* entries : {&sorted.compounds, &sorted.surfaces, &sorted.surface_pairs}) {
            for (const Entry& entry : *entries) {
                PairTrace& trace = traces[entry.pair()];
                trace.states[trace.count++] = PairState::children;
            }
        }
    }

    QueryParameters parameters(Query query, float reach) const {
        return {query, false, settings.depth == DepthPath::exact, reach, {}, settings.contact_slack, settings.follow_distance};
    }

    void run_overlap(const Frame& frame, OverlapColumns& out) {
        const std::size_t pairs = frame.pairs.size(), words = (pairs + 31) / 32;
        scratch.flag.assign(pairs, 0);
        OutputView view = no_columns();
        view.hit = scratch.flag.data();
        run(frame, parameters(Query::overlap, 0.0f), view);
        const TimedStage timed(times, CallTimes::pack, pairs);
        out.hit_count = pack_bits(scratch.flag, executor, out.bits);
        list_hits(out.bits.first(words), out.hits);
        give_status(frame, out.status);
    }

    // --- many configurations ---

    CallResult check_configurations(const Configurations& all, const DistanceOptions& options) const {
        if (!settings_result) return settings_result;
        if (const CallResult r = abut::check_configurations(all); !r) return r;
        return check_limits(all, options);
    }

    // What a call about configurations needs of this one; answers of a block are in its own scratch and in scratch.flag.
    auto configuration_call(const Configurations& all) {
        counters = {};
        times.clear();
        configurations.begin(all, *kernels, executor, kPairsTogether * tasks());
        return ConfigurationCall(all, configurations, scratch, configuration_scratch,
                                 [this](const Frame& block, const QueryParameters& wanted, OutputView out) {
            const std::optional<Frame> with_records = bodies.with_records(block, executor);
            const Frame& frame = with_records ? *with_records : block;
            if (scratch.status.size() < frame.pairs.size()) scratch.status.resize(frame.pairs.size());
            out.status = scratch.status.data();
            configurations.write_status(frame, statuses(frame));
            run_sorted(frame, configurations.sorted(), wanted, out);
        });
    }

    void run_overlap_configurations(const Configurations& all, OverlapColumns& out) {
        const Busy one(busy);
        const std::size_t words = (all.size() * all.pairs.size() + 31) / 32;
        configuration_call(all).overlaps(parameters(Query::overlap, 0.0f), no_columns(), out.status);
        out.hit_count = pack_bits(scratch.flag, executor, out.bits);
        list_hits(out.bits.first(words), out.hits);
    }

    void run_distance_configurations(const Configurations& all, const DistanceColumns& out, const DistanceOptions& options) {
        const Busy one(busy);
        QueryParameters wanted = parameters(Query::distance, options.max_distance);
        wanted.separation_only = options.separation_only;
        configuration_call(all).distances(wanted, options, no_columns(), out, &Impl::clear_unanswered);
    }

    void run_any_overlap(const Configurations& all, const AnyOverlapColumns& out) {
        const Busy one(busy);
        configuration_call(all).any_overlap(parameters(Query::overlap, 0.0f), no_columns(), out);
    }

    void run_least_distance(const Configurations& all, const LeastDistanceColumns& out, const DistanceOptions& options) {
        const Busy one(busy);
        QueryParameters wanted = parameters(Query::distance, options.max_distance);
        wanted.separation_only = options.separation_only;
        configuration_call(all).least_distance(wanted, options, no_columns(), out);
    }

    void run_distance(const Frame& frame, const DistanceColumns& out, const DistanceOptions& options) {
        OutputView view = no_columns();
        view.signed_distance = out.signed_distance.data();
        view.normal = data_or_null(out.normal);
        view.point_a = data_or_null(out.point_a);
        view.point_b = data_or_null(out.point_b);
        QueryParameters wanted = parameters(Query::distance, options.max_distance);
        wanted.separation_only = options.separation_only;
        if (!options.max_distances.empty()) {
            wanted.margins = options.max_distances;
            wanted.reach = 0.0f;
            for (std::size_t i = 0; i < frame.pairs.size(); ++i) wanted.reach = std::max(wanted.reach, options.max_distances[i]);
        }
        run(frame, wanted, view);
        const TimedStage timed(times, CallTimes::pack, frame.pairs.size());
        clear_unanswered(statuses(frame), view);
        give_status(frame, out.status);
    }

    CallResult check_cast(const Frame& frame, const Motions& motions, const CastOptions& options) const {
        if (const CallResult r = check(frame); !r) return r;
        const CallResult result = check_motions(frame, motions);
        return result ? check_cast_options(frame.pairs.size(), options) : result;
    }

    void run_cast(const Frame& frame, const Motions& motions, CastColumns& out, const CastOptions& options) {
        const Busy one(busy);
        const std::size_t pairs = frame.pairs.size(), words = (pairs + 31) / 32;
        if (scratch.status.size() < pairs) scratch.status.resize(pairs);
        counters = {};
        times.clear();
        casts.run(frame, motions, options, settings.max_child_pairs, {kernels, executor, &counters, &times}, scratch.status.data());
        scratch.flag.assign(pairs, 0);
        for (std::size_t i = 0; i < pairs; ++i) {
            const FirstHit& first = casts.first()[i];
            const bool is_answered = scratch.status[i] == Status::ok || scratch.status[i] == Status::not_converged;
            scratch.flag[i] = is_answered && first.hits;
            FirstHit miss = {};
            if (is_answered) {
                miss.time = options.latest.empty() ? 1.0 : double(options.latest[i]);
                miss.distance = std::numeric_limits<float>::infinity();
            }
            write_hit(scratch.flag[i] != 0 ? first : miss, i, out);
        }
        out.hit_count = pack_bits(scratch.flag, executor, out.bits);
        list_hits(out.bits.first(words), out.hits);
        give_status(frame, out.status);
    }

    static void write_hit(const FirstHit& hit, std::size_t pair, const CastColumns& out) {
        const auto put = [&](auto column, const auto& value) {
            if (!column.empty()) column[pair] = value;
        };
        put(out.time, hit.time), put(out.signed_distance, hit.distance);
        put(out.normal, hit.normal), put(out.point_a, hit.point_a), put(out.point_b, hit.point_b);
        put(out.child_a, hit.child_a), put(out.child_b, hit.child_b);
    }

    CallResult check_raycast(const Frame& frame, const Rays& rays) const {
        const CallResult result = check(frame);
        return result ? check_rays(frame, rays) : result;
    }

    void run_raycast(const Frame& frame, const Rays& of, RayColumns& out, const RayOptions& options) {
        const Busy one(busy);
        const std::size_t pairs = frame.pairs.size(), words = (pairs + 31) / 32;
        if (scratch.status.size() < pairs) scratch.status.resize(pairs);
        if (scratch.flag.size() < pairs) scratch.flag.resize(pairs);
        times.clear();
        ray_runs.run(frame, of, options, executor, kernels->find_entries, out, scratch.status.data(), scratch.flag.data());
        counters = {pairs, 0, pairs};
        out.hit_count = pack_bits({scratch.flag.data(), pairs}, executor, out.bits);
        list_hits(out.bits.first(words), out.hits);
        give_status(frame, out.status);
    }

    CallResult check_measure(const Frame& frame, const Points& points, const PointOptions& options) const {
        const CallResult result = check(frame);
        return result ? check_points(frame, points, options) : result;
    }

    void run_measure(const Frame& frame, const Points& points, const PointColumns& out, const PointOptions& options) {
        const Busy one(busy);
        const std::size_t pairs = frame.pairs.size();
        if (scratch.status.size() < pairs) scratch.status.resize(pairs);
        times.clear();
        run_points(frame, points, options, executor, out, scratch.status.data());
        counters = {pairs, 0, pairs};
        give_status(frame, out.status);
    }

    // Pairs without an answer hold zeros, whatever the caller's memory held.
    static void clear_unanswered(std::span<const Status> status, const OutputView& view) {
        // As a rule there is none.
        unsigned any = 0;
        for (const Status one : status) any |= static_cast<unsigned>(one);
        if (any == static_cast<unsigned>(Status::ok)) return;
        for (std::size_t i = 0; i < status.size(); ++i) {
            if (status[i] == Status::ok || status[i] == Status::not_converged) continue;
            view.signed_distance[i] = 0.0f;
            if (view.normal) view.normal[i] = {};
            if (view.point_a) view.point_a[i] = {};
            if (view.point_b) view.point_b[i] = {};
        }
    }

    // Leaves contact counts and manifolds in the scratch; returns what they need.
    ManifoldNeeds run_collide(const Frame& frame) {
        const std::size_t pairs = frame.pairs.size();
        counters = {};
        if (pairs == 0) return needs = {};
        scratch.flag.assign(pairs, 0);
        if (scratch.manifolds.size() < pairs) scratch.manifolds.resize(pairs);
        OutputView view = no_columns();
        view.contact_count = scratch.flag.data();
        view.manifolds = scratch.manifolds.data();
        QueryParameters wanted = parameters(Query::collide, settings.speculative_margin);
        wanted.margins = frame.margins;
        run(frame, wanted, view);
        return needs = count_manifolds(manifold_sources(frame), executor, scratch.packed);
    }

    void pack(const Frame& frame, ManifoldColumns& out) {
        if (frame.pairs.size() == 0) {
            out.manifold_count = out.contact_count = out.manifolds_needed = out.contacts_needed = 0;
            if (!out.first_manifold.empty()) out.first_manifold[0] = 0;
            return;
        }
        const TimedStage timed(times, CallTimes::pack, frame.pairs.size());
        pack_manifolds(manifold_sources(frame), scratch.packed, needs, executor, statuses(frame), out);
        give_status(frame, out.status);
    }

    ManifoldSources manifold_sources(const Frame& frame) const {
        ManifoldSources sources = {{scratch.flag.data(), frame.pairs.size()}, scratch.manifolds.data()};
        compounds.add_to(sources.compounds);
        surfaces.add_to(sources.surfaces);
        return sources;
    }

    std::span<Status> statuses(const Frame& frame) { return {scratch.status.data(), frame.pairs.size()}; }

    void give_status(const Frame& frame, std::span<Status> wanted) {
        if (!wanted.empty()) std::copy_n(scratch.status.data(), frame.pairs.size(), wanted.data());
    }

    ManifoldNeeds needs;  // of the last run_collide
};

namespace {

// The error of a NarrowPhase that was moved from, or for which memory did not suffice.
CallResult nothing_there() {
    return Error{ErrorCode::out_of_memory, "this NarrowPhase is empty: memory ended while it was made, or it was moved from"};
}

}  // namespace

NarrowPhase::NarrowPhase(const Settings& settings) noexcept {
    // A NarrowPhase that stays empty refuses every call.
    (void)guarded_call([&]() -> CallResult {
        impl_ = std::make_unique<Impl>(settings);
        return {};
    });
}
NarrowPhase::~NarrowPhase() = default;
NarrowPhase::NarrowPhase(NarrowPhase&&) noexcept = default;
NarrowPhase& NarrowPhase::operator=(NarrowPhase&&) noexcept = default;

const Counters& NarrowPhase::counters() const {
    static const Counters none;
    return impl_ ? impl_->counters : none;
}
std::span<const StageTime> NarrowPhase::stage_times() const { return impl_ ? impl_->times.list() : std::span<const StageTime>(); }
CallResult NarrowPhase::usable() const { return impl_ ? impl_->settings_result : nothing_there(); }
Isa NarrowPhase::isa() const { return impl_ ? impl_->isa : Isa::best; }

std::size_t NarrowPhase::reserve(std::size_t pairs, std::size_t child_pairs) {
    if (!impl_) return 0;
    (void)guarded_call([&]() -> CallResult {
        impl_->sorted.reserve(pairs);
        if (child_pairs != 0) {
            impl_->sorted.compounds.reserve(pairs);
            impl_->sorted.surfaces.reserve(pairs);
            impl_->sorted.surface_pairs.reserve(pairs);
        }
        impl_->scratch.reserve(pairs);
        const std::size_t owners = child_pairs == 0 ? 0 : pairs;
        impl_->compounds.reserve(owners, child_pairs, impl_->tasks());
        impl_->surfaces.reserve(owners, child_pairs, impl_->tasks());
        impl_->surface_pairs.reserve(owners, impl_->tasks());
        return {};
    });
    return impl_->bodies.bytes() + impl_->sorted.bytes() + impl_->scratch.bytes() + impl_->compounds.bytes() + impl_->surfaces.bytes() +
           impl_->surface_pairs.bytes() + impl_->configurations.bytes() + impl_->configuration_scratch.bytes();
}

CallResult NarrowPhase::overlap(const Frame& frame, OverlapColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_overlap(frame); !r) return r;
        return run_overlap(frame, out);
    });
}

CallResult NarrowPhase::distance(const Frame& frame, const DistanceColumns& out, const DistanceOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_distance(frame, options); !r) return r;
        return run_distance(frame, out, options);
    });
}

CallResult NarrowPhase::collide(const Frame& frame, ManifoldColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (!impl_) return nothing_there();
        if (const CallResult r = impl_->check_collide(frame); !r) return r;
        if (const CallResult r = check_columns(frame.pairs.size(), out); !r) return r;
        impl_->run_collide(frame);
        impl_->pack(frame, out);
        return {};
    });
}

CallResult NarrowPhase::cast(const Frame& frame, const Motions& motions, CastColumns& out, const CastOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_cast(frame, motions, options); !r) return r;
        return run_cast(frame, motions, out, options);
    });
}

CallResult NarrowPhase::overlap_configurations(const Configurations& all, OverlapColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_configurations(all, {}); !r) return r;
        return run_overlap_configurations(all, out);
    });
}

CallResult NarrowPhase::distance_configurations(const Configurations& all, const DistanceColumns& out, const DistanceOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_configurations(all, options); !r) return r;
        return run_distance_configurations(all, out, options);
    });
}

CallResult NarrowPhase::any_overlap(const Configurations& all, const AnyOverlapColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_configurations(all, {}); !r) return r;
        return run_any_overlap(all, out);
    });
}

CallResult NarrowPhase::least_distance(const Configurations& all, const LeastDistanceColumns& out, const DistanceOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_configurations(all, options); !r) return r;
        return run_least_distance(all, out, options);
    });
}

// --- Halves of calls, for containers that grow ---

CallResult NarrowPhase::check_configurations(const Configurations& all, const DistanceOptions& options) const {
    return impl_ ? impl_->check_configurations(all, options) : nothing_there();
}

CallResult NarrowPhase::run_overlap_configurations(const Configurations& all, OverlapColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(all.size() * all.pairs.size(), out); !r) return r;
        out.hit_count = 0;
        impl_->counters = {};
        if (all.size() * all.pairs.size() != 0) impl_->run_overlap_configurations(all, out);
        return {};
    });
}

CallResult NarrowPhase::run_distance_configurations(const Configurations& all, const DistanceColumns& out, const DistanceOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(all.size() * all.pairs.size(), out); !r) return r;
        impl_->counters = {};
        if (all.size() * all.pairs.size() != 0) impl_->run_distance_configurations(all, out, options);
        return {};
    });
}

CallResult NarrowPhase::run_any_overlap(const Configurations& all, const AnyOverlapColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(all.size(), out); !r) return r;
        impl_->run_any_overlap(all, out);
        return {};
    });
}

CallResult NarrowPhase::run_least_distance(const Configurations& all, const LeastDistanceColumns& out, const DistanceOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(all.size(), out); !r) return r;
        impl_->run_least_distance(all, out, options);
        return {};
    });
}

CallResult NarrowPhase::check_overlap(const Frame& frame) const { return impl_ ? impl_->check(frame) : nothing_there(); }

CallResult NarrowPhase::check_distance(const Frame& frame, const DistanceOptions& options) const {
    return impl_ ? impl_->check_distance(frame, options) : nothing_there();
}

CallResult NarrowPhase::run_overlap(const Frame& frame, OverlapColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(frame.pairs.size(), out); !r) return r;
        out.hit_count = 0;
        impl_->counters = {};
        if (frame.pairs.size() != 0) impl_->run_overlap(frame, out);
        return {};
    });
}

CallResult NarrowPhase::run_distance(const Frame& frame, const DistanceColumns& out, const DistanceOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(frame.pairs.size(), out); !r) return r;
        impl_->counters = {};
        if (frame.pairs.size() != 0) impl_->run_distance(frame, out, options);
        return {};
    });
}

CallResult NarrowPhase::start_collide(const Frame& frame, std::size_t& manifolds, std::size_t& contacts) {
    return guarded_call([&]() -> CallResult {
        if (!impl_) return nothing_there();
        if (const CallResult r = impl_->check_collide(frame); !r) return r;
        const ManifoldNeeds needs = impl_->run_collide(frame);
        manifolds = needs.manifolds;
        contacts = needs.contacts;
        return {};
    });
}

CallResult NarrowPhase::finish_collide(const Frame& frame, ManifoldColumns& out) {
    return guarded_call([&]() -> CallResult {
        impl_->pack(frame, out);
        return {};
    });
}

CallResult NarrowPhase::check_cast(const Frame& frame, const Motions& motions, const CastOptions& options) const {
    return impl_ ? impl_->check_cast(frame, motions, options) : nothing_there();
}

CallResult NarrowPhase::run_cast(const Frame& frame, const Motions& motions, CastColumns& out, const CastOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(frame.pairs.size(), out); !r) return r;
        out.hit_count = 0;
        impl_->counters = {};
        if (frame.pairs.size() != 0) impl_->run_cast(frame, motions, out, options);
        return {};
    });
}

CallResult NarrowPhase::raycast(const Frame& frame, const Rays& rays, RayColumns& out, const RayOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_raycast(frame, rays); !r) return r;
        return run_raycast(frame, rays, out, options);
    });
}

CallResult NarrowPhase::check_raycast(const Frame& frame, const Rays& rays) const {
    return impl_ ? impl_->check_raycast(frame, rays) : nothing_there();
}

CallResult NarrowPhase::run_raycast(const Frame& frame, const Rays& rays, RayColumns& out, const RayOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(frame.pairs.size(), out); !r) return r;
        out.hit_count = 0;
        impl_->counters = {};
        if (frame.pairs.size() != 0) impl_->run_raycast(frame, rays, out, options);
        return {};
    });
}

CallResult NarrowPhase::measure(const Frame& frame, const Points& points, const PointColumns& out, const PointOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_measure(frame, points, options); !r) return r;
        return run_measure(frame, points, out, options);
    });
}

CallResult NarrowPhase::check_measure(const Frame& frame, const Points& points, const PointOptions& options) const {
    return impl_ ? impl_->check_measure(frame, points, options) : nothing_there();
}

CallResult NarrowPhase::run_measure(const Frame& frame, const Points& points, const PointColumns& out, const PointOptions& options) {
    return guarded_call([&]() -> CallResult {
        if (const CallResult r = check_columns(frame.pairs.size(), out); !r) return r;
        impl_->counters = {};
        if (frame.pairs.size() != 0) impl_->run_measure(frame, points, out, options);
        return {};
    });
}

void NarrowPhase::list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits) { abut::list_hits(bits, hits); }

}  // namespace abut
