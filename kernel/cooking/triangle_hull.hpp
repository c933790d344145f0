// Triangles of a mesh as flat hulls, made while a query runs: the tables that cooking three points gives, at a few dozen stores each.
#pragma once

#include <cstdint>

#include "geometry/double_math.hpp"
#include "geometry/hull_geometry.hpp"
#include "geometry/instance_record.hpp"
#include "host/memory.hpp"

namespace abut {

// Hulls and their instances, in places 0, 1, ...; keeps its memory. Different places may be set at once.
struct TriangleHulls {
    Vector<HullGeometry> hulls;
    AlignedVector<InstanceRecord> records;

    void make_room(std::size_t triangles);
    // Corners from the instance's origin, counter-clockwise about `normal`; swept by `radius`.
    void set(std::uint32_t place, const exact::Vec3d (&corners)[3], const exact::Vec3d& normal, float radius);
    std::size_t bytes() const;
};

}  // namespace abut
