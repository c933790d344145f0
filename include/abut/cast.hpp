/// @file
/// Motion: the first time at which two moving bodies come within a distance (time of impact, shape casts), for many
/// pairs in one call (NarrowPhase::cast).
///
/// A body moves from its pose in Frame::bodies, at time 0, to its pose in Motions::ends, at time 1. Its centre of
/// rotation moves linearly. Its orientation rotates at a constant rate along the shorter arc; a half turn goes along
/// the second quaternion as given.
///
/// The time of a hit is a proved lower bound: no earlier time has a distance of `target` or less. At that time the
/// distance is at most `target` plus the tolerance, and the answer is that of `distance` for the pair's bodies there. A
/// miss is proved: no time has a distance of `target` or less. Pairs that come closer than target plus tolerance, but
/// not to the target, may be either.
///
/// Source: conservative advancement [Mirtich 1996; van den Bergen 2004], with a bound on a fixed axis between two times
/// (docs/numerics.md, "Casts").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/frame.hpp>
#include <abut/rays.hpp>
#include <abut/results.hpp>

namespace abut {

/// How the bodies of a frame move.
struct Motions {
    /// One set of bodies, or more for a path (robot arms): the poses at the end of each part of the path, all parts
    /// taking the same time. Each has as many bodies as the frame. Shape ids in them are not read.
    std::span<const Bodies> ends;
    /// Optional, one per body: the centre of rotation in the body's frame, metres; else the body's position.
    Strided<Vec3> centers = {};
};

/// The meaning of a pair that is within the target at time 0.
enum class CastStart : std::uint8_t {
    stop,  ///< a hit at time 0, with the answer of `distance`
    /// A hit at time 0 if the gap closes and the motion takes it to more than the tolerance below the target: what many
    /// calls let pass stays within the tolerance. Points of the cores decide: the surface of a rolling ball closes no
    /// gap. Else this part of the pair (a child, a triangle) is no hit until it has separated, unless it gets deeper;
    /// neither is a part that continues its face. All other parts are hits as usual: a body that slides over a floor of
    /// many triangles stops at the wall.
    closing_only,
    ignore,  ///< no hit of the pair
};

/// Which hits count.
enum class CastReduction : std::uint8_t {
    every_pair,
    /// Among the pairs with the same Pair::a only the first hit in time counts (at equal times, that of the lowest
    /// pair); the others are misses. Their casts end early.
    first_of_body,
    /// the call ends soon after the first hit is found; the pairs that it has not decided then are misses, so that one
    /// hit at least is reported
    any,
};

/// What is a hit.
struct CastOptions {
    float target = 0.0f;          ///< metres, 0 or more
    Strided<float> targets = {};  ///< optional, one per pair, instead of `target`
    /// optional, one per pair, in [0, 1]: times after it are not looked at
    Strided<float> latest = {};
    /// Of the smaller size, at least 1e-5. Where `distance` is less accurate than that, as it may be for a small body
    /// on a large one, a hit is earlier: by four times promise 1's bound at most.
    float tolerance = 1e-4f;
    CastStart start = CastStart::stop;                    ///< pairs that are near at time 0
    CastReduction reduction = CastReduction::every_pair;  ///< which hits count
    /// Of the triangles of a surface those take part that have body A's centre at time 0 on this side.
    QuerySides sides = QuerySides::as_cooked;
};

/// One element per pair unless its comment says otherwise. A miss has the pair's latest time (1), a signed distance of
/// +infinity, and zeros.
struct CastColumns {
    std::span<std::uint32_t> bits;          ///< ceil(pairs / 32) words; bit i % 32 of word i / 32: pair i has a hit
    std::span<double> time;                 ///< in [0, 1]
    std::span<float> signed_distance = {};  ///< optional, like all columns below
    std::span<Vec3> normal = {};            ///< from A to B
    std::span<Vec3> point_a = {};           ///< relative to A's position at that time, world axes
    std::span<Vec3> point_b = {};           ///< relative to A's position too
    /// as Manifold::child_a: of a compound the child, of a surface the triangle; 0 for a convex shape
    std::span<std::uint32_t> child_a = {};
    std::span<std::uint32_t> child_b = {};  ///< the same of B
    /// not_converged: the search ended early; a hit at the time that it reached, before which there is none
    std::span<Status> status = {};
    std::span<std::uint32_t> hits = {};  ///< the indices of the hit pairs, ascending; as many as fit
    std::size_t hit_count = 0;           ///< out: the number of hits

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(bit_words, "CastColumns::bits", of.bits...) && f(one_each, "CastColumns::time", of.time...) &&
               f(optional, "CastColumns::signed_distance", of.signed_distance...) &&
               f(optional, "CastColumns::normal", of.normal...) && f(optional, "CastColumns::point_a", of.point_a...) &&
               f(optional, "CastColumns::point_b", of.point_b...) &&
               f(optional, "CastColumns::child_a", of.child_a...) &&
               f(optional, "CastColumns::child_b", of.child_b...) && f(hit_list, "CastColumns::hits", of.hits...) &&
               f(optional, "CastColumns::status", of.status...);
    }
};

/// The columns of CastColumns, which grow.
struct Casts {
    std::vector<std::uint32_t> bits;              ///< as in CastColumns
    std::vector<double> time;                     ///< as in CastColumns
    std::vector<float> signed_distance;           ///< as in CastColumns
    std::vector<Vec3> normal, point_a, point_b;   ///< as in CastColumns
    std::vector<std::uint32_t> child_a, child_b;  ///< as in CastColumns
    std::vector<Status> status;                   ///< as in CastColumns
    std::vector<std::uint32_t> hits;              ///< as in CastColumns

    /// Whether this pair has a hit.
    bool hit(std::size_t pair) const { return bits[pair / 32] >> (pair % 32) & 1; }
};

template <class Out>
concept GrowingCasts = GrowingColumn<decltype(Out::time), double>;

}  // namespace abut
