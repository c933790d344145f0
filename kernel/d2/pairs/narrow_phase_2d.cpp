// The calls of d2::NarrowPhase: check the arguments, make room, run the query, one call at a time.
#include <abut/d2/narrow_phase_2d.hpp>

#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "batch/frame_checks.hpp"
#include "d2/pairs/cast_queries_2d.hpp"
#include "d2/pairs/plane_configurations.hpp"
#include "d2/pairs/plane_queries.hpp"
#include "d2/pairs/ray_queries_2d.hpp"
#include "d2/shapes/body_checks.hpp"

namespace abut::d2 {
namespace {

CallResult nothing_there() {
    return Error{ErrorCode::out_of_memory,
                 "this d2::NarrowPhase is empty: memory ended while it was made, or it was moved from"};
}

CallResult check_values(const char* name, const Strided<float>& values, std::size_t pairs, bool may_be_infinite) {
    if (const CallResult r = check_column(name, values, pairs); !r) return r;
    for (std::size_t i = 0; i < (values.empty() ? 0 : pairs); ++i) {
        if (may_be_infinite ? values[i] >= 0 : is_margin(values[i])) continue;
        return bad_argument(message_of(numbered(name, i), " is ", values[i], ", expected ",
                                       may_be_infinite ? "0 or more" : kExpectedMargin));
    }
    return {};
}

CallResult check(const Frame& frame) {
    const std::size_t pairs = frame.pairs.size();
    if (pairs == 0) return {};
    if (frame.shapes == nullptr) return bad_argument("d2::Frame::shapes is null");
    if (pairs >= Entry::kSwapped)
        return Error{ErrorCode::limit, message_of("the frame has ", pairs, " pairs, the limit is 2147483647")};
    if (const CallResult r = check_bodies("d2::Frame::bodies", frame.bodies); !r) return r;
    if (const CallResult r = check_strided("d2::Frame::pairs", frame.pairs); !r) return r;
    return check_values("d2::Frame::margins", frame.margins, pairs, false);
}

// One of two columns of positions.
CallResult check_positions(const char* name, const Strided<Vec2>& floats, const Strided<DVec2>& doubles,
                           std::size_t wanted) {
    if (const CallResult r = check_column(name, floats, wanted); !r) return r;
    if (const CallResult r = check_column(name, doubles, wanted); !r) return r;
    if (wanted == 0 || floats.empty() != doubles.empty()) return {};
    return bad_argument(message_of(name, " is given neither or both as floats and doubles, expected one"));
}
// Segments of chains are met from their front alone.
CallResult check_sides(const char* name, QuerySides sides) {
    if (sides == QuerySides::as_cooked) return {};
    return bad_argument(
        message_of(name, " is ", static_cast<unsigned>(sides), ", expected as_cooked (0) in two dimensions"));
}
CallResult check(const Frame& frame, const Rays& rays, const RayOptions& options) {
    if (const CallResult r = check(frame); !r) return r;
    if (const CallResult r = check_sides("RayOptions::sides", options.sides); !r) return r;
    if (frame.pairs.size() == 0) return {};
    if (const CallResult r = check_strided("d2::Rays::directions", rays.directions); !r) return r;
    if (const CallResult r = check_column("d2::Rays::lengths", rays.lengths, rays.size()); !r) return r;
    return check_positions("d2::Rays::origins", rays.origins, rays.double_origins, rays.size());
}
CallResult check(const Frame& frame, const Points& points, const PointOptions& options) {
    if (const CallResult r = check(frame); !r) return r;
    if (!(options.max_distance >= 0))
        return bad_argument(message_of("PointOptions::max_distance is ", options.max_distance, ", expected 0 or more"));
    if (frame.pairs.size() == 0) return {};
    return check_positions("d2::Points::positions", points.positions, points.double_positions, points.size());
}
CallResult check(const Frame& frame, const Motions& motions, const CastOptions& options) {
    if (const CallResult r = check(frame); !r) return r;
    const std::size_t pairs = frame.pairs.size(), bodies = frame.bodies.size();
    if (pairs == 0) return {};
    if (const CallResult r = check_bodies("d2::Motions::ends", motions.ends); !r) return r;
    if (motions.ends.size() != bodies)
        return Error{ErrorCode::bad_size,
                     message_of("d2::Motions::ends has ", motions.ends.size(), " bodies, the frame has ", bodies)};
    if (const CallResult r = check_column("d2::Motions::centers", motions.centers, bodies); !r) return r;
    if (const CallResult r = check_margin("CastOptions::target", options.target); !r) return r;
    if (const CallResult r = check_sides("CastOptions::sides", options.sides); !r) return r;
    if (!(options.tolerance >= 1e-5f && options.tolerance <= 1.0f))
        return bad_argument(message_of("CastOptions::tolerance is ", options.tolerance, ", expected 1e-5 to 1"));
    if (const CallResult r = check_values("CastOptions::targets", options.targets, pairs, false); !r) return r;
    if (const CallResult r = check_column("CastOptions::latest", options.latest, pairs); !r) return r;
    for (std::size_t i = 0; i < (options.latest.empty() ? 0 : pairs); ++i)
        if (!(options.latest[i] >= 0.0f && options.latest[i] <= 1.0f))
            return bad_argument(
                message_of(numbered("CastOptions::latest", i), " is ", options.latest[i], ", expected 0 to 1"));
    return {};
}
CallResult check(const DistanceOptions& options, std::size_t pairs) {
    if (!(options.max_distance >= 0))
        return bad_argument(
            message_of("DistanceOptions::max_distance is ", options.max_distance, ", expected 0 or more"));
    return check_values("DistanceOptions::max_distances", options.max_distances, pairs, true);
}
CallResult check(const Frame& frame, const DistanceOptions& options) {
    if (const CallResult r = check(frame); !r) return r;
    return check(options, frame.pairs.size());
}
CallResult check(const Configurations& all, const DistanceOptions& options = {}) {
    const std::size_t bodies = all.robot.size(), pairs = all.pairs.size(), most = Entry::kSwapped;
    if (all.shapes == nullptr) return bad_argument("d2::Configurations::shapes is null");
    if (const CallResult r = check_bodies("d2::Configurations::robot", all.robot); !r) return r;
    if (const CallResult r = check_bodies("d2::Configurations::obstacles", all.obstacles); !r) return r;
    if (const CallResult r = check_strided("d2::Configurations::pairs", all.pairs); !r) return r;
    if (all.robot_bodies == 0 || bodies % all.robot_bodies != 0)
        return Error{ErrorCode::bad_size, message_of("d2::Configurations::robot has ", bodies,
                                                     " bodies, expected a multiple of ", all.robot_bodies)};
    if (pairs >= most || bodies >= most || all.obstacles.size() >= most)
        return Error{ErrorCode::limit, message_of("d2::Configurations has ", bodies, " and ", all.obstacles.size(),
                                                  " bodies, ", pairs, " pairs, the limit is 2147483647")};
    return check(options, pairs);
}

// The number of answers.
std::size_t answers_to(const Frame& frame) { return frame.pairs.size(); }
std::size_t answers_to(const Configurations& all) { return all.size(); }

}  // namespace

struct NarrowPhase::Impl : HostAllocated<NarrowPhase::Impl> {
    QueryContext context;
    PlaneQueries pairs{context};
    RayQueries rays{context};
    CastQueries casts{context};
    ConfigurationQueries configurations{pairs};

    explicit Impl(const Settings& wanted) : context(wanted) {}

    // `query`: the member that answers.
    template <class Query, class Out, class Asked, class... Argument>
    static CallResult run(NarrowPhase& of, Query Impl::*query, Out& out, const Room& room, const Asked& asked,
                          const Argument&... arguments) {
        if (const CallResult r = of.usable(); !r) return r;
        if (const CallResult r = check(asked, arguments...); !r) return r;
        return guarded_call([&]() -> CallResult {
            const abut::detail::AnswerSize size = {answers_to(asked)};
            if (room.make)
                if (const CallResult r = room.make(room.context, size); !r) return r;
            if (const CallResult r = check_columns(size, out); !r) return r;
            if constexpr (requires { out.hit_count; }) out.hit_count = 0;
            Impl& impl = *of.impl_;
            const Busy one(impl.context.busy);
            impl.context.begin();
            if (size.answers != 0) (impl.*query).answer(out, asked, arguments...);
            return {};
        });
    }
};

NarrowPhase::NarrowPhase(const Settings& settings) noexcept {
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
CallResult NarrowPhase::usable() const { return impl_ ? impl_->context.settings_result : nothing_there(); }
Isa NarrowPhase::isa() const { return impl_ ? impl_->context.isa : Isa::best; }

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
    return Impl::run(*this, &Impl::rays, out, room, frame, points, options);
}
CallResult NarrowPhase::run(AnyOverlapColumns& out, const Room& room, const Configurations& all) {
    return Impl::run(*this, &Impl::configurations, out, room, all);
}
CallResult NarrowPhase::run(LeastDistanceColumns& out, const Room& room, const Configurations& all,
                            const DistanceOptions& options) {
    return Impl::run(*this, &Impl::configurations, out, room, all, options);
}
// The sizes of a container are known after the query.
CallResult NarrowPhase::run(ManifoldColumns& out, const Room& room, const Frame& frame) {
    if (const CallResult r = usable(); !r) return r;
    if (const CallResult r = check(frame); !r) return r;
    return guarded_call([&]() -> CallResult {
        const std::size_t pairs = frame.pairs.size();
        if (!room.make)
            if (const CallResult r = check_columns({pairs, 0, 0}, out); !r) return r;
        const std::size_t manifolds = impl_->pairs.collide(frame);
        if (room.make)
            if (const CallResult r = room.make(room.context, {pairs, manifolds, 0}); !r) return r;
        impl_->pairs.pack(frame, out);
        return {};
    });
}

void NarrowPhase::list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits) {
    abut::list_hits(bits, hits);
}

}  // namespace abut::d2
