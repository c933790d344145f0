// Triangles of a mesh as flat hulls, made while a query runs, by a few dozen stores each.
#pragma once

#include <cstdint>

#include "base/double_math.hpp"
#include "base/memory.hpp"
#include "shapes/hull_geometry.hpp"
#include "shapes/instance_record.hpp"

namespace abut {

// A triangle about its centre, counter-clockwise about the normal, swept by the radius.
struct CentredTriangle {
    CentredTriangle() = default;
    CentredTriangle(const maths::Vec3d (&around)[3], const maths::Vec3d& unit_normal, float swept);

    Vec3 corners[3], normal;
    float radius = 0, size = 0;  // size: as in InstanceRecord
    // The length from which the exact path derives its unit. A pair of two triangles needs the largest distance of a
    // corner from the centre; in a pair with another shape any value will do.
    float reach = 1.0000001f;

    void measure_reach();
};

// Hulls and their instances, by index; reuses its memory. Different indices may be set concurrently.
struct TriangleHulls {
    Vector<HullGeometry> hulls;
    AlignedVector<InstanceRecord> records;

    void make_room(std::size_t triangles);
    // `with_contacts`: also sets the tables that only contacts read.
    void set(std::uint32_t index, const CentredTriangle& triangle, bool with_contacts);
    std::size_t bytes() const;
};

}  // namespace abut
