// The calls of NarrowPhase: check the arguments, make room, run the query, one call at a time.
#include <abut/narrow_phase.hpp>

#include <algorithm>

#include "api/call_checks.hpp"
#include "base/parallel/guarded_call.hpp"
#include "queries/casts/cast_runs.hpp"
#include "queries/configurations/configuration_queries.hpp"
#include "queries/pairs/pair_queries.hpp"
#include "queries/rays/point_runs.hpp"
#include "queries/rays/ray_runs.hpp"
#include "queries/world/world_rays.hpp"
#include "queries/world/world_shapes.hpp"

namespace abut {
namespace {

// The error of a NarrowPhase that was moved from, or whose construction ran out of memory.
CallResult nothing_there() {
    return Error{ErrorCode::out_of_memory,
                 "this NarrowPhase is empty: memory ended while it was made, or it was moved from"};
}

template <class Out, class... Option>
detail::AnswerSize size_of(const Out&, const Frame& frame, const Option&...) {
    return {frame.pairs.size()};
}
template <class Out, class... Option>
detail::AnswerSize size_of(const Out&, const Configurations& all, const Option&...) {
    if constexpr (requires(Out columns) { columns.unanswered; }) return {all.size()};  // one per configuration
    return {all.size() * all.pairs.size()};
}
detail::AnswerSize size_of(const WorldRayColumns&, const WorldBodies&, const Rays& rays,
                           const WorldRayOptions& options) {
    return {rays.size(), 0, rays.size() * options.max_hits};
}
detail::AnswerSize size_of(const WorldCastColumns&, const WorldBodies&, const Bodies& shapes, const Motions&,
                           const WorldCastOptions&) {
    return {shapes.size()};
}
detail::AnswerSize size_of(const PathOverlapColumns&, const ConfigurationPaths& paths) { return {paths.ends.size()}; }

}  // namespace

struct NarrowPhase::Impl : HostAllocated<NarrowPhase::Impl> {
    QueryContext context;
    PairQueries pairs{context};
    CastRuns casts{context};
    RayRuns rays{context};
    PointRuns points{context};
    WorldRays world_rays{context};
    WorldShapes world_shapes{pairs, casts};
    ConfigurationQueries configurations{pairs};

    explicit Impl(const Settings& wanted) : context(wanted) {}

    // `query`: the member function that answers.
    template <class Query, class Out, class... Argument>
    static CallResult run(NarrowPhase& of, Query Impl::*query, Out& out, const Room& room,
                          const Argument&... arguments) {
        if (const CallResult r = of.usable(); !r) return r;
        if (const CallResult r = check_arguments(arguments...); !r) return r;
        return guarded_call([&]() -> CallResult {
            const detail::AnswerSize size = size_of(out, arguments...);
            if (room.make)
                if (const CallResult r = room.make(room.context, size); !r) return r;
            if (const CallResult r = check_columns(size, out); !r) return r;
            if constexpr (requires { out.hit_count; }) out.hit_count = 0;
            Impl& impl = *of.impl_;
            const Busy one(impl.context.busy);
            impl.context.begin();
            if (size.answers != 0) (impl.*query).answer(out, arguments...);
            return {};
        });
    }
};

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
    return impl_ ? impl_->context.counters : none;
}
std::span<const StageTime> NarrowPhase::stage_times() const {
    return impl_ ? impl_->context.times.list() : std::span<const StageTime>();
}
CallResult NarrowPhase::usable() const { return impl_ ? impl_->context.settings_result : nothing_there(); }
Isa NarrowPhase::isa() const { return impl_ ? impl_->context.isa : Isa::best; }

std::size_t NarrowPhase::reserve(std::size_t pairs, std::size_t child_pairs) {
    if (!impl_) return 0;
    (void)guarded_call([&]() -> CallResult {
        impl_->pairs.reserve(pairs, child_pairs);
        return {};
    });
    return impl_->pairs.bytes() + impl_->configurations.bytes();
}

CallResult NarrowPhase::run(OverlapColumns& out, const Room& room, const Frame& frame) {
    return Impl::run(*this, &Impl::pairs, out, room, frame);
}
CallResult NarrowPhase::run(DistanceColumns& out, const Room& room, const Frame& frame,
                            const DistanceOptions& options) {
    return Impl::run(*this, &Impl::pairs, out, room, frame, options);
}
CallResult NarrowPhase::run(CastColumns& out, const Room& room, const Frame& frame, const Motions& motions,
                            const CastOptions& options) {
    return Impl::run(*this, &Impl::casts, out, room, frame, motions, options);
}
CallResult NarrowPhase::run(RayColumns& out, const Room& room, const Frame& frame, const Rays& rays,
                            const RayOptions& options) {
    return Impl::run(*this, &Impl::rays, out, room, frame, rays, options);
}
CallResult NarrowPhase::run(PointColumns& out, const Room& room, const Frame& frame, const Points& points,
                            const PointOptions& options) {
    return Impl::run(*this, &Impl::points, out, room, frame, points, options);
}
CallResult NarrowPhase::run(WorldRayColumns& out, const Room& room, const WorldBodies& world, const Rays& rays,
                            const WorldRayOptions& options) {
    return Impl::run(*this, &Impl::world_rays, out, room, world, rays, options);
}
CallResult NarrowPhase::run(WorldCastColumns& out, const Room& room, const WorldBodies& world, const Bodies& shapes,
                            const Motions& motions, const WorldCastOptions& options) {
    return Impl::run(*this, &Impl::world_shapes, out, room, world, shapes, motions, options);
}
CallResult NarrowPhase::run(OverlapColumns& out, const Room& room, const Configurations& all) {
    return Impl::run(*this, &Impl::configurations, out, room, all);
}
CallResult NarrowPhase::run(DistanceColumns& out, const Room& room, const Configurations& all,
                            const DistanceOptions& options) {
    return Impl::run(*this, &Impl::configurations, out, room, all, options);
}
CallResult NarrowPhase::run(AnyOverlapColumns& out, const Room& room, const Configurations& all) {
    return Impl::run(*this, &Impl::configurations, out, room, all);
}
CallResult NarrowPhase::run(PathOverlapColumns& out, const Room& room, const ConfigurationPaths& paths) {
    return Impl::run(*this, &Impl::configurations, out, room, paths);
}
CallResult NarrowPhase::run(LeastDistanceColumns& out, const Room& room, const Configurations& all,
                            const DistanceOptions& options) {
    return Impl::run(*this, &Impl::configurations, out, room, all, options);
}

// The sizes of a container are known only after the query, both here and in the next function.
CallResult NarrowPhase::run(WorldOverlapColumns& out, const Room& room, const WorldBodies& world, const Bodies& shapes,
                            const WorldFilter& filter) {
    if (const CallResult r = usable(); !r) return r;
    if (const CallResult r = check_arguments(world, shapes, filter); !r) return r;
    return guarded_call([&]() -> CallResult {
        const std::size_t count = shapes.size();
        if (!room.make)
            if (const CallResult r = check_columns({count, 0, out.pairs.size()}, out); !r) return r;
        const Busy one(impl_->context.busy);
        impl_->context.begin();
        const std::span<const Pair> found = impl_->world_shapes.overlap(world, shapes, filter);
        if (room.make)
            if (const CallResult r = room.make(room.context, {count, 0, found.size()}); !r) return r;
        out.pair_count = found.size();
        std::copy_n(found.begin(), std::min(found.size(), out.pairs.size()), out.pairs.begin());
        if (!out.status.empty()) std::copy_n(impl_->world_shapes.statuses().begin(), count, out.status.begin());
        return {};
    });
}

CallResult NarrowPhase::run(ManifoldColumns& out, const Room& room, const Frame& frame) {
    if (const CallResult r = usable(); !r) return r;
    if (const CallResult r = check_collide(frame); !r) return r;
    return guarded_call([&]() -> CallResult {
        const std::size_t pairs = frame.pairs.size();
        if (!room.make)
            if (const CallResult r = check_columns({pairs, 0, out.contacts.size()}, out); !r) return r;
        const ManifoldNeeds needs = impl_->pairs.collide(frame);
        if (room.make)
            if (const CallResult r = room.make(room.context, {pairs, needs.manifolds, needs.contacts}); !r) return r;
        impl_->pairs.pack(frame, out);
        return {};
    });
}

void NarrowPhase::list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits) {
    abut::list_hits(bits, hits);
}

}  // namespace abut
