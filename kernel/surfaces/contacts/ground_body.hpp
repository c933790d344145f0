// One convex body of A on the surface (surface_manifolds.hpp): A itself, or a child of A. find_planes.cpp finds the
// planes of its triangles, surface_manifolds.cpp the contacts on them.
//
// Two frames: triangles and planes are in the surface's frame; points and directions of contacts are in world axes,
// from the body's position. All lengths are metres.
#pragma once

#include "base/tolerances.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/exact/exact_core.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/surfaces.hpp"
#include "shapes/tables.hpp"
#include "surfaces/contacts/overlay.hpp"
#include "surfaces/contacts/patch.hpp"
#include "surfaces/contacts/surface_manifolds.hpp"

namespace abut {

// The largest number of distinct normals of one body; further normals join the nearest of these.
inline constexpr std::uint32_t kMostClusters = 256;

struct Clusters {
    maths::Vec3d normal[kMostClusters];
    // Normals near that of a face of the body form one manifold, along the face's normal.
    maths::Vec3d snapped[kMostClusters];
    std::uint32_t same[kMostClusters];  // the first cluster with the same snapped normal
    std::uint32_t count = 0;

    // Finds the nearest of the first `among` normals. Returns the cosine of the angle to it.
    double nearest(const maths::Vec3d& n, std::uint32_t among, std::uint32_t& cluster) const {
        double most = -2;
        for (std::uint32_t i = 0; i < among; ++i)
            if (const double cosine = dot(normal[i], n); cosine > most) most = cosine, cluster = i;
        return most;
    }
    // Ignores clusters before `first`.
    std::uint32_t find_or_add(const maths::Vec3d& n, std::uint32_t first = 0) {
        std::uint32_t at = first;
        double most = -2;
        for (std::uint32_t i = first; i < count; ++i)
            if (const double cosine = dot(normal[i], n); cosine > most) most = cosine, at = i;
        if (at < count && (most >= kSameNormalCosine || count == kMostClusters)) return at;
        if (count == kMostClusters) return count - 1;
        normal[count] = snapped[count] = n, same[count] = count;
        return count++;
    }
    void snap(std::uint32_t cluster, const maths::Vec3d& to) {
        snapped[cluster] = to;
        for (std::uint32_t i = 0; i < cluster; ++i)
            if (snapped[i].x == to.x && snapped[i].y == to.y && snapped[i].z == to.z)
                same[cluster] = std::min(same[cluster], same[i]);
    }
};

inline double highest(const maths::Vec3d (&corners)[3], const maths::Vec3d& along) {
    return maths::max(dot(along, corners[0]), maths::max(dot(along, corners[1]), dot(along, corners[2])));
}

class GroundPair::ConvexBody {
    using Vec3d = maths::Vec3d;

public:
    ConvexBody(const GroundPair& of, std::uint32_t child, std::uint32_t first, std::uint32_t end)
        : of_(of),
          first_(first),
          end_(end),
          place_(ChildPoses(tables_of(*of.frame_.shapes), of.a_)[child]),
          axes_(maths::rotation(maths::to_double(of.b_.orientation))),
          surface_from_body_(maths::to_double(of.b_.position) - maths::to_double(of.a_.position) - place_.offset) {
        const ShapeTables& tables = tables_of(*of.frame_.shapes);
        const InstanceRecord& record = tables.record(place_.shape);
        is_halfspace_ = place_.shape.kind() == ShapeKind::halfspace;
        const double surface_size = tables.record(of.b_.shape).size;
        size_ = is_halfspace_ ? surface_size : maths::min(surface_size, record.size);
        from_a_ = of.entry_.swapped() ? -surface_from_body_ : place_.offset;
    }

    std::uint32_t find_planes(GroundPlane* planes);
    std::uint32_t merge(std::span<GroundPlane> planes, MergedManifold* merged);
    // Sets the manifold of these features along a normal of the surface's frame. False if a feature is not in contact.
    bool follow(const Vec3& normal, std::span<const KeptContacts::Features> features, MergedManifold& out) const;

private:
    ContactPair& pair_at(std::uint32_t i) const { return of_.contact_pairs_[i]; }
    const SurfaceCorners& corners(std::uint32_t i) const { return pair_at(i).corners; }
    // True if the body's centre is in the surface's solid. The body's only contacts are then those with the plane
    // through which it leaves.
    bool is_inside() const { return pair_at(first_).pair.contact == TriangleContact::inside; }
    // Depths that differ by less than this are equal, because a solver's noise is as large. Metres.
    double level() const { return double(kLevelShare * kSlackShare) * size_; }

    // --- Between the frames ---

    // A point of the surface's frame in world axes, from the body's position.
    Vec3d from_body(const Vec3d& in_surface) const { return axes_ * in_surface + surface_from_body_; }
    void see_corners(std::uint32_t i, Vec3d (&out)[3]) const { see_corners(corners(i), out); }
    void see_corners(const SurfaceCorners& of, Vec3d (&out)[3]) const {
        for (int k = 0; k < 3; ++k) out[k] = from_body(of[k]);
    }
    // The origin of the positions of a triangle's contacts, from the body's position: the triangle's centre if the pair
    // is swapped, else zero.
    Vec3d contact_origin(std::uint32_t i) const {
        return pair_at(i).pair.is_swapped ? from_body(centre_of(corners(i))) : Vec3d{};
    }
    // The normal that the kernels gave a triangle, world axes, towards the body.
    Vec3d towards_body(std::uint32_t i) const {
        const Vec3d n = maths::to_double(pair_at(i).record.normal);
        return pair_at(i).pair.is_swapped ? n : -n;
    }
    // The normal that the kernels gave a triangle, world axes, away from the body.
    static Vec3 swapped_normal(const ManifoldRecord& record, bool is_swapped) {
        const Vec3 n = record.normal;
        return is_swapped ? Vec3{-n.x, -n.y, -n.z} : n;
    }
    static GroundPoint point_of(const Contact& contact, const Vec3d& origin, bool is_swapped, std::uint32_t triangle) {
        const std::uint32_t feature = is_swapped ? swap_halves(contact.feature) : contact.feature;
        return {maths::to_double(contact.position) + origin, contact.separation, feature, triangle, true, 0, 0};
    }

    // --- find_planes.cpp: chooses the triangles that keep their normals, and the planes. In the surface's frame ---

    SeenSurface seen_surface() const;
    // The largest distance of a triangle from a plane that it belongs to, metres.
    double flat_slack(const SeenSurface& seen) const {
        return kPlaneShare * size_ + 4 * kConvexityRounding * seen.coordinate;
    }
    void leave_out_turned_away(const SeenSurface& seen);
    bool is_of_own_face(const Vec3d& towards) const;
    NormalSource source_of(const SeenSurface& seen, std::uint32_t i, const maths::Mat3& back);
    bool is_among_others(std::uint32_t i, const maths::Mat3& back, double near, double slack);
    bool rises_beside(std::uint32_t i, const Vec3d& position, const Vec3d& towards, double near, double slack);
    bool is_in_touch(std::uint32_t triangle) const;
    static bool lies_in(const SurfaceCorners& corners, const Vec3d& normal, const Vec3d& point, double slack);
    void join_planes(const SeenSurface& seen, std::uint32_t held, GroundPlane* planes, std::uint32_t& count);
    void set_plane_pose(GroundPlane& plane) const;

    // --- surface_manifolds.cpp: the contacts of each cluster of normals. World axes, relative to the body's position
    // ---

    void choose_planes(std::span<GroundPlane> planes);
    std::uint32_t cluster_count(std::span<const GroundPlane> planes) const;
    bool is_held(std::uint32_t cluster) const;
    bool is_only(std::uint32_t cluster) const;
    bool merge_cluster(std::uint32_t cluster, std::span<const GroundPlane> planes, MergedManifold& out) const;
    bool merge_held(std::uint32_t cluster, MergedManifold& out) const;
    bool keep_exit(MergedManifold& out) const;
    Vec3d snapped(const Vec3d& towards) const;
    Vec3d held_direction(std::uint32_t i) const {
        return pair_at(i).hold == NormalSource::feature ? towards_body(i) : axes_ * pair_at(i).own;
    }
    double separation_of(std::uint32_t i) const;
    // The next three functions add the points from which contacts are chosen.
    void add_own(std::uint32_t i, const Vec3d& towards, GroundPoints& points) const;
    bool add_plane(const GroundPlane& plane, const PatchAxes& axes, GroundPoints& points) const;
    void add_overlay(std::uint32_t cluster, const Vec3d& towards, const PatchAxes& axes, GroundPoints& points) const;
    void add_overlay(const GroundPlane& plane, const Vec3d& towards, const PatchAxes& axes, GroundPoints& points) const;
    template <class Each>
    void add_overlay_of_pairs(const Each& each, const Vec3d& towards, const PatchAxes& axes,
                              GroundPoints& points) const;
    template <class Each>
    double depth_over(const Each& each, const Vec3d& towards) const;
    template <class Each>
    void add_overlay_of(const Each& each, const Vec3d& towards, const PatchAxes& axes,
                        std::span<const std::uint32_t> only, GroundPoints& points) const;
    bool is_over_plane(const GroundPlane& plane, GroundPoint& point) const;
    std::uint32_t surface_name(std::uint32_t i, std::uint32_t own) const;
    bool store(const Vec3& normal, GroundPoints& points, MergedManifold& out) const;
    void write(const Vec3& normal, const GroundPoints& points, MergedManifold& out) const;

    // --- deepest_contact.cpp ---

    double height_along(std::uint32_t i, const Vec3d& towards, Vec3d& lowest) const;
    std::uint32_t deepest_pair() const;
    bool keep_one(std::uint32_t best, MergedManifold& out) const;
    std::uint32_t add_deepest(MergedManifold* merged, std::uint32_t count) const;

    // --- twins.cpp ---

    bool are_twins(const Contact& p, const Contact& q) const;
    bool leave_out_twins(MergedManifold& first, MergedManifold& second) const;
    void join(MergedManifold& first, MergedManifold& second) const;
    std::uint32_t join_twins(MergedManifold* merged, std::uint32_t count) const;

    const GroundPair& of_;
    std::uint32_t first_, end_;  // the body's triangles in of_.contact_pairs_
    ChildPose place_;            // the pose of the body: of A, or of a child of A
    maths::Mat3 axes_;           // from the surface's frame to world axes
    Vec3d surface_from_body_;    // from the body's position to the surface's, world axes
    Vec3d from_a_{};             // from the position of the caller's A to the body's, world axes
    bool is_halfspace_ = false;
    double size_ = 0;                // of the smaller shape; half-spaces have no size
    std::uint32_t held_beside_ = 0;  // the number of triangles that rises_beside has examined
    Clusters clusters_;              // of normals, in the surface's frame
};

}  // namespace abut
