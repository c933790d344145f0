/// @file
/// Configurations in the plane, as in configurations.hpp: a robot in many poses among obstacles that rest, one list of
/// pairs for all, one answer per configuration. The queries stop early: put first the pairs that overlap most often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/configurations.hpp>
#include <abut/d2/results_2d.hpp>

namespace abut::d2 {

using abut::AnyOverlapColumns;
using abut::AnyOverlaps;

/// A robot of one or more bodies, and obstacles.
struct Configurations {
    const ShapeStore* shapes = nullptr;  ///< of all bodies
    Bodies robot;                        ///< body i in configuration c is at c * robot_bodies + i
    std::size_t robot_bodies = 1;        ///< of one configuration
    Bodies obstacles;                    ///< the same in all configurations; may be empty
    /// Of bodies: an index below robot_bodies is one of the robot's, obstacle i has the index robot_bodies + i.
    Strided<Pair> pairs;

    /// The number of configurations.
    std::size_t size() const { return robot_bodies == 0 ? 0 : robot.size() / robot_bodies; }
};

/// As abut::LeastDistanceColumns.
struct LeastDistanceColumns {
    std::span<float> signed_distance;          ///< the least of all pairs; +infinity: none is within the maximum
    std::span<std::uint32_t> pair = {};        ///< the first pair with that distance, or kNoPair
    std::span<Vec2> normal = {};               ///< of that pair, as in DistanceColumns; zeros without one
    std::span<Vec2> point_a = {};              ///< of that pair, relative to A's position
    std::span<Vec2> point_b = {};              ///< likewise
    std::span<std::uint32_t> unanswered = {};  ///< number of pairs without an answer

    /// The library's own, as abut::LeastDistanceColumns::each.
    template <class F, class... Of>
    static constexpr bool each(F&& f, Of&... of) {
        return abut::LeastDistanceColumns::each(f, of...);
    }
};

/// The columns of LeastDistanceColumns, which grow.
struct LeastDistances {
    std::vector<float> signed_distance;          ///< as in LeastDistanceColumns
    std::vector<std::uint32_t> pair;             ///< as in LeastDistanceColumns
    std::vector<Vec2> normal, point_a, point_b;  ///< as in LeastDistanceColumns
    std::vector<std::uint32_t> unanswered;       ///< as in LeastDistanceColumns
};

}  // namespace abut::d2
