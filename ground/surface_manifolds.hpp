// From contacts of single triangles to those of a surface: one manifold for each distinct normal, along normals that the surface has there.
//
// 1. Each triangle in contact keeps the kernels' normal, or has it replaced by its own (cone.hpp).
// 2. Nearly equal normals that were kept form one manifold. A triangle with a replaced normal joins the nearest one within 26 degrees, because the
//    body may tilt onto it.
// 3. If all triangles of a manifold are coplanar, the kernels compute the body's contacts with their plane (a half-space). So flat ground gives the
//    same contacts for any triangles, names included. Elsewhere, or beyond the triangles' border, the body's supporting feature is clipped against
//    the triangles (overlay.hpp).
// 4. Other triangles with a replaced normal are left out if another contact also separates the body from them. Their planes are processed from the
//    shallowest to the deepest.
// 5. Of all points those that bear the load are the contacts (tilt_choice.hpp).
//
// The features of these contacts are contacts again while the body hardly moves: then only the overlay is computed (GroundPair::follow).
#pragma once

#include <cstdint>
#include <span>

#include <abut/frame.hpp>

#include "frame/chunk.hpp"
#include "host/memory.hpp"
#include "pairs/child_pairs.hpp"
#include "pairs/cone.hpp"
#include "pairs/surface_memory.hpp"

namespace abut {

// A child pair with contacts.
struct ContactPair {
    ChildPair pair;
    // As the kernels gave them; none where all is known.
    std::uint32_t count;
    ManifoldRecord record;
    // State of find_planes:
    SurfaceCorners corners;
    exact::Vec3d own;  // its normal, towards the body
    NormalSource hold;
    bool is_parted;         // another contact parts the body from it
    bool is_left_out;       // it takes no part, and is behind those that do
    std::uint32_t cluster;  // of normals
    std::uint32_t next;     // of the same plane
};

inline constexpr std::uint32_t kNoContactPair = ~0u;

// Some triangles in one plane, and what the kernels say of one body on it.
struct GroundPlane {
    std::uint32_t child;           // of the owner's A
    exact::Vec3d normal, point;    // in the surface's frame; the normal is unit and towards the body
    std::uint32_t cluster, first;  // touching
    bool has_face;                 // some triangle's normal is not a replaced one
    std::uint32_t order;           // where it was before they were sorted
    Body body, surface;            // the pair that it is asked as: the latter is a half-space along the normal
    float rounding;                // ... of this radius
    std::uint32_t count = 0;
    ManifoldRecord record;
};

// A merged manifold of a surface, ready to be packed.
struct MergedManifold {
    ChildPair pair = {};  // b: the caller's index of the triangle
    std::uint32_t count;
    ManifoldRecord record;
    ContactTriangles triangles;
};

// One pair of the frame, with a surface. `reach` in metres; `touching` are its child pairs with contacts, by child, each child's together.
class GroundPair {
public:
    GroundPair(const Frame& frame, const Entry& entry, double reach, std::span<ContactPair> touching);

    // At most as many as are touching; returns how many.
    std::uint32_t find_planes(GroundPlane* planes) const;
    // The contacts at these poses of features that were in contact at others; a manifold for each that was kept. False if any is no longer in contact.
    bool follow(const KeptContacts& kept, MergedManifold* out) const;
    // True if, at the poses that contacts were found at, `follow` finds the same.
    bool may_follow(const KeptContacts& kept) const;
    // The contacts that were kept at these poses.
    void restore(const KeptContacts& kept, MergedManifold* out) const;
    // At most as many as are touching; returns how many.
    std::uint32_t merge(std::span<GroundPlane> planes, MergedManifold* merged) const;

private:
    class ConvexBody;

    template <class Each>
    void for_each_side(const Each& each) const;

    const Frame& frame_;
    Entry entry_;
    double reach_;
    Body a_, b_;
    std::span<ContactPair> touching_;
    Surface surface_;
};

}  // namespace abut
