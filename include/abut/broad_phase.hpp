/// @file
/// BroadPhase: candidate pairs from boxes. With world_bounds before it and `collide` after it, three calls lead from
/// bodies to contacts:
///
///   world_bounds(shapes, bodies, bounds);
///   broad.find_pairs({bounds}, list);
///   narrow.collide({&shapes, bodies, list.pairs}, manifolds);
///
/// A list is in canonical order: ascending by a, then by b. It depends on the boxes of this call alone, so that a
/// rollback restores nothing. It is the same for every number of threads, every instruction set and every order of the
/// boxes, apart from the names.
///
/// Source: boxes sorted along a Morton curve [Karras 2012] in blocks of eight, under a tree with eight children per
/// node that each call builds. Nodes of 64 boxes, not single boxes, go down the tree. Boxes much larger than the median
/// have blocks of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/columns.hpp>
#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/host.hpp>
#include <abut/math.hpp>
#include <abut/properties.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

namespace abut {

/// One box per body. Columns may be members of the engine's own struct; optional ones may be empty. All are as long as
/// `bounds`.
struct Boxes {
    /// Metres, along the world's axes, all relative to one origin: what world_bounds writes. Boxes that touch overlap.
    /// A bound may be infinite, as those of a half-space are. A box with a NaN, or with a minimum above its maximum (of
    /// a body with a bad pose), is bad: it has no pair and is listed.
    Strided<Bounds> bounds;
    /// Metres, finite, 0 or more: each face of each box moves outwards by this. Pairs are then those within twice the
    /// margin along every axis.
    float margin = 0.0f;
    Strided<float> margins = {};  ///< one per box, instead of `margin`
    /// Bits, without a callback: boxes i and j are a pair only if groups[i] & masks[j] and groups[j] & masks[i] are not
    /// 0. Missing: all bits.
    Strided<std::uint32_t> groups = {}, masks = {};
    /// 0: the body is static or at rest. Two of these are no pair. If no body of a single set moves, no box is read,
    /// and none is listed as bad.
    Strided<std::uint8_t> moving = {};
};

/// One ray per element, as raycast takes it (rays.hpp): it ends at origin + direction, or at its length along the
/// direction. All columns are of the same length. A ray whose origin or direction is not finite, whose direction is
/// zero or whose length is negative or NaN is bad: it has no pair and is listed.
struct BoxRays {
    /// One of the two, metres.
    Strided<Vec3> origins = {};
    Strided<DVec3> double_origins = {};  ///< instead of `origins`
    Strided<Vec3> directions = {};       ///< of any length but 0
    Strided<float> lengths = {};         ///< optional, metres; infinity is allowed
    /// Optional, metres, finite, 0 or more: a box of these half extents moves with its centre along the ray. The pairs
    /// are those of a swept box or, with three equal values, of a swept sphere: many fewer than those of swept_bounds.
    /// A ray with another value is bad.
    Strided<Vec3> half_extents = {};
    /// what the boxes are relative to: the origin given to world_bounds
    DVec3 boxes_origin = {};
    Strided<std::uint32_t> groups = {}, masks = {};  ///< as those of boxes
};

/// A list that grows, or the caller's own struct with the same members (GrowingPairs).
struct PairList {
    std::vector<Pair> pairs;  ///< in canonical order
    /// For each pair its index in `pairs` before the call, or kNoPair, for carry_over and for the engine's own columns.
    /// Both lists are sorted, so that one walk along them finds it.
    std::vector<PreviousPair> previous;
    /// Indices of bad boxes or rays, ascending. bad_a: of the boxes, the first set or the rays; bad_b: of the second
    /// set, or the boxes that rays meet.
    std::vector<std::uint32_t> bad_a, bad_b;
};

template <class T>
concept GrowingPairs = requires(T& out) {
    requires GrowingColumn<decltype(out.pairs), Pair>;
    requires GrowingColumn<decltype(out.previous), PreviousPair>;
    requires GrowingColumn<decltype(out.bad_a), std::uint32_t>;
    requires GrowingColumn<decltype(out.bad_b), std::uint32_t>;
};

/// How a BroadPhase runs. No setting changes an answer.
struct BroadSettings {
    Executor executor = {};  ///< empty: oneTBB where the build has it, else serial
    unsigned threads = 0;    ///< for the built-in oneTBB executor; 0: all of its threads
    Isa isa = Isa::best;     ///< which kernels run
};

/// Holds scratch memory only. Use it from one thread at a time. A call allocates nothing once the same boxes have been
/// seen, except for oneTBB's own allocations; lists that grow in small steps allocate now and then.
///
/// No exception leaves a call. A call that is refused (bad_argument, bad_size, limit, unsupported) leaves lists as they
/// are. The message names the argument: a column that is missing, short, null with a count or not aligned to 4 bytes; a
/// margin that is negative or not finite. A call that fails later (out_of_memory, executor) may leave a list empty. The
/// next call works again.
class ABUT_API BroadPhase {
public:
    /// If `settings` cannot be met, every call returns that error.
    explicit BroadPhase(const BroadSettings& settings = {}) noexcept;
    ~BroadPhase();
    BroadPhase(BroadPhase&&) noexcept;
    BroadPhase& operator=(BroadPhase&&) noexcept;

    /// The pairs of boxes that overlap, each once, a < b. O(n log n + pairs), up to 2^30 boxes and 2^32 - 1 pairs.
    template <GrowingPairs Out>
    CallResult find_pairs(const Boxes& boxes, Out& out) {
        return update(find_pairs(boxes), out);
    }
    /// The pairs of a box of set A and a box of set B: Pair::a is an index of the first set, Pair::b of the second one.
    template <GrowingPairs Out>
    CallResult find_pairs(const Boxes& a, const Boxes& b, Out& out) {
        return update(find_pairs(a, b), out);
    }
    /// The pairs of a ray and a box that it meets: Pair::a is the ray, Pair::b the box. A ray that misses a box by no
    /// more than the rounding of float may be listed; none that meets it is left out. `moving` is not read.
    template <GrowingPairs Out>
    CallResult find_ray_pairs(const BoxRays& rays, const Boxes& boxes, Out& out) {
        return update(find_ray_pairs(rays, boxes), out);
    }

    /// The same without a copy: the answer is pairs(), bad_a() and bad_b() until the next call.
    CallResult find_pairs(const Boxes& boxes);
    CallResult find_pairs(const Boxes& a, const Boxes& b);
    /// The same of rays and boxes.
    CallResult find_ray_pairs(const BoxRays& rays, const Boxes& boxes);
    std::span<const Pair> pairs() const;           ///< as PairList::pairs
    std::span<const std::uint32_t> bad_a() const;  ///< as PairList::bad_a
    std::span<const std::uint32_t> bad_b() const;  ///< as PairList::bad_b

    Isa isa() const;  ///< the one in use

private:
    struct ABUT_LOCAL Impl;

    template <GrowingPairs Out>
    CallResult update(const CallResult& found, Out& out);

    std::unique_ptr<Impl> impl_;
};

/// Finds for each pair of `now` its index in `before`, or kNoPair, by one walk along both lists. Both ascend by a, then
/// by b; if a list has another order, some pairs are not found. `previous` is as long as `now`; no memory is allocated.
ABUT_API CallResult match_pairs(std::span<const Pair> before, std::span<const Pair> now,
                                std::span<PreviousPair> previous);

/// Bounds of moving bodies, for casts: bounds[i] contains body i at both poses and on its way between them, as Motions
/// in cast.hpp describes it: its centre moves along a line, its orientation at a constant rate along the shorter arc.
/// They are the bounds of both poses, widened by the height of the arc that the farthest corner describes, r (1 -
/// cos(angle / 2)).
///
/// `centers`: optional, one per body, the centre of rotation in the body's frame, metres; else the body's position.
/// Shape ids of `end` are not read. Errors, threads and the rest are as of world_bounds.
ABUT_API CallResult swept_bounds(const ShapeStore& shapes, const Bodies& start, const Bodies& end,
                                 std::span<Bounds> bounds, const DVec3& origin = {}, Strided<Vec3> centers = {});

// --- Containers that grow ---

template <GrowingPairs Out>
CallResult BroadPhase::update(const CallResult& found, Out& out) {
    if (!found) return found;
    const std::span<const Pair> all = pairs();
    const CallResult room = detail::within_memory([&] {
        detail::make_room(out.previous, all.size());
        detail::make_room(out.pairs, all.size());
        detail::make_room(out.bad_a, bad_a().size());
        detail::make_room(out.bad_b, bad_b().size());
    });
    if (!room) return room;
    const auto copy = [](const auto& from, auto& to) {
        to.resize(from.size());
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    };
    out.previous.resize(all.size());
    if (CallResult r = match_pairs(std::span<const Pair>(out.pairs), all, out.previous); !r) return r;
    copy(all, out.pairs);
    copy(bad_a(), out.bad_a);
    copy(bad_b(), out.bad_b);
    return {};
}

}  // namespace abut
