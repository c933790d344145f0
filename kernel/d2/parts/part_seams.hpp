// Contacts on compounds whose children touch, as in 3D (shapes/seam.hpp): no contact has a normal that the union of the
// children lacks at the point, so that nothing catches at the seams of tiles.
#pragma once

#include "d2/convex/plane_core.hpp"
#include "d2/parts/part_walk.hpp"

namespace abut::d2 {

// Normals closer to each other than this sine are equal: a body that rolls over such a seam at 10 m/s gets 1e-4 m/s.
inline constexpr double kSeamTilt = 1e-5;

// The children of a compound at its pose. Only joined children (PartsGeometry::is_joined) have seams.
class PartSeams {
public:
    PartSeams(const ShapeTables& tables, const PlacedD& compound) : tables_(tables), compound_(compound) {}

    // True if the union may have the outward normal at a point of child i, which is `core`.
    bool shows(const CoreD& core, std::uint32_t i, Vec2D normal, Vec2D point) const;
    // True if siblings leave a part of an edge of child i free.
    bool is_free(const CoreD& core, std::uint32_t i, const EdgeD& edge) const;
    // Finds the free edge of child i along whose outward normal another core is least deep. `out.separation` excludes
    // radii. False if no edge is free.
    bool find_free_axis(const CoreD& core, std::uint32_t i, const CoreD& other, AxisD& out) const;

private:
    // Calls visit(sibling, slack) for siblings near a box until it returns false. Returns true if no call returned
    // false.
    template <class Visit>
    bool over_siblings(const CoreD& core, std::uint32_t i, const BoxD2& near, const Visit& visit) const;

    const ShapeTables& tables_;
    const PlacedD& compound_;
};

}  // namespace abut::d2
