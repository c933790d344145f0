// Random motions of random pairs, and an independent judge of NarrowPhase::cast: conservative advancement by the
// oracle's distances and the speed of the fastest point, in double.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/cast.hpp>

#include "scenes/scene.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::casts {

// Pair i is bodies 2 i and 2 i + 1 of the scene.
struct MotionScene {
    scenes::Scene scene;
    std::vector<Body> ends;
    std::vector<float> targets;
    std::vector<const char*> family;  // by pair
};

// Of two kinds: bodies that meet head-on, pass by, graze, spin near half a turn, start in touch or 1e4 sizes apart.
// `hard`: of the shapes and poses of scenes::make_hard, else of those of the benchmark's rows.
MotionScene make_motions(ShapeKind a, ShapeKind b, std::size_t pairs, std::uint64_t seed, bool hard);

// A quaternion by an angle about a unit axis, times another.
Quat rotated(const Quat& q, const oracle::Vec3d& axis, double angle);

// Of a row of the benchmarks: apart by up to two mean sizes, aimed at each other, both bodies rotating by `angle`.
MotionScene make_row_motions(const std::string& row, std::size_t pairs, std::uint64_t seed, double angle);

// The first time at which the pair of a scene is in touch, to a hundredth of a thousandth of the smaller size; 2 for
// none.
struct Touch {
    double time;
    double speed;  // of the fastest point
    double size;   // the smaller one
};
std::vector<Touch> first_touches(const MotionScene& motions);

// The motion of one body as the judge has it.
class Path {
public:
    Path(const Body& start, const Body& end);
    oracle::Pose at(double time) const;
    double speed(double reach) const { return length(displacement_) + angle_ * reach; }  // of the fastest point
    oracle::Vec3d displacement() const { return displacement_; }
    double angle() const { return angle_; }

private:
    oracle::Vec3d position_, displacement_, axis_{1, 0, 0};
    oracle::Rotation first_;
    double angle_ = 0;
};

enum class Fault : std::uint8_t { none, late, missed, early, undecided, status };
const char* name_of(Fault fault);

struct PairVerdict {
    Fault fault = Fault::none;
    double by = 0;  // late, early: metres of distance, or of motion
};
// One pair's answer. Late: the bodies are closer than the target before the time. Early: at the time they are farther
// than target and tolerance.
PairVerdict judge_pair(const MotionScene& motions, const Casts& casts, std::size_t pair, double tolerance_share);

struct Tally {
    std::size_t pairs = 0, hits = 0, starts = 0, wrong = 0, undecided = 0;
    std::size_t by_fault[6] = {};
    std::vector<std::string> examples;  // a few
};
Tally judge(const MotionScene& motions, const Casts& casts, double tolerance_share);

}  // namespace abut::casts
