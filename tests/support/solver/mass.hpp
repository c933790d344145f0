// Volume, centre and inertia of the shapes that the stacks are made of, in double precision and of density 1.
#pragma once

#include <span>
#include <vector>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include "support/oracle/vec.hpp"

namespace abut::solver {

using oracle::Vec3d;
using Matrix = oracle::Rotation;  // any 3x3 matrix, by rows

Matrix product(const Matrix& a, const Matrix& b);
Matrix transposed(const Matrix& m);
Matrix inverse(const Matrix& m);

struct Moments {
    double volume = 0;
    Vec3d centre;
    Matrix inertia;  // about the centre, along the body's axes
};

Moments box_moments(const Vec3d& half_extents);
Moments cylinder_moments(double radius, double half_height);
Moments cone_moments(double radius, double half_height);
Moments capsule_moments(double radius, double half_height);
// Brute force over all triples of points: for at most 64 points, none of them inside.
Moments hull_moments(std::span<const Vec3> points);
// Parts that do not overlap, each with its pose in the whole.
Moments sum_of(std::span<const Moments> parts, std::span<const oracle::Pose> poses);

// A shape in a store, with its moments by the library's mass_properties. A refused shape throws std::runtime_error with
// the store's message.
struct Solid {
    ShapeId shape;
    Moments moments;
};

Solid add_sphere(ShapeStore& store, float radius);
Solid add_box(ShapeStore& store, Vec3 half_extents);
Solid add_cylinder(ShapeStore& store, float radius, float half_height);
Solid add_cone(ShapeStore& store, float radius, float half_height);
Solid add_capsule(ShapeStore& store, float radius, float half_height);
Solid add_hull(ShapeStore& store, std::span<const Vec3> points);

struct Part {
    Solid solid;
    Vec3 position;
    Quat orientation;
};
Solid add_compound(ShapeStore& store, std::span<const Part> parts);

}  // namespace abut::solver
