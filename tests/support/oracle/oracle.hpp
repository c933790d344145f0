// An independent, double-precision reference for the distance queries: what promise 1 ("Right") is measured against.
//
// Every convex shape is a core swept by a sphere. Cores that are polytopes are solved by their features: apart, the
// least distance of any vertex-face, edge-edge, vertex-edge or vertex-vertex pair; overlapping, the shallowest plane of
// the Minkowski difference, which is a face normal of either or a cross product of two edges. Neither iterates towards
// an answer, and what is skipped is skipped by a bound that proves it does not matter. Shapes of revolution about
// parallel axes are two polygons (profile.hpp), a point and an ellipsoid have a closed form (ellipsoid.hpp), a
// half-space needs one support. The rest of the curved pairs are iterated (nearest.hpp, inner.hpp) until a lower and an
// upper bound that owe nothing to the iteration meet. No code is shared with the kernel.
//
// Degenerate answers: coincident points, crossing or collinear segments, coplanar overlapping polygons and discs have
// signed distance 0, as a flat Minkowski difference has no interior. Rounding then takes rA + rB off. The normal is any
// that attains the distance.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>

#include "support/oracle/curved.hpp"
#include "support/oracle/polytope.hpp"
#include "support/oracle/vec.hpp"

namespace abut::oracle {

// The caller's description, as ShapeStore's add_* take it.
struct Shape {
    ShapeKind kind = ShapeKind::sphere;
    float radius = 0;          // sphere, capsule, cylinder, cone
    float half_height = 0;     // capsule, cylinder, cone
    Vec3 half_extents;         // box; an ellipsoid's radii
    std::vector<Vec3> points;  // hull
    float rounding = 0;
    Vec3 normal = {0, 1, 0};  // half-space: solid where normal . x <= offset; any length but 0
    float offset = 0;
    Vec3 scale = {
        1, 1,
        1};  // about the origin, before the rounding; of boxes, hulls and ellipsoids an axis each, else one for all
};

// A shape made ready for any number of questions. Immutable: threads may share it.
struct Solid {
    Shape shape;
    Form form = Form::polytope;  // of the core
    Polytope core;               // the core itself, or a polytope inscribed in a curved one; of a half-space nothing
    Curved curved;               // a curved core
    double radius = 0;           // swept around the core: the shape's own and its rounding
    double size = 0;             // promise 1's: half the longest side of the local bounds; 0 of a half-space
    double reach = 0;            // the farthest that any of its points lies from its origin; 0 of a half-space
};

Solid prepare(const Shape& shape);
Solid sphere(float radius, float rounding = 0);
Solid capsule(float radius, float half_height, float rounding = 0);
Solid box(Vec3 half_extents, float rounding = 0);
Solid hull(std::vector<Vec3> points, float rounding = 0);
Solid cylinder(float radius, float half_height, float rounding = 0);
Solid cone(float radius, float half_height, float rounding = 0);
Solid ellipsoid(Vec3 radii, float rounding = 0);
Solid halfspace(Vec3 normal, float offset, float rounding = 0);

struct Exact {
    double signed_distance = 0;
    // The certificate. `lower` is attained by the support planes along `normal`; `upper` is the distance of two points
    // of the shapes where the cores are apart, else rests on the list of planes being complete or on an inscribed
    // polytope that is nowhere nearer to touching. Their gap stays below 1e-7 of the larger size but where directions
    // by the thousand are equally deep.
    double lower = 0, upper = 0;
    Vec3d normal;  // unit, along world axes, from A to B
};

// Precondition: not both are half-spaces. `hint` may be any direction: a good guess of the normal makes the answer come
// sooner, a bad one changes nothing else.
Exact signed_distance(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                      const Vec3d* hint = nullptr);

// How far apart the support planes of A and B along unit `normal` are: a lower bound of the signed distance for any
// normal. A half-space has one normal; of another one, off by an angle, the other shape's size times the angle is taken
// off.
double gap_along(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d& normal);

// How far the shape reaches along unit `direction` from the body's position; a half-space along its own normal,
// whatever `direction`.
double extent(const Solid& solid, const Rotation& rotation, const Vec3d& direction);

// Negative inside. A shape without an inside (point, segment, polygon) has its distance.
double signed_distance_to_point(const Solid& solid, const Pose& pose, const Vec3d& point);

// The smaller of both sizes; beside a half-space the other's.
double smaller_size(const Solid& a, const Solid& b);

// Promise 1: 1e-5 of the smaller size plus 1e-6 of the larger of (larger size, separation).
double tolerance(const Solid& a, const Solid& b, double exact_signed_distance);

// --- is a claimed answer right? ---

struct Claim {
    float signed_distance = 0;
    Vec3 normal, point_a, point_b;
};

// What rounding to float32 takes from a point `farthest` from A's position, or from `origin`.
double point_rounding(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double farthest,
                      const std::optional<Vec3d>& origin = {});

// The worst violation of promise 1, as a fraction of what it allows: above 1 is wrong. Whatever the shapes, an optimum
// that is not unique is not held against the claim: any normal and points that attain the distance pass, and nothing
// else does.
struct Verdict {
    double worst = 0;
    const char* what = "";      // which part of the promise that was
    double distance_error = 0;  // the signed distance's own part of it
    bool wrong_sign = false;    // ... where the exact value exceeds the tolerance
    double exact = 0;           // the signed distance held against
    double tolerance = 0;
    // What the claim itself proves: the signed distance is at least the gap along its normal and, where it is positive,
    // at most the distance of its points and of the shapes from them (0 where they lie within).
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();

    bool right() const { return worst <= 1 && !wrong_sign; }
};
// `known`: the pair's signed distance where it has been asked for before. `origin`: what points are relative to, if not
// A's position.
Verdict check_answer(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Claim& claim,
                     std::optional<double> known = {}, std::optional<Vec3d> origin = {});

// One line of `abut query` (docs: formats) that asks about this pair, to reproduce a failure.
std::string query_line(const std::string& id, const Shape& a, const Body& body_a, const Shape& b, const Body& body_b);
// ... of compounds; a single child in its body's own pose is that shape.
struct Child {
    Shape shape;
    Vec3 position;
    Quat orientation;
};
std::string query_line(const std::string& id, std::span<const Child> a, const Body& body_a, std::span<const Child> b,
                       const Body& body_b);

}  // namespace abut::oracle
