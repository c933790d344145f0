// The calls of NarrowPhase: checks, memory, one call at a time. The queries after their checks are in query_runner.hpp,
// rays/, queries/casts/cast_runs.hpp and queries/configurations/configuration_queries.hpp.
#include <abut/narrow_phase.hpp>

#include "api/call_checks.hpp"
#include "base/parallel/guarded_call.hpp"
#include "queries/casts/cast_runs.hpp"
#include "queries/configurations/configuration_queries.hpp"
#include "queries/pairs/query_runner.hpp"
#include "queries/rays/point_runs.hpp"
#include "queries/rays/ray_kernels.hpp"
#include "queries/rays/ray_runs.hpp"

namespace abut {

struct NarrowPhase::Impl : HostAllocated<NarrowPhase::Impl>, QueryRunner {
    RayRuns rays;
    CastRuns casts;
    ConfigurationQueries configurations;

    explicit Impl(const Settings& wanted) : QueryRunner(wanted), casts(kernels_for<CastKernels>(isa)) {}

    using QueryRunner::answer;
    void answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options) {
        const std::size_t pairs = frame.pairs.size();
        scratch.flag.assign(pairs, 0);
        casts.run(frame, motions, options, settings.max_child_pairs,
                  {kernels, few_kernels, executor, &counters, &times}, out, begin_statuses(pairs, out.status),
                  scratch.flag.data());
        give_hits(pairs, out);
    }
    void answer(RayColumns& out, const Frame& frame, const Rays& asked, const RayOptions& options) {
        const std::size_t pairs = frame.pairs.size();
        if (scratch.flag.size() < pairs) scratch.flag.resize(pairs);
        rays.run(frame, asked, options, executor, *kernels_for<RayKernels>(isa), out, begin_statuses(pairs, out.status),
                 scratch.flag.data());
        counters = {pairs, 0, pairs};
        give_hits(pairs, out);
    }
    void answer(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options) {
        const std::size_t pairs = frame.pairs.size();
        run_points(frame, points, options, executor, *kernels_for<RayKernels>(isa), out,
                   begin_statuses(pairs, out.status));
        counters = {pairs, 0, pairs};
    }
    template <class Out, class... Option>
    void answer(Out& out, const Configurations& all, const Option&... options) {
        configurations.answer(*this, out, all, options...);
    }

    std::size_t bytes() const { return QueryRunner::bytes() + configurations.bytes(); }

    template <class... Argument>
    CallResult check(const Argument&... arguments) const {
        return settings_result ? check_arguments(arguments...) : settings_result;
    }

    CallResult check_to_collide(const Frame& frame) const {
        return settings_result ? check_collide(frame) : settings_result;
    }

    // Fills the columns after the arguments were checked.
    template <class Out, class... Argument>
    CallResult run(Out& out, const Argument&... arguments) {
        return guarded_call([&]() -> CallResult {
            const std::size_t count = answers_in(out, arguments...);
            if (const CallResult r = check_columns(count, out); !r) return r;
            if constexpr (requires { out.hit_count; }) out.hit_count = 0;
            const Busy one(busy);
            begin();
            if (count != 0) answer(out, arguments...);
            return {};
        });
    }

    template <class Out, class... Option>
    static std::size_t answers_in(const Out&, const Frame& frame, const Option&...) {
        return frame.pairs.size();
    }
    template <class Out, class... Option>
    static std::size_t answers_in(const Out&, const Configurations& all, const Option&...) {
        if constexpr (requires(Out columns) { columns.unanswered; }) return all.size();  // one per configuration
        return all.size() * all.pairs.size();
    }

    // Checks and runs a query on columns. Calls on containers do both separately.
    template <class Out, class... Argument>
    static CallResult call(NarrowPhase& of, Out& out, const Argument&... arguments) {
        if (const CallResult r = of.check(arguments...); !r) return r;
        return of.run(out, arguments...);
    }
};

namespace {

// The error of a NarrowPhase that was moved from, or whose construction ran out of memory.
CallResult nothing_there() {
    return Error{ErrorCode::out_of_memory,
                 "this NarrowPhase is empty: memory ended while it was made, or it was moved from"};
}

}  // namespace

NarrowPhase::NarrowPhase(const Settings& settings) noexcept {
    // A NarrowPhase that stays empty refuses all calls.
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
std::span<const StageTime> NarrowPhase::stage_times() const {
    return impl_ ? impl_->times.list() : std::span<const StageTime>();
}
CallResult NarrowPhase::usable() const { return impl_ ? impl_->settings_result : nothing_there(); }
Isa NarrowPhase::isa() const { return impl_ ? impl_->isa : Isa::best; }

std::size_t NarrowPhase::reserve(std::size_t pairs, std::size_t child_pairs) {
    if (!impl_) return 0;
    (void)guarded_call([&]() -> CallResult {
        impl_->reserve(pairs, child_pairs);
        return {};
    });
    return impl_->bytes();
}

CallResult NarrowPhase::overlap(const Frame& frame, OverlapColumns& out) { return Impl::call(*this, out, frame); }
CallResult NarrowPhase::distance(const Frame& frame, DistanceColumns& out, const DistanceOptions& options) {
    return Impl::call(*this, out, frame, options);
}
CallResult NarrowPhase::cast(const Frame& frame, const Motions& motions, CastColumns& out, const CastOptions& options) {
    return Impl::call(*this, out, frame, motions, options);
}
CallResult NarrowPhase::raycast(const Frame& frame, const Rays& rays, RayColumns& out, const RayOptions& options) {
    return Impl::call(*this, out, frame, rays, options);
}
CallResult NarrowPhase::measure(const Frame& frame, const Points& points, PointColumns& out,
                                const PointOptions& options) {
    return Impl::call(*this, out, frame, points, options);
}
CallResult NarrowPhase::overlap_configurations(const Configurations& all, OverlapColumns& out) {
    return Impl::call(*this, out, all);
}
CallResult NarrowPhase::distance_configurations(const Configurations& all, DistanceColumns& out,
                                                const DistanceOptions& options) {
    return Impl::call(*this, out, all, options);
}
CallResult NarrowPhase::any_overlap(const Configurations& all, AnyOverlapColumns& out) {
    return Impl::call(*this, out, all);
}
CallResult NarrowPhase::least_distance(const Configurations& all, LeastDistanceColumns& out,
                                       const DistanceOptions& options) {
    return Impl::call(*this, out, all, options);
}

CallResult NarrowPhase::collide(const Frame& frame, ManifoldColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (!impl_) return nothing_there();
        if (const CallResult r = impl_->check_to_collide(frame); !r) return r;
        if (const CallResult r = check_columns(frame.pairs.size(), out); !r) return r;
        impl_->collide(frame);
        impl_->pack(frame, out);
        return {};
    });
}

// --- The two steps of a call, check and run: a container grows between them ---

CallResult NarrowPhase::check(const Frame& frame) const { return impl_ ? impl_->check(frame) : nothing_there(); }
CallResult NarrowPhase::check(const Frame& frame, const DistanceOptions& options) const {
    return impl_ ? impl_->check(frame, options) : nothing_there();
}
CallResult NarrowPhase::check(const Frame& frame, const Motions& motions, const CastOptions& options) const {
    return impl_ ? impl_->check(frame, motions, options) : nothing_there();
}
CallResult NarrowPhase::check(const Frame& frame, const Rays& rays, const RayOptions& options) const {
    return impl_ ? impl_->check(frame, rays, options) : nothing_there();
}
CallResult NarrowPhase::check(const Frame& frame, const Points& points, const PointOptions& options) const {
    return impl_ ? impl_->check(frame, points, options) : nothing_there();
}
CallResult NarrowPhase::check(const Configurations& all, const DistanceOptions& options) const {
    return impl_ ? impl_->check(all, options) : nothing_there();
}

CallResult NarrowPhase::run(OverlapColumns& out, const Frame& frame) { return impl_->run(out, frame); }
CallResult NarrowPhase::run(DistanceColumns& out, const Frame& frame, const DistanceOptions& options) {
    return impl_->run(out, frame, options);
}
CallResult NarrowPhase::run(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options) {
    return impl_->run(out, frame, motions, options);
}
CallResult NarrowPhase::run(RayColumns& out, const Frame& frame, const Rays& rays, const RayOptions& options) {
    return impl_->run(out, frame, rays, options);
}
CallResult NarrowPhase::run(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options) {
    return impl_->run(out, frame, points, options);
}
CallResult NarrowPhase::run(OverlapColumns& out, const Configurations& all) { return impl_->run(out, all); }
CallResult NarrowPhase::run(DistanceColumns& out, const Configurations& all, const DistanceOptions& options) {
    return impl_->run(out, all, options);
}
CallResult NarrowPhase::run(AnyOverlapColumns& out, const Configurations& all) { return impl_->run(out, all); }
CallResult NarrowPhase::run(LeastDistanceColumns& out, const Configurations& all, const DistanceOptions& options) {
    return impl_->run(out, all, options);
}

CallResult NarrowPhase::start_collide(const Frame& frame, std::size_t& manifolds, std::size_t& contacts) {
    return guarded_call([&]() -> CallResult {
        if (!impl_) return nothing_there();
        if (const CallResult r = impl_->check_to_collide(frame); !r) return r;
        const ManifoldNeeds needs = impl_->collide(frame);
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

void NarrowPhase::list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits) {
    abut::list_hits(bits, hits);
}

}  // namespace abut
