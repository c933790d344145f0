/// @file
/// Queries against a whole world in one call: the first hits of rays, the bodies that shapes overlap, the first hits of
/// moving shapes. No pair list is needed: a tree over the bodies' bounds finds the bodies.
///
///   world_bounds(shapes, bodies, bounds);
///   tree.build({bounds});                                  // once per frame, for any number of queries
///   narrow.raycast({&shapes, bodies, &tree}, rays, hits);  // hits.body[i]: what ray i meets first
///
/// Each answer has the bits of the query on pairs (NarrowPhase) for the list of all pairs of a ray or shape and a body
/// that it sees. It does not depend on the number of threads, the instruction set or the other rays of the call.
///
/// Source: rays visit the nodes of the tree in the order of their distance [Kay, Kajiya 1986]. The pairs of many rays
/// are computed together, one pair per SIMD lane.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/broad_phase.hpp>
#include <abut/cast.hpp>
#include <abut/columns.hpp>
#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/rays.hpp>
#include <abut/status.hpp>

namespace abut {

struct WorldBoxes;  ///< the library's own

/// A tree over the bounds of a world's bodies. Build it once per frame; any number of queries, also of several threads,
/// may then read it at once.
class ABUT_API WorldTree {
public:
    /// If `settings` cannot be met, every call of build returns that error.
    explicit WorldTree(const BroadSettings& settings = {}) noexcept;
    ~WorldTree();
    WorldTree(WorldTree&&) noexcept;
    WorldTree& operator=(WorldTree&&) noexcept;

    /// Box i is that of body i, relative to `origin`. Groups and masks are copied; `moving` is not read. A bad box (a
    /// body with a bad pose) is met by no query. O(n log n). Errors and memory are as of BroadPhase::find_pairs; after
    /// an error that is not a refusal the tree is empty.
    CallResult build(const Boxes& boxes, const DVec3& origin = {});

    std::size_t size() const;                    ///< the number of boxes of the last build
    std::span<const std::uint32_t> bad() const;  ///< the indices of its bad boxes, ascending

private:
    struct ABUT_LOCAL Impl;
    friend const WorldBoxes* boxes_of(const WorldTree& tree);

    std::unique_ptr<Impl> impl_;
};

/// The bodies of a world. A body whose box in the tree does not contain it may be missed.
struct WorldBodies {
    const ShapeStore* shapes = nullptr;  ///< of all bodies
    Bodies bodies;                       ///< as many as the tree has boxes
    const WorldTree* tree = nullptr;     ///< of these bodies
};

inline constexpr std::uint32_t kNoBody = 0xffffffff;  ///< no body of a world

/// Which bodies a query sees, without a callback. All columns are optional, with one element per ray or shape.
struct WorldFilter {
    /// Ray i sees body k only if groups[i] & (mask of k) and (group of k) & masks[i] are not 0. Missing: all bits.
    Strided<std::uint32_t> groups = {}, masks = {};
    /// A body that is not seen, such as the one from which the ray starts, or kNoBody.
    Strided<std::uint32_t> ignored = {};
};

// --- Rays ---

/// What is a hit, and how many hits of a ray are listed.
struct WorldRayOptions {
    /// Per ray, 1 to 65,536. At most one hit with each body: the first one along the ray.
    std::uint32_t max_hits = 1;
    /// The list has any hits instead of the first ones: the cheapest answer to whether something blocks the ray.
    bool any = false;
    /// Without it a ray ends where its list cannot change any more, and `left_out` counts nothing.
    bool count_left_out = false;
    bool solid_meshes = false;                 ///< as RayOptions::solid_meshes
    QuerySides sides = QuerySides::as_cooked;  ///< of all rays; Rays::sides has those of each
    WorldFilter filter = {};                   ///< which bodies each ray sees
};

/// max_hits elements per ray unless a comment says otherwise: those of ray i begin at i * max_hits. The hits of a ray
/// ascend by fraction, at equal fractions by body. Elements without a hit have kNoBody, fraction 1, kNoFace and zeros.
struct WorldRayColumns {
    std::span<std::uint32_t> body = {};   ///< optional, like all columns; the index of the hit body, or kNoBody
    std::span<double> fraction = {};      ///< in [0, 1], of the ray's length
    std::span<Vec3> point = {};           ///< relative to the position of the body, world axes
    std::span<Vec3> normal = {};          ///< as RayColumns::normal
    std::span<std::uint32_t> child = {};  ///< as RayColumns::child
    std::span<std::uint8_t> inside = {};  ///< 1: the ray starts in the solid
    /// not_converged: of a hit. bad_pose in all elements of a ray that is not finite, has no direction or a length of 0
    /// or less.
    std::span<Status> status = {};
    std::span<std::uint32_t> left_out = {};  ///< one per ray: how many hits more it has (count_left_out)
    std::span<std::uint16_t> face = {};      ///< as RayColumns::face

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    /// Elements of rays are counted as contacts. Structs without `face` are allowed.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        if constexpr (requires { ((void)of.face, ...); })
            if (!f(one_per_contact, "WorldRayColumns::face", of.face...)) return false;
        return f(one_per_contact, "WorldRayColumns::body", of.body...) &&
               f(one_per_contact, "WorldRayColumns::fraction", of.fraction...) &&
               f(one_per_contact, "WorldRayColumns::point", of.point...) &&
               f(one_per_contact, "WorldRayColumns::normal", of.normal...) &&
               f(one_per_contact, "WorldRayColumns::child", of.child...) &&
               f(one_per_contact, "WorldRayColumns::inside", of.inside...) &&
               f(one_per_contact, "WorldRayColumns::status", of.status...) &&
               f(optional, "WorldRayColumns::left_out", of.left_out...);
    }
};

/// The columns of WorldRayColumns, which grow.
struct WorldRayHits {
    std::vector<std::uint32_t> body;      ///< as in WorldRayColumns
    std::vector<double> fraction;         ///< as in WorldRayColumns
    std::vector<Vec3> point, normal;      ///< as in WorldRayColumns
    std::vector<std::uint32_t> child;     ///< as in WorldRayColumns
    std::vector<std::uint8_t> inside;     ///< as in WorldRayColumns
    std::vector<Status> status;           ///< as in WorldRayColumns
    std::vector<std::uint32_t> left_out;  ///< as in WorldRayColumns
    std::vector<std::uint16_t> face;      ///< as in WorldRayColumns
};

template <class Out>
concept GrowingWorldRayHits = GrowingColumn<decltype(Out::left_out), std::uint32_t>;

// --- Overlaps ---

/// The pairs of a shape and a body that overlap, in canonical order: Pair::a is the shape, Pair::b the body.
struct WorldOverlapColumns {
    std::span<Pair> pairs;  ///< as many as fit
    /// Optional, one per shape: bad_index, bad_pose; else that of its first pair whose status is not ok
    std::span<Status> status = {};
    std::size_t pair_count = 0;  ///< out: the number of pairs, also of those that did not fit

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(contact_list, "WorldOverlapColumns::pairs", of.pairs...) &&
               f(optional, "WorldOverlapColumns::status", of.status...);
    }
};

/// The columns of WorldOverlapColumns, which grow.
struct WorldOverlaps {
    std::vector<Pair> pairs;     ///< as in WorldOverlapColumns
    std::vector<Status> status;  ///< as in WorldOverlapColumns
};

template <class Out>
concept GrowingWorldOverlaps =
    GrowingColumn<decltype(Out::pairs), Pair> && GrowingColumn<decltype(Out::status), Status>;

// --- Casts ---

/// What is a hit. The bodies of the world do not move.
struct WorldCastOptions {
    float target = 0.0f;                       ///< as CastOptions::target
    float tolerance = 1e-4f;                   ///< as CastOptions::tolerance
    CastStart start = CastStart::stop;         ///< as CastOptions::start
    QuerySides sides = QuerySides::as_cooked;  ///< as CastOptions::sides
    WorldFilter filter = {};                   ///< which bodies each shape sees
};

/// One element per shape: its first hit in time, at equal times with the lowest body. A miss has kNoBody, the time 1, a
/// signed distance of +infinity, and zeros.
struct WorldCastColumns {
    std::span<std::uint32_t> body;          ///< the index of the body that is hit, or kNoBody
    std::span<double> time = {};            ///< optional, like all columns below; in [0, 1]
    std::span<float> signed_distance = {};  ///< as CastColumns::signed_distance
    std::span<Vec3> normal = {};            ///< from the shape to the body
    std::span<Vec3> point_a = {};           ///< on the shape, relative to its position at that time, world axes
    std::span<Vec3> point_b = {};           ///< on the body, relative to the shape's position too
    std::span<std::uint32_t> child_a = {};  ///< of the shape, as CastColumns::child_a
    std::span<std::uint32_t> child_b = {};  ///< of the body
    /// bad_index, bad_pose: of the shape; else that of its first pair whose status is not ok, if this is the hit or has
    /// no answer
    std::span<Status> status = {};

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(one_each, "WorldCastColumns::body", of.body...) && f(optional, "WorldCastColumns::time", of.time...) &&
               f(optional, "WorldCastColumns::signed_distance", of.signed_distance...) &&
               f(optional, "WorldCastColumns::normal", of.normal...) &&
               f(optional, "WorldCastColumns::point_a", of.point_a...) &&
               f(optional, "WorldCastColumns::point_b", of.point_b...) &&
               f(optional, "WorldCastColumns::child_a", of.child_a...) &&
               f(optional, "WorldCastColumns::child_b", of.child_b...) &&
               f(optional, "WorldCastColumns::status", of.status...);
    }
};

/// The columns of WorldCastColumns, which grow.
struct WorldCasts {
    std::vector<std::uint32_t> body;              ///< as in WorldCastColumns
    std::vector<double> time;                     ///< as in WorldCastColumns
    std::vector<float> signed_distance;           ///< as in WorldCastColumns
    std::vector<Vec3> normal, point_a, point_b;   ///< as in WorldCastColumns
    std::vector<std::uint32_t> child_a, child_b;  ///< as in WorldCastColumns
    std::vector<Status> status;                   ///< as in WorldCastColumns
};

template <class Out>
concept GrowingWorldCasts =
    GrowingColumn<decltype(Out::body), std::uint32_t> && GrowingColumn<decltype(Out::child_b), std::uint32_t>;

}  // namespace abut
