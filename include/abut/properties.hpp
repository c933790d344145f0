/// @file
/// Properties of shapes: world bounds of bodies for the caller's broad phase; mass, centre and inertia.
#pragma once

#include <span>

#include <abut/compiler.hpp>
#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

namespace abut {

/// Metres, along the world's axes, relative to the given origin.
struct Bounds {
    Vec3 min, max;  ///< the lowest and the highest corner
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Writes the bounds of body i, relative to `origin`, to bounds[i]: the smallest box of floats that contains the shape,
/// rounding included, or an ulp more (two if the position relative to the origin is not a float). The box of a compound
/// contains all its children. The box of a half-space is infinite, except on the side of its plane if its normal is
/// exactly along a world axis. A body without an answer (a bad pose, an id that names no living shape) has empty
/// bounds, min +infinity and max -infinity, which overlap nothing.
///
/// Returns an error, and writes nothing, if `bounds` is shorter than `bodies`; if a column is missing, shorter than the
/// others, null with a count or not aligned to 4 bytes; if a stride is less than an item or not a multiple of 4; if the
/// origin is not finite; or if the machine runs none of the library's instruction sets. It runs on the calling thread
/// and allocates nothing. Several threads may compute parts of a frame at once. The bits are the same on every machine.
ABUT_API CallResult world_bounds(const ShapeStore& shapes, const Bodies& bodies, std::span<Bounds> bounds,
                                 const DVec3& origin = {});

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
