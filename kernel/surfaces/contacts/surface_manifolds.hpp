// From contacts with single triangles to contacts with a surface: one manifold for each distinct normal, along normals
// that the surface allows.
//
// 1. Each triangle in contact keeps the kernels' normal, or has it replaced by its own (cone.hpp).
// 2. Nearly equal normals that were kept form one manifold. A triangle with a replaced normal joins the nearest one within 26 degrees, because the
//    body may tilt onto it.
// 3. If all triangles of a manifold are coplanar, the kernels compute the body's contacts with their plane (a half-space). So flat ground gives the
//    same contacts for any triangles, names included. Elsewhere, or beyond the triangles' border, the body's supporting feature is clipped against
//    the triangles (overlay.hpp).
// 4. Other triangles with a replaced normal are left out if another contact also separates the body from them. Their planes are processed from the
//    shallowest to the deepest.
// 5. The contacts are those of all points that bear the load (tilt_choice.hpp).
// 6. A contact with an edge or a corner is in one manifold only (twins.cpp).
// 7. If no manifold is as deep as the deepest triangle, to within the slack, the contact with that triangle is added
// (deepest_contact.cpp).
//
// The features of these contacts are contacts again while the body hardly moves: a call then computes only the overlay
// (GroundPair::follow).
#pragma once

#include <cstdint>
#include <span>

#include <abut/frame.hpp>

#include "base/memory.hpp"
#include "convex/contract/chunk.hpp"
#include "surfaces/triangles/cone.hpp"
#include "surfaces/walk/child_pair.hpp"
#include "surfaces/walk/surface_memory.hpp"

namespace abut {

// A child pair with contacts.
struct ContactPair {
    ChildPair pair;
    // As the kernels gave them; no contacts if the child pair was not computed.
    std::uint32_t count;
    ManifoldRecord record;
    // State of find_planes:
    SurfaceCorners corners;
    maths::Vec3d own;  // the triangle's normal, towards the body
    NormalSource hold;
    bool is_parted;         // another contact separates the body from the triangle
    bool is_left_out;       // the triangle is ignored, and comes after the others
    std::uint32_t cluster;  // of normals
    std::uint32_t next;     // of the same plane
};

inline constexpr std::uint32_t kNoContactPair = ~0u;

// Triangles in one plane, and the contacts that the kernels find between the plane and one body.
struct GroundPlane {
    std::uint32_t child;           // of the compound pair's A
    maths::Vec3d normal, point;    // in the surface's frame; the normal is unit and towards the body
    std::uint32_t cluster, first;  // of the contact pairs
    bool has_face;                 // the normal of some triangle is not replaced
    std::uint32_t order;           // the plane's position before the planes were sorted
    Body body, surface;            // the pair for the kernels; `surface` is a half-space along the normal
    float rounding;                // the radius of that half-space
    std::uint32_t count = 0;
    ManifoldRecord record;
};

// One pair of the frame with a surface. `reach`: metres. `most_contacts`: per manifold. `contact_pairs`: the pair's
// child pairs with contacts, grouped by child.
class GroundPair {
public:
    GroundPair(const Frame& frame, const Entry& entry, double reach, std::uint32_t most_contacts,
               std::span<ContactPair> contact_pairs);

    // Returns the number of planes, at most one per element of `contact_pairs`.
    std::uint32_t find_planes(GroundPlane* planes) const;
    // Computes the contacts of the kept features at the present poses, one manifold per kept one. Returns the end of
    // the manifolds; null if a feature is no longer in contact.
    MergedManifold* follow(const KeptContacts& kept, MergedManifold* out) const;
    // True if `follow` would reproduce the kept contacts. Precondition: the poses are those at which they were found.
    bool may_follow(const KeptContacts& kept) const;
    // Writes the kept contacts and returns their end. Precondition: the poses are those at which they were found.
    MergedManifold* restore(const KeptContacts& kept, MergedManifold* out) const;
    // Returns the number of manifolds, at most one per element of `contact_pairs`.
    std::uint32_t merge(std::span<GroundPlane> planes, MergedManifold* merged) const;

private:
    class ConvexBody;

    template <class Each>
    void for_each_side(const Each& each) const;

    const Frame& frame_;
    Entry entry_;
    double reach_;
    std::uint32_t most_contacts_;
    Body a_, b_;
    std::span<ContactPair> contact_pairs_;
    Surface surface_;
};

}  // namespace abut
