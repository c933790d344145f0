// Triangles of a mesh as flat hulls, made while a query runs, at a few dozen stores each.
#pragma once

#include <cstdint>

#include "geometry/double_math.hpp"
#include "geometry/hull_geometry.hpp"
#include "geometry/instance_record.hpp"
#include "host/memory.hpp"

namespace abut {

// A triangle about its centre, counter-clockwise about the normal, swept by the radius.
struct CentredTriangle {
    CentredTriangle() = default;
    CentredTriangle(const exact::Vec3d (&around)[3], const exact::Vec3d& unit_normal, float swept);

    Vec3 corners[3], normal;
    float radius = 0, size = 0;  // the latter as InstanceRecord has it
    // What the exact path takes its unit from: any length, as the other shape of the pair has its own. Of two triangles it must be that of the corners.
    float reach = 1.0000001f;

    void measure_reach();
};

// Hulls and their instances, in places 0, 1, ...; keeps its memory. Different places may be set at once.
struct TriangleHulls {
    Vector<HullGeometry> hulls;
    AlignedVector<InstanceRecord> records;

    void make_room(std::size_t triangles);
    // `with_contacts`: and what contacts alone read.
    void set(std::uint32_t index, const CentredTriangle& triangle, bool with_contacts);
    std::size_t bytes() const;
};

}  // namespace abut
