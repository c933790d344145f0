/// @file
/// Configurations: one set of bodies and one list of pairs, in many configurations: the samples and paths of a planner,
/// a batch of simulations (NarrowPhase::distance_configurations and the three beside it). The list is checked and
/// sorted once, and pairs of all configurations share lanes.
///
/// Two queries have a column element per (configuration, pair), at the index configuration * pairs.size() + pair; each
/// has the bits of a call of `overlap` or `distance` for that configuration alone. Two reduce them to one answer per
/// configuration with these bits, and take a small part of the time: a pair is decided in lanes of configurations,
/// spheres, capsules, boxes, half-spaces and compounds of them by closed forms, other shapes where their bounds decide.
/// They take the pairs in the order of the list and stop early: put first those that overlap most often. Spheres of one
/// link are best one compound, and bodies that rest obstacles.
///
/// A path is a row of configurations: a planner's edge (ConfigurationPaths). For what happens between two of them, `cast`
/// takes one as the frame's bodies and the next as Motions::ends.
///
/// Gradients: the derivatives of signed distances with respect to the poses of both bodies, for optimisers and
/// controllers. They need no further query: the answer of `distance` has the normal n and the points. With the points
/// p_a and p_b, and the bodies' positions x_a and x_b:
///
///     by a translation of A: -n        by a rotation of A: -((p_a - x_a) x n)
///     by a translation of B:  n        by a rotation of B:   (p_b - x_b) x n
///
/// Along world axes. A rotation is a rotation vector (axis times radians, world axes, about the body's position, after
/// the present orientation), and so its derivative is metres per radian. A joint that moves a body at velocity v of its
/// position and angular velocity w changes the distance at the rate dot(position, v) + dot(rotation, w), summed over
/// both bodies.
///
/// Where the derivative exists, its relative error is below 1e-3 (a body's translation and rotation taken together,
/// rotations divided by the body's size). It does not exist where the nearest points or the normal change by a jump:
///   - parallel faces, edges or axes: the nearest points are not unique. A rotation in either direction moves them by a
///     jump;
///   - overlaps that are equally deep along several normals, such as those of concentric shapes;
///   - a self pair (i, i), and shapes that touch in a tie of these kinds.
/// There the function returns what the formula gives for the points and the normal of the answer. For convex shapes the
/// signed distance is a convex function of a translation, and the normal is always one of its subgradients.
///
/// Zeros, in all columns, where there is nothing to differentiate: pairs without an answer (their status says why), a
/// distance of infinity (beyond max_distance, or no triangle takes part), an overlap with separation_only, and bodies
/// out of range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/results.hpp>
#include <abut/status.hpp>

namespace abut {

// --- Configurations ---

/// Bodies and pairs, the poses of the bodies in each configuration, and obstacles.
struct Configurations {
    const ShapeStore* shapes = nullptr;  ///< of all bodies and obstacles
    Strided<ShapeId> bodies;             ///< the shape of each body, in all configurations
    /// Of bodies, in all configurations: obstacle i has the index bodies.size() + i.
    Strided<Pair> pairs;
    /// Poses, as in BodyColumns: that of a body is at configuration * bodies.size() + body. The columns are equally
    /// long, a multiple of the bodies.
    Strided<Vec3> positions = {};
    Strided<DVec3> double_positions = {};  ///< instead of `positions`
    Strided<Quat> orientations = {};       ///< of unit length to within 1%
    Strided<Mat44> transforms = {};        ///< instead of `orientations`
    /// Bodies that rest: the same in all configurations, read once per call; may be empty. Answers have the bits of
    /// those with the same poses given in each configuration.
    Bodies obstacles = {};

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

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(one_each, "AnyOverlapColumns::pair", of.pair...) &&
               f(optional, "AnyOverlapColumns::unanswered", of.unanswered...);
    }
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

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(one_each, "LeastDistanceColumns::signed_distance", of.signed_distance...) &&
               f(optional, "LeastDistanceColumns::pair", of.pair...) &&
               f(optional, "LeastDistanceColumns::normal", of.normal...) &&
               f(optional, "LeastDistanceColumns::point_a", of.point_a...) &&
               f(optional, "LeastDistanceColumns::point_b", of.point_b...) &&
               f(optional, "LeastDistanceColumns::unanswered", of.unanswered...);
    }
};

/// The columns of LeastDistanceColumns, which grow.
struct LeastDistances {
    std::vector<float> signed_distance;          ///< as in LeastDistanceColumns
    std::vector<std::uint32_t> pair;             ///< as in LeastDistanceColumns
    std::vector<Vec3> normal, point_a, point_b;  ///< as in LeastDistanceColumns
    std::vector<std::uint32_t> unanswered;       ///< as in LeastDistanceColumns
};

/// Paths: rows of configurations that are asked as one, until the first overlap is found.
struct ConfigurationPaths {
    Configurations all;  ///< those of all paths, one path after another
    /// Path i has the configurations from ends[i - 1], or 0, up to ends[i], without it. They do not descend; the last
    /// is at most all.size().
    Strided<std::uint32_t> ends;
};

/// One element per path. Eight configurations are looked at together, spread evenly over the path, the middle ones first,
/// then those between them. Of the first eight with an overlap the answer is the one with the first pair of the list, of
/// several such the first along the path: the same on every instruction set. Optional columns may be empty.
struct PathOverlapColumns {
    std::span<std::uint32_t> configuration;  ///< one in which a pair overlaps, or kNoPair
    std::span<std::uint32_t> pair = {};      ///< the first pair of the list that overlaps in it, or kNoPair
    /// number of pairs without an answer, in the configurations that were looked at before the overlap
    std::span<std::uint32_t> unanswered = {};

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(one_each, "PathOverlapColumns::configuration", of.configuration...) &&
               f(optional, "PathOverlapColumns::pair", of.pair...) &&
               f(optional, "PathOverlapColumns::unanswered", of.unanswered...);
    }
};

/// The columns of PathOverlapColumns, which grow.
struct PathOverlaps {
    std::vector<std::uint32_t> configuration, pair, unanswered;  ///< as in PathOverlapColumns
};

template <class Out>
concept GrowingPathOverlaps = GrowingColumn<decltype(Out::configuration), std::uint32_t>;
template <class Out>
concept GrowingAnyOverlaps = GrowingColumn<decltype(Out::pair), std::uint32_t>;
template <class Out>
concept GrowingLeastDistances = GrowingColumn<decltype(Out::signed_distance), float>;

// --- Gradients ---

/// The columns of an answer of `distance` that gradients need, one element per pair of the frame.
struct DistanceWitnesses {
    std::span<const Vec3> normal, point_a, point_b;  ///< as in DistanceColumns
};

/// One element per pair; an empty column is not written.
struct GradientColumns {
    /// by A's position (no unit), by A's rotation vector (metres per radian)
    std::span<Vec3> position_a = {}, rotation_a = {};
    std::span<Vec3> position_b = {}, rotation_b = {};  ///< by B's position and rotation vector

    /// The library's own: calls f(kind, name, column...) for each column of structs that have these, until f is false.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        using enum detail::ColumnKind;
        return f(optional, "GradientColumns::position_a", of.position_a...) &&
               f(optional, "GradientColumns::rotation_a", of.rotation_a...) &&
               f(optional, "GradientColumns::position_b", of.position_b...) &&
               f(optional, "GradientColumns::rotation_b", of.rotation_b...);
    }
};

/// The columns of GradientColumns, which grow.
struct Gradients {
    std::vector<Vec3> position_a, rotation_a, position_b, rotation_b;  ///< as in GradientColumns
};

/// How exact gradients are.
struct GradientOptions {
    /// Computes the normals of cylinders, cones and ellipsoids again in double, which takes 5 to 20 microseconds per
    /// pair. Without it the gradients of such pairs err by up to 3e-3: a normal errs by the root of the distance's
    /// error. Compounds with such children are not refined.
    bool refine = true;
};

template <class Out>
concept GrowingGradients = GrowingColumn<decltype(Out::position_a), Vec3>;

/// `frame` is the one that was given to `distance`, with the same poses. With relative poses all is along A's axes, and
/// x_a is 0. Computed in double, rounded once. O(pairs). Any thread, any number of calls at once; it allocates nothing.
/// An error names the argument, and nothing is written: a column that is missing or short, null with a count, or not
/// aligned.
ABUT_API CallResult distance_gradients(const Frame& frame, const DistanceWitnesses& of, GradientColumns& out,
                                       const GradientOptions& options = {});

/// The columns of an answer that gradients need.
template <GrowingDistances Answer>
DistanceWitnesses witnesses_of(const Answer& answer) {
    return {answer.normal, answer.point_a, answer.point_b};
}

/// Into columns that grow. out_of_memory: nothing is written.
template <GrowingDistances Answer, GrowingGradients Out>
CallResult distance_gradients(const Frame& frame, const Answer& answer, Out& out, const GradientOptions& options = {}) {
    GradientColumns columns;
    if (CallResult r = detail::grow(out, columns, {frame.pairs.size()}); !r) return r;
    return distance_gradients(frame, witnesses_of(answer), columns, options);
}

}  // namespace abut
