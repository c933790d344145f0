/// @file
/// Mass, centre and inertia of a shape, in double precision.
#pragma once

#include <abut/compiler.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

namespace abut {

/// The mass properties of a solid, in double.
struct MassProperties {
    double volume = 0.0;           ///< cubic metres
    double mass = 0.0;             ///< density times volume
    double centre[3] = {0, 0, 0};  ///< of mass, in the body's frame, metres
    /// About the centre, along the axes of the body's frame: ixx is the integral of (y^2 + z^2) dm, ixy that of -x y
    /// dm. Symmetric.
    double ixx = 0.0, iyy = 0.0, izz = 0.0, ixy = 0.0, ixz = 0.0, iyz = 0.0;
};

/// The mass properties of a solid of this density (kilograms per cubic metre), scale, rounding and pose included. They
/// are closed forms: a rounded hull is its polyhedron, a prism on each face, a sector of a cylinder along each edge and
/// of a ball at each vertex [Steiner 1840].
///
/// | shape | relative error of volume and inertia |
/// |---|---|
/// | sphere, capsule, box, cylinder, cone, ellipsoid | 1e-12 |
/// | ellipsoid with rounding (quadrature; 1 to 3 ms) | 1e-10 |
/// | hull | 1e-6: faces that are flat to float32's resolution only are cut into triangles; of slivers more |
/// | custom (a surface of support points, as fine as its bends; 1 to 100 ms) | 1e-3 |
///
/// A compound is the sum of its children: if they overlap, the mass counts once for each. A flat shape without rounding
/// has volume, mass and inertia 0, and its centre in the middle of its bounds. Errors: no living shape, a half-space, a
/// density below 0 or not finite, a result past double's range. It reads the store like a query: on any thread, while
/// nothing changes the store.
ABUT_API Expected<MassProperties> mass_properties(const ShapeStore& shapes, ShapeId id, double density = 1.0);

}  // namespace abut
