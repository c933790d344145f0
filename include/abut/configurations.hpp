/// @file
/// Configurations: one set of bodies and one list of pairs, in many configurations: the samples and paths of a planner,
/// a batch of simulations (NarrowPhase::distance_configurations and the three beside it). The list is checked and
/// sorted once, and pairs of all configurations share lanes.
///
/// Two queries have a column element per (configuration, pair), at the index configuration * pairs.size() + pair; each
/// has the bits of a call of `overlap` or `distance` for that configuration alone. Two reduce them to one answer per
/// configuration, and stop early: pairs that cannot change it any more are not computed, or end at a bound. They
/// compute the pairs in the order of the list: put first those that overlap most often.
///
/// A path is a row of configurations. For what happens between two of them, `cast` takes one as the frame's bodies and
/// the next as Motions::ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/bodies.hpp>
#include <abut/carry_over.hpp>
#include <abut/frame.hpp>
#include <abut/results.hpp>

namespace abut {

/// Bodies and pairs, and the poses of the bodies in each configuration.
struct Configurations {
    const ShapeStore* shapes = nullptr;  ///< of all bodies
    Strided<ShapeId> bodies;             ///< the shape of each body, in all configurations
    Strided<Pair> pairs;                 ///< of bodies, in all configurations
    /// Poses, as in BodyColumns: that of a body is at configuration * bodies.size() + body. The columns are equally
    /// long, a multiple of the bodies.
    Strided<Vec3> positions = {};
    Strided<DVec3> double_positions = {};  ///< instead of `positions`
    Strided<Quat> orientations = {};       ///< of unit length to within 1%
    Strided<Mat44> transforms = {};        ///< instead of `orientations`

    /// The number of poses.
    std::size_t poses() const { return orientations.empty() ? transforms.size() : orientations.size(); }
    /// The number of configurations.
    std::size_t size() const { return bodies.empty() ? 0 : poses() / bodies.size(); }
};

/// One element per configuration. Optional columns may be empty.
struct AnyOverlapColumns {
    std::span<std::uint32_t> pair;  ///< the first pair of the list that overlaps, or kNoPair
    /// number of pairs before it (of all, if none overlaps) without an answer: bad indices or poses, ...
    std::span<std::uint32_t> unanswered = {};
};

/// The columns of AnyOverlapColumns, which grow.
struct AnyOverlaps {
    std::vector<std::uint32_t> pair, unanswered;  ///< as in AnyOverlapColumns
};

/// One element per configuration. Optional columns may be empty.
struct LeastDistanceColumns {
    /// the least of all pairs; +infinity: none has one, or all are beyond DistanceOptions::max_distance
    std::span<float> signed_distance;
    std::span<std::uint32_t> pair = {};        ///< the pair with that distance, the first of equals, or kNoPair
    std::span<Vec3> normal = {};               ///< of that pair, as in DistanceColumns; zeros without one
    std::span<Vec3> point_a = {};              ///< of that pair, relative to A's position
    std::span<Vec3> point_b = {};              ///< likewise
    std::span<std::uint32_t> unanswered = {};  ///< number of pairs without an answer
};

/// The columns of LeastDistanceColumns, which grow.
struct LeastDistances {
    std::vector<float> signed_distance;          ///< as in LeastDistanceColumns
    std::vector<std::uint32_t> pair;             ///< as in LeastDistanceColumns
    std::vector<Vec3> normal, point_a, point_b;  ///< as in LeastDistanceColumns
    std::vector<std::uint32_t> unanswered;       ///< as in LeastDistanceColumns
};

template <class Out>
concept GrowingAnyOverlaps =
    GrowingColumn<decltype(Out::pair), std::uint32_t> && GrowingColumn<decltype(Out::unanswered), std::uint32_t>;
template <class Out>
concept GrowingLeastDistances =
    GrowingColumn<decltype(Out::signed_distance), float> && GrowingColumn<decltype(Out::pair), std::uint32_t> &&
    GrowingColumn<decltype(Out::normal), Vec3> && GrowingColumn<decltype(Out::point_a), Vec3> &&
    GrowingColumn<decltype(Out::point_b), Vec3> && GrowingColumn<decltype(Out::unanswered), std::uint32_t>;

}  // namespace abut
