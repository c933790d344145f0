/// @file
/// d2::NarrowPhase: the queries on an engine's candidate pairs in the plane.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <abut/compiler.hpp>
#include <abut/d2/cast_2d.hpp>
#include <abut/d2/configurations_2d.hpp>
#include <abut/d2/rays_2d.hpp>
#include <abut/d2/results_2d.hpp>
#include <abut/narrow_phase.hpp>
#include <abut/status.hpp>

namespace abut::d2 {

using abut::Counters;
using abut::Settings;

/// As abut::NarrowPhase: scratch memory, used from one thread at a time, any number of them on one store; no exception
/// leaves a call, a refused call changes nothing, and a call allocates nothing once an equal or larger frame of the
/// same query has been seen. Of the settings, those of caches and of ground do not count here. A pair of which more
/// than Settings::max_child_pairs pairs of children and segments are near has Status::no_room and no answer from
/// `collide` and `cast`, and not_converged and the best answer found from `overlap` and `distance`.
class ABUT_API NarrowPhase {
public:
    /// If `settings` cannot be met, every call returns that error, and so does usable().
    explicit NarrowPhase(const Settings& settings = {}) noexcept;
    ~NarrowPhase();
    NarrowPhase(NarrowPhase&&) noexcept;
    NarrowPhase& operator=(NarrowPhase&&) noexcept;

    /// Does the signed distance reach zero? The queries write to the caller's columns, or to containers that grow:
    /// Overlaps, Distances, Manifolds, or containers of the caller with the same members.
    CallResult overlap(const Frame& frame, OverlapColumns& out) { return run(out, {}, frame); }
    template <abut::GrowingOverlaps Out>
    CallResult overlap(const Frame& frame, Out& out) {
        return fill_hits<OverlapColumns>(out, frame);
    }

    /// Signed distance, normal and points. Two chains, two half-planes and a chain with a half-plane are unsupported.
    CallResult distance(const Frame& frame, DistanceColumns& out, const DistanceOptions& options = {}) {
        return run(out, {}, frame, options);
    }
    template <abut::GrowingDistances Out>
    CallResult distance(const Frame& frame, Out& out, const DistanceOptions& options = {}) {
        DistanceColumns columns;
        return fill(out, columns, frame, options);
    }

    /// Manifolds of at most two contacts within the speculative margin: none or one for two convex shapes, for a
    /// compound one for each pair of children, on a chain one for each line of segments. On a chain no contact has a
    /// normal that the chain does not show there: at a level or hollow joint that of a segment, at a joint that stands
    /// out one between those of its two segments. So nothing catches at joints.
    CallResult collide(const Frame& frame, ManifoldColumns& out) { return run(out, {}, frame); }
    template <GrowingManifolds Out>
    CallResult collide(const Frame& frame, Out& out) {
        ManifoldColumns columns;
        return fill(out, columns, frame);
    }

    /// The first time at which the bodies of each pair come within a distance, as they move from the frame's poses to
    /// those of `motions` (cast_2d.hpp). Half-planes and chains as for `distance`; a chain's segments take part by
    /// where the other body is at the start.
    CallResult cast(const Frame& frame, const Motions& motions, CastColumns& out, const CastOptions& options = {}) {
        return run(out, {}, frame, motions, options);
    }
    template <abut::GrowingCasts Out>
    CallResult cast(const Frame& frame, const Motions& motions, Out& out, const CastOptions& options = {}) {
        return fill_hits<CastColumns>(out, frame, motions, options);
    }

    /// Where rays first meet bodies: Pair::a is the index of a ray, Pair::b that of a body.
    CallResult raycast(const Frame& frame, const Rays& rays, RayColumns& out, const RayOptions& options = {}) {
        return run(out, {}, frame, rays, options);
    }
    template <abut::GrowingRayHits Out>
    CallResult raycast(const Frame& frame, const Rays& rays, Out& out, const RayOptions& options = {}) {
        return fill_hits<RayColumns>(out, frame, rays, options);
    }

    /// Signed distances of points from bodies: Pair::a is the index of a point, Pair::b that of a body.
    CallResult measure(const Frame& frame, const Points& points, PointColumns& out, const PointOptions& options = {}) {
        return run(out, {}, frame, points, options);
    }
    template <GrowingPointDistances Out>
    CallResult measure(const Frame& frame, const Points& points, Out& out, const PointOptions& options = {}) {
        PointColumns columns;
        return fill(out, columns, frame, points, options);
    }

    /// One answer per configuration (configurations_2d.hpp): the first pair of the list that overlaps.
    CallResult any_overlap(const Configurations& all, AnyOverlapColumns& out) { return run(out, {}, all); }
    template <abut::GrowingAnyOverlaps Out>
    CallResult any_overlap(const Configurations& all, Out& out) {
        AnyOverlapColumns columns;
        return fill(out, columns, all);
    }
    /// The least distance of all pairs.
    CallResult least_distance(const Configurations& all, LeastDistanceColumns& out,
                              const DistanceOptions& options = {}) {
        return run(out, {}, all, options);
    }
    template <abut::GrowingLeastDistances Out>
    CallResult least_distance(const Configurations& all, Out& out, const DistanceOptions& options = {}) {
        LeastDistanceColumns columns;
        return fill(out, columns, all, options);
    }

    /// The paths of the last call that was not refused.
    const Counters& counters() const;
    Isa isa() const;  ///< the one in use
    /// An error if every call will return it.
    CallResult usable() const;

private:
    struct ABUT_LOCAL Impl;

    // As in abut::NarrowPhase.
    struct Room {
        CallResult (*make)(void* context, const abut::detail::AnswerSize& size) = nullptr;
        void* context = nullptr;
    };
    CallResult run(OverlapColumns& out, const Room& room, const Frame& frame);
    CallResult run(DistanceColumns& out, const Room& room, const Frame& frame, const DistanceOptions& options);
    CallResult run(ManifoldColumns& out, const Room& room, const Frame& frame);
    CallResult run(CastColumns& out, const Room& room, const Frame& frame, const Motions& motions,
                   const CastOptions& options);
    CallResult run(RayColumns& out, const Room& room, const Frame& frame, const Rays& rays, const RayOptions& options);
    CallResult run(PointColumns& out, const Room& room, const Frame& frame, const Points& points,
                   const PointOptions& options);
    CallResult run(AnyOverlapColumns& out, const Room& room, const Configurations& all);
    CallResult run(LeastDistanceColumns& out, const Room& room, const Configurations& all,
                   const DistanceOptions& options);
    // Runs a query on a container; fill_hits lists the hits as well.
    template <class Columns, class Out, class... Argument>
    CallResult fill_hits(Out& out, const Argument&... arguments) {
        Columns columns;
        if (CallResult r = fill(out, columns, arguments...); !r) return r;
        const auto resize = [&] { out.hits.resize(columns.hit_count); };
        if (CallResult r = abut::detail::within_memory(resize); !r) return r;
        list_hits(out.bits, out.hits);
        return {};
    }
    template <class Out, class Columns, class... Argument>
    CallResult fill(Out& out, Columns& columns, const Argument&... arguments) {
        auto grow = [&](const abut::detail::AnswerSize& size) { return abut::detail::grow(out, columns, size); };
        const auto make = [](void* context, const abut::detail::AnswerSize& size) {
            return (*static_cast<decltype(grow)*>(context))(size);
        };
        return run(columns, {make, &grow}, arguments...);
    }
    static void list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits);

    std::unique_ptr<Impl> impl_;
};

}  // namespace abut::d2
