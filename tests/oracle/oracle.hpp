// An independent, double-precision reference for the distance queries: what promise 1 ("Right") is measured against.
//
// Every convex shape is a core swept by a sphere. Cores that are polytopes (all of them so far) are solved by their features: apart,
// the least distance of any vertex-face, edge-edge, vertex-edge or vertex-vertex pair; overlapping, the shallowest plane of the
// Minkowski difference, which is a face normal of either or a cross product of two edges. Neither iterates towards an answer, and
// what is skipped is skipped by a bound that proves it does not matter. No code is shared with the kernel.
//
// Degenerate answers: coincident points, crossing or collinear segments, coplanar overlapping polygons have signed distance 0, as a
// flat Minkowski difference has no interior. Rounding then takes rA + rB off. The normal is any that attains the distance.
//
// A shape whose core is no polytope (cylinder, cone, ellipsoid) would be another alternative in Solid with a solver of its own.
#pragma once

#include <string>
#include <vector>

#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>

#include "oracle/polytope.hpp"
#include "oracle/vec.hpp"

namespace abut::oracle {

// The caller's description, as ShapeStore's add_* take it.
struct Shape {
    ShapeKind kind = ShapeKind::sphere;  // sphere, capsule, box or hull
    float radius = 0;                    // sphere, capsule
    float half_height = 0;               // capsule
    Vec3 half_extents;                   // box
    std::vector<Vec3> points;            // hull
    float rounding = 0;
};

// A shape made ready for any number of questions. Immutable: threads may share it.
struct Solid {
    Shape shape;
    Polytope core;
    double radius = 0;  // swept around the core: the shape's own and its rounding
    double size = 0;    // promise 1's: half the longest side of the local bounds
    double reach = 0;   // the farthest that any of its points lies from its origin
};

Solid prepare(const Shape& shape);
Solid sphere(float radius, float rounding = 0);
Solid capsule(float radius, float half_height, float rounding = 0);
Solid box(Vec3 half_extents, float rounding = 0);
Solid hull(std::vector<Vec3> points, float rounding = 0);

struct Exact {
    double signed_distance = 0;
    // The certificate. `lower` is attained by the support planes along `normal`; `upper` is the distance of two points of the shapes
    // where the cores are apart, else rests on the list of planes being complete. Their gap stays below 1e-7 of the larger size.
    double lower = 0, upper = 0;
    Vec3d normal;  // unit, along world axes, from A to B
};

// `hint` may be any direction: a good guess of the normal makes the answer come sooner, a bad one changes nothing else.
Exact signed_distance(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d* hint = nullptr);

// How far apart the support planes of A and B along unit `normal` are: a lower bound of the signed distance for any normal.
double gap_along(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d& normal);

// Negative inside. A shape without an inside (point, segment, polygon) has its distance.
double signed_distance_to_point(const Solid& solid, const Pose& pose, const Vec3d& point);

// Promise 1: 1e-5 of the smaller size plus 1e-6 of the larger of (larger size, separation).
double tolerance(const Solid& a, const Solid& b, double exact_signed_distance);

// --- is a claimed answer right? ---

struct Claim {
    float signed_distance = 0;
    Vec3 normal, point_a, point_b;
};

// The worst violation of promise 1, as a fraction of what it allows: above 1 is wrong. Whatever the shapes, an optimum that is not
// unique is not held against the claim: any normal and points that attain the distance pass, and nothing else does.
struct Verdict {
    double worst = 0;
    const char* what = "";   // which part of the promise that was
    double distance_error = 0;  // the signed distance's own part of it
    bool wrong_sign = false;  // ... where the exact value exceeds the tolerance
    Exact exact;
    double tolerance = 0;

    bool right() const { return worst <= 1 && !wrong_sign; }
};
Verdict check_answer(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Claim& claim);

// One line of `abut query` (docs: formats) that asks about this pair, to reproduce a failure.
std::string query_line(const std::string& id, const Shape& a, const Body& body_a, const Shape& b, const Body& body_b);

}  // namespace abut::oracle
