/// @file
/// NarrowPhase: the queries on an engine's candidate pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/cast.hpp>
#include <abut/compiler.hpp>
#include <abut/configurations.hpp>
#include <abut/frame.hpp>
#include <abut/host.hpp>
#include <abut/rays.hpp>
#include <abut/results.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>
#include <abut/world.hpp>

namespace abut {

/// How the depth of overlapping pairs is computed. All are within the promised error.
enum class DepthPath : std::uint8_t {
    automatic,  ///< the fastest path that can certify its answer, the exact path for the other pairs
    exact,      ///< every pair by the exact path (double precision GJK and EPA): a cross-check, and slow
};

/// How a NarrowPhase runs. Executor, threads and ISA change no answer.
struct Settings {
    float speculative_margin = 0.02f;  ///< metres; `collide` reports contacts up to this far apart
    /// Metres, and at most 0.4% of the smaller shape's size. Depths that differ by less do not affect which contacts
    /// `collide` reports, and along which of two nearly parallel normals. So a solver's noise does not change the
    /// contacts. 0: no slack (docs/numerics.md).
    float contact_slack = 0.005f;
    Executor executor = {};                  ///< empty: oneTBB where the build has it, else serial
    unsigned threads = 0;                    ///< for the built-in oneTBB executor; 0: all of its threads
    Isa isa = Isa::best;                     ///< which kernels run
    DepthPath depth = DepthPath::automatic;  ///< how depths are computed
    /// The limit on child pairs of a pair of compounds; only children that are near enough count. `collide` computes up
    /// to this many. A pair that has more gets Status::no_room and no manifold, and Counters::most_child_pairs has the
    /// number. `overlap` and `distance` compute at most this many (or 4,096, if that is more), the likeliest first. If
    /// these prove nothing, the status is not_converged. Each child pair costs `collide` about 100 bytes of scratch,
    /// and 0.1 to 0.3 microseconds.
    std::uint32_t max_child_pairs = 1u << 20;
    /// Metres, and at most 4% of the smaller body's origin radius: by how much separations may err. With Frame::caches,
    /// `collide` then lets the contacts of an earlier frame follow their bodies (not those of a compound with a body
    /// other than a mesh or a height field), until the motion since they were computed, as one body is seen from the
    /// other, plus the change of their separations exceeds this. The normal rotates with one body, and the other one
    /// tilts against it by up to 0.02 radians; each contact goes halfway between its two points, which stay with their
    /// bodies. Contacts that the motion adds are missing; those beyond the margin are left out. On a mesh or a height
    /// field the motion alone counts (up to 2%), the normal stays with the surface, and separations are right. PhysX
    /// (0.375 of its margin), Jolt (1 mm) and Box3D (50 mm) have limits of their own. 0: contacts follow only as far as
    /// promise 1 and the contact slack allow, which is less than 0.2% of the size.
    float follow_distance = 0.0f;
    /// The most contacts of a manifold on a mesh or a height field, and of joined manifolds: 4 to 8. Four corners carry
    /// a body on level ground; on uneven ground a body may rest on more points than four.
    std::uint32_t ground_contacts = 4;
    /// Radians, 0 to 1.57. Manifolds of one pair (children of compounds, triangles) whose normals differ by no more
    /// from that of the deepest contact become one, with its normal. Each contact keeps its own separation; of all,
    /// those that bear the load stay. For engines that solve friction once per manifold: without it, they apply it
    /// several times to a body on nearly flat ground. In the half of Contact::feature that is of a compound, the child
    /// is mixed into the name. 0: manifolds stay apart.
    float manifold_angle = 0.0f;
};

/// How many pairs took which path in the last call that was not refused. For a pair with a compound its computed child
/// pairs count, and not the pair itself.
struct Counters {
    std::size_t pairs = 0;        ///< answered pairs
    std::size_t wide = 0;         ///< answered by wide kernels alone
    std::size_t exact = 0;        ///< answered by the scalar double-precision path
    std::size_t child_pairs = 0;  ///< of `pairs`, those of compounds' children and of triangles
    /// collide: the largest number of child pairs, if a pair has more than Settings::max_child_pairs; 2^26 means 2^26
    /// or more. 0: no pair has more.
    std::size_t most_child_pairs = 0;
};

/// Holds scratch memory only. Use it from one thread at a time (asserted in debug builds). Any number of them may share
/// a store. A call allocates nothing once an equal or larger frame of the same query has been seen or reserved, except
/// for oneTBB's own allocations. A frame is const in every call, but the caches and traces that it names are written.
///
/// No exception leaves a call. A call that is refused (bad_argument, bad_size, limit, unsupported) changes nothing. A
/// call that fails later (out_of_memory, executor) may have written to the columns; do not use their content. The next
/// call works again.
class ABUT_API NarrowPhase {
public:
    /// If `settings` cannot be met (an ISA that this machine does not have, a bad margin, over 4,096 threads), every
    /// call returns that error, and so does usable().
    explicit NarrowPhase(const Settings& settings = {}) noexcept;
    ~NarrowPhase();
    NarrowPhase(NarrowPhase&&) noexcept;
    NarrowPhase& operator=(NarrowPhase&&) noexcept;

    /// Each query writes to the caller's columns, or to containers that grow: Overlaps, Distances, Manifolds, or
    /// containers of the caller (results.hpp). O(pairs).
    CallResult overlap(const Frame& frame, OverlapColumns& out) { return run(out, {}, frame); }
    template <GrowingOverlaps Out>
    CallResult overlap(const Frame& frame, Out& out) {
        return fill<OverlapColumns>(out, frame);
    }

    /// Two surfaces (meshes or height fields) have the least signed distance of all pairs of their triangles, both
    /// sides of each. That of two triangles that overlap is minus their depth, the least translation that parts these
    /// two: not the depth of what the surfaces may enclose. Beyond Settings::max_child_pairs near pairs of triangles:
    /// not_converged.
    CallResult distance(const Frame& frame, DistanceColumns& out, const DistanceOptions& options = {}) {
        return run(out, {}, frame, options);
    }
    template <GrowingDistances Out>
    CallResult distance(const Frame& frame, Out& out, const DistanceOptions& options = {}) {
        return fill<DistanceColumns>(out, frame, options);
    }

    /// Two surfaces are unsupported: a manifold pushes a body out of the inside of another one, and a surface has none.
    CallResult collide(const Frame& frame, ManifoldColumns& out) { return run(out, {}, frame); }
    template <GrowingManifolds Out>
    CallResult collide(const Frame& frame, Out& out) {
        return fill<ManifoldColumns>(out, frame);
    }

    /// The first time at which the bodies of each pair come within a distance, as they move from the frame's poses to
    /// those of `motions` (cast.hpp). Margins, caches and traces of the frame are not used; relative poses are refused.
    /// A pair whose motion meets more child pairs than Settings::max_child_pairs has Status::no_room. O(pairs)
    /// distances per round, 2 to 10 rounds for most pairs.
    CallResult cast(const Frame& frame, const Motions& motions, CastColumns& out, const CastOptions& options = {}) {
        return run(out, {}, frame, motions, options);
    }
    template <GrowingCasts Out>
    CallResult cast(const Frame& frame, const Motions& motions, Out& out, const CastOptions& options = {}) {
        return fill<CastColumns>(out, frame, motions, options);
    }

    /// Where rays first meet bodies (rays.hpp). In Frame::pairs, a is the index of a ray and b that of a body. Margins,
    /// caches and traces of the frame are not used; relative poses are refused. O(pairs), in a mesh or compound
    /// O(log(children)) per pair as a rule.
    CallResult raycast(const Frame& frame, const Rays& rays, RayColumns& out, const RayOptions& options = {}) {
        return run(out, {}, frame, rays, options);
    }
    template <GrowingRayHits Out>
    CallResult raycast(const Frame& frame, const Rays& rays, Out& out, const RayOptions& options = {}) {
        return fill<RayColumns>(out, frame, rays, options);
    }

    /// Signed distances of points from bodies (rays.hpp). In Frame::pairs, a is the index of a point and b that of a
    /// body. Margins, caches and traces of the frame are not used; relative poses are refused.
    CallResult measure(const Frame& frame, const Points& points, PointColumns& out, const PointOptions& options = {}) {
        return run(out, {}, frame, points, options);
    }
    template <GrowingPointDistances Out>
    CallResult measure(const Frame& frame, const Points& points, Out& out, const PointOptions& options = {}) {
        return fill<PointColumns>(out, frame, points, options);
    }

    /// The same against a whole world (world.hpp). Rays: O(log(bodies)) nodes per ray as a rule.
    CallResult raycast(const WorldBodies& world, const Rays& rays, WorldRayColumns& out,
                       const WorldRayOptions& options = {}) {
        return run(out, {}, world, rays, options);
    }
    template <GrowingWorldRayHits Out>
    CallResult raycast(const WorldBodies& world, const Rays& rays, Out& out, const WorldRayOptions& options = {}) {
        return fill<WorldRayColumns>(out, world, rays, options);
    }
    /// Which bodies of a world each of many shapes with poses overlaps.
    CallResult overlap(const WorldBodies& world, const Bodies& shapes, WorldOverlapColumns& out,
                       const WorldFilter& filter = {}) {
        return run(out, {}, world, shapes, filter);
    }
    template <GrowingWorldOverlaps Out>
    CallResult overlap(const WorldBodies& world, const Bodies& shapes, Out& out, const WorldFilter& filter = {}) {
        return fill<WorldOverlapColumns>(out, world, shapes, filter);
    }
    /// The first hit of each of many shapes with a body of a world, as they move from their poses in `shapes` to those
    /// of `motions`.
    CallResult cast(const WorldBodies& world, const Bodies& shapes, const Motions& motions, WorldCastColumns& out,
                    const WorldCastOptions& options = {}) {
        return run(out, {}, world, shapes, motions, options);
    }
    template <GrowingWorldCasts Out>
    CallResult cast(const WorldBodies& world, const Bodies& shapes, const Motions& motions, Out& out,
                    const WorldCastOptions& options = {}) {
        return fill<WorldCastColumns>(out, world, shapes, motions, options);
    }

    /// The same bodies and pairs in many configurations (configurations.hpp). The first two have the bits of `overlap`
    /// and `distance` for each configuration, an element per (configuration, pair); max_distances is one per pair of
    /// the list. The other two have one answer per configuration.
    CallResult overlap_configurations(const Configurations& all, OverlapColumns& out) { return run(out, {}, all); }
    template <GrowingOverlaps Out>
    CallResult overlap_configurations(const Configurations& all, Out& out) {
        return fill<OverlapColumns>(out, all);
    }
    /// As distance, an element per (configuration, pair).
    CallResult distance_configurations(const Configurations& all, DistanceColumns& out,
                                       const DistanceOptions& options = {}) {
        return run(out, {}, all, options);
    }
    template <GrowingDistances Out>
    CallResult distance_configurations(const Configurations& all, Out& out, const DistanceOptions& options = {}) {
        return fill<DistanceColumns>(out, all, options);
    }
    /// One answer per configuration: the first pair of the list that overlaps.
    CallResult any_overlap(const Configurations& all, AnyOverlapColumns& out) { return run(out, {}, all); }
    template <GrowingAnyOverlaps Out>
    CallResult any_overlap(const Configurations& all, Out& out) {
        return fill<AnyOverlapColumns>(out, all);
    }
    /// One answer per path: a configuration and a pair that overlaps in it.
    CallResult any_overlap(const ConfigurationPaths& paths, PathOverlapColumns& out) { return run(out, {}, paths); }
    template <GrowingPathOverlaps Out>
    CallResult any_overlap(const ConfigurationPaths& paths, Out& out) {
        return fill<PathOverlapColumns>(out, paths);
    }
    /// One answer per configuration: the least distance of all pairs.
    CallResult least_distance(const Configurations& all, LeastDistanceColumns& out,
                              const DistanceOptions& options = {}) {
        return run(out, {}, all, options);
    }
    template <GrowingLeastDistances Out>
    CallResult least_distance(const Configurations& all, Out& out, const DistanceOptions& options = {}) {
        return fill<LeastDistanceColumns>(out, all, options);
    }

    /// Reserves scratch of `overlap`, `distance` and `collide` for frames of `pairs` pairs, whose compounds, and whose
    /// meshes and height fields, have up to `child_pairs` child pairs each that are near enough
    /// (Counters::child_pairs). Returns the bytes of scratch then held: less if there was not enough memory. The
    /// scratch of casts, rays and configurations grows in their first call.
    std::size_t reserve(std::size_t pairs, std::size_t child_pairs = 0);
    /// The paths of the last call that was not refused.
    const Counters& counters() const;
    /// The times of the last call, valid until the next one; empty unless the library was built with -D
    /// ABUT_STAGE_TIMES=ON.
    std::span<const StageTime> stage_times() const;
    Isa isa() const;  ///< the one in use
    /// An error if every call will return it.
    CallResult usable() const;

private:
    struct ABUT_LOCAL Impl;

    // Makes room in a container, between the checks of a query and the query. No container crosses the library's
    // border, because its layout depends on the user's flags (_GLIBCXX_DEBUG).
    struct Room {
        CallResult (*make)(void* context, const detail::AnswerSize& size) = nullptr;
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
    CallResult run(WorldRayColumns& out, const Room& room, const WorldBodies& world, const Rays& rays,
                   const WorldRayOptions& options);
    CallResult run(WorldOverlapColumns& out, const Room& room, const WorldBodies& world, const Bodies& shapes,
                   const WorldFilter& filter);
    CallResult run(WorldCastColumns& out, const Room& room, const WorldBodies& world, const Bodies& shapes,
                   const Motions& motions, const WorldCastOptions& options);
    CallResult run(OverlapColumns& out, const Room& room, const Configurations& all);
    CallResult run(DistanceColumns& out, const Room& room, const Configurations& all, const DistanceOptions& options);
    CallResult run(AnyOverlapColumns& out, const Room& room, const Configurations& all);
    CallResult run(PathOverlapColumns& out, const Room& room, const ConfigurationPaths& paths);
    CallResult run(LeastDistanceColumns& out, const Room& room, const Configurations& all,
                   const DistanceOptions& options);
    // Runs a query on a container.
    template <class Columns, class Out, class... Argument>
    CallResult fill(Out& out, const Argument&... arguments);
    static void list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits);

    std::unique_ptr<Impl> impl_;
};

// --- Containers that grow ---

template <class Columns, class Out, class... Argument>
CallResult NarrowPhase::fill(Out& out, const Argument&... arguments) {
    Columns columns;
    auto grow = [&](const detail::AnswerSize& size) { return detail::grow(out, columns, size); };
    const auto make = [](void* context, const detail::AnswerSize& size) {
        return (*static_cast<decltype(grow)*>(context))(size);
    };
    const CallResult result = run(columns, {make, &grow}, arguments...);
    if constexpr (requires { columns.hit_count; }) {
        if (!result) return result;
        const auto resize = [&] { detail::make_room(out.hits, columns.hit_count), out.hits.resize(columns.hit_count); };
        if (CallResult r = detail::within_memory(resize); !r) return r;
        list_hits(out.bits, out.hits);
    }
    return result;
}

}  // namespace abut
