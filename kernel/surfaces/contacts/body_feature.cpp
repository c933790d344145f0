// See body_feature.hpp.
#include "surfaces/contacts/body_feature.hpp"

#include <cmath>

#include <abut/results.hpp>

#include "base/tolerances.hpp"
#include "convex/exact/exact_core.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut {
namespace {

using maths::Mat3;
using maths::Vec3d;

constexpr std::uint32_t kFace = 0x8000;
constexpr std::uint32_t kTopFace = 0, kBottomFace = 1, kLateralFace = 2, kUpperEnd = 62,
                        kLowerEnd = 63;  // abut/results.hpp

class Finder {
public:
    Finder(const ShapeTables& tables, ShapeId shape, Quat orientation, const Vec3d& down, BodyFeature& out)
        : out_(out),
          tables_(tables),
          record_(tables.record(shape)),
          kind_(shape.kind()),
          axes_(maths::rotation(maths::to_double(orientation))),
          local_down_(transposed_times(axes_, down)),
          core_(core_of(exact::shape_of(tables, shape))),
          extent_(core_.half),
          is_even_(extent_.x == extent_.y && extent_.y == extent_.z) {}

    // The outward normal of the face that looks down the most; 0 if the body has no faces.
    Vec3d face_normal() const {
        if (kind_ == ShapeKind::box) return axes_ * normal_at(tables_.cube.contact_faces[box_face()]);
        if (kind_ == ShapeKind::hull) {
            const HullGeometry& hull = tables_.hulls[record_.geometry];
            if (hull.report.dimension < 2) return {};
            return axes_ * maths::unit(over(normal_at(face_of(hull, extent_, best_face(hull, extent_)).face), extent_));
        }
        return is_on_cap() ? axes_ * Vec3d{0, local_down_.y > 0 ? 1.0 : -1.0, 0} : Vec3d{};
    }

    void find(double depth) {
        switch (kind_) {
            case ShapeKind::box:
                put_face(tables_.cube, extent_, {}, box_face());
                // The lowest point of a rounded body is straight below a corner of its core, not along the face's
                // normal.
                if (record_.radius > 0)
                    put_other(lowest_point(), farthest_core_vertex(core_, local_down_), local_down_);
                break;
            case ShapeKind::hull: put_hull(depth); break;
            case ShapeKind::capsule: put_edge({0, extent_.y, 0}, {0, -extent_.y, 0}, 0, 1); break;
            case ShapeKind::cylinder:
            case ShapeKind::cone: put_round(); break;
            default: put(lowest_point(), kind_ == ShapeKind::sphere ? 0 : kFace | kLateralFace);
        }
    }

private:
    // Moves a point of a rounded body's core onto the surface: by the radius along a unit direction that points out of
    // all faces at the point.
    Vec3d on_surface(const Vec3d& of_core, const Vec3d& direction) const {
        return axes_ * (of_core + direction * double(record_.radius));
    }
    void put(const Vec3d& of_core, std::uint32_t name) { put(of_core, name, local_down_); }
    void put(const Vec3d& of_core, std::uint32_t name, const Vec3d& direction) {
        out_.corners[out_.count++] = {on_surface(of_core, direction), name};
    }
    void put_other(const Vec3d& of_core, std::uint32_t name, const Vec3d& direction) {
        out_.others[out_.other_count++] = {on_surface(of_core, direction), name};
    }

    Vec3d lowest_point() const { return core_support(core_, local_down_); }

    // Adds the ends of a line, moved onto the surface perpendicular to the line, and the lowest point, which is below
    // one end. Of a vertical line, adds only the lowest point.
    void put_edge(const Vec3d& upper, const Vec3d& lower, std::uint32_t upper_name, std::uint32_t lower_name) {
        const Vec3d edge = upper - lower;
        const double along = dot(local_down_, edge), squared = dot(edge, edge);
        const FeaturePoint lowest = {on_surface(along > 0 ? upper : lower, local_down_),
                                     along > 0 ? upper_name : lower_name};
        if (along * along < (1 - double(kSteepSegmentSquared)) * squared) {
            const Vec3d across = maths::unit(local_down_ - edge * (along / squared));
            put(upper, upper_name, across), put(lower, lower_name, across);
            out_.others[out_.other_count++] = lowest;
        } else {
            out_.corners[out_.count++] = lowest;
        }
    }

    // The slope of a cone's lateral face: decrease of the radius per height.
    double slope() const { return kind_ == ShapeKind::cone ? extent_.x / (2 * extent_.y) : 0.0; }
    // True if a cap faces down more than the lateral face does in the meridian of the down direction.
    bool is_on_cap() const {
        if (kind_ != ShapeKind::cylinder && kind_ != ShapeKind::cone) return false;
        const double of_cap = kind_ == ShapeKind::cone ? -local_down_.y : std::fabs(local_down_.y);
        return of_cap >=
               (std::hypot(local_down_.x, local_down_.z) + slope() * local_down_.y) / std::sqrt(1 + slope() * slope());
    }

    void put_round() {
        if (is_on_cap()) {
            const std::uint32_t face = kind_ == ShapeKind::cylinder && local_down_.y > 0 ? kTopFace : kBottomFace;
            put_face(tables_.prism, extent_, {}, face);
            // A rim is round, so its lowest point is between two corners.
            put_other(lowest_point(), kFace | face, local_down_);
            return;
        }
        const double across = std::hypot(local_down_.x, local_down_.z);
        const Vec3d outward =
            across > 0 ? Vec3d{local_down_.x * extent_.x / across, 0, local_down_.z * extent_.x / across} : Vec3d{};
        const Vec3d end = {0, extent_.y, 0};
        if (kind_ == ShapeKind::cylinder) return put_edge(end + outward, outward - end, kUpperEnd, kLowerEnd);
        put_edge(end, outward - end, kUpperEnd, kLowerEnd);
    }

    // The outward normal of a scaled hull's face, of any length.
    static Vec3d normal_of(const HullGeometry& hull, const Vec3d& scale, std::uint32_t face) {
        const float* const planes = hull.planes.data() + face;
        return {planes[0] / scale.x, planes[hull.padded_faces] / scale.y,
                planes[2 * std::size_t(hull.padded_faces)] / scale.z};
    }
    // If the scale is even, normals have one length.
    double along(const Vec3d& normal) const {
        return dot(local_down_, normal) * (is_even_ ? extent_.x : 1 / norm(normal));
    }
    std::uint32_t box_face() const {
        const Vec3d m = {std::fabs(local_down_.x), std::fabs(local_down_.y), std::fabs(local_down_.z)};
        if (m.x >= m.y && m.x >= m.z) return local_down_.x < 0 ? 1 : 0;
        if (m.y >= m.z) return local_down_.y < 0 ? 3 : 2;
        return local_down_.z < 0 ? 5 : 4;
    }
    std::uint32_t best_face(const HullGeometry& hull, const Vec3d& scale) const {
        std::uint32_t best = 0;
        double most = -2;
        for (std::uint32_t f = 0; f < hull.face_count; ++f)
            if (const double cosine = along(normal_of(hull, scale, f)); cosine > most) most = cosine, best = f;
        return best;
    }

    static Vec3d normal_at(const ContactFace& face) { return {face.x, face.y, face.z}; }
    static Vec3d over(const Vec3d& a, const Vec3d& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }
    struct NamedFace {
        const ContactFace& face;
        std::uint32_t name;
    };
    // A face, or the merged face that it is part of. A merged face that is thicker than the bound is not used.
    NamedFace face_of(const HullGeometry& hull, const Vec3d& scale, std::uint32_t face) const {
        if (!hull.merged.empty() && hull.merged[face] != kNotMerged) {
            const MergedFace& merged = hull.merged_faces[hull.merged[face]];
            if (merged.thickness * max_abs(scale) <= kMergedShare * kToleranceSmaller * record_.size)
                return {merged.face, kFace | merged.name};
        }
        return {hull.contact_faces[face], kFace | face};
    }

    void put_face(const HullGeometry& hull, const Vec3d& scale, const Vec3d& centre, std::uint32_t face) {
        const NamedFace named = face_of(hull, scale, face);
        const ContactFace* const of = &named.face;
        out_.face = named.name;
        const Vec3d normal = maths::unit(over(normal_at(*of), scale));
        out_.normal = axes_ * normal;
        const std::uint32_t count = of->count < BodyFeature::kMost ? of->count : BodyFeature::kMost;
        for (std::uint32_t i = 0; i < count; ++i) {
            const HullCorner& corner = hull.corners[of->first + std::uint64_t(i) * of->count / count];
            put(times(scale, Vec3d{corner.x, corner.y, corner.z}) + centre, std::uint32_t(corner.vertex) & 0x3fff,
                normal);
        }
    }

    bool is_listed(std::uint32_t name) const {
        for (std::uint32_t i = 0; i < out_.count; ++i)
            if (out_.corners[i].name == name) return true;
        return false;
    }
    // True if a face at the vertex looks down; `normal` is set to the normal of the face that looks down the most.
    bool looks_down(const HullGeometry& hull, std::uint32_t vertex, Vec3d& normal) const {
        double most = double(kSteepFace);
        bool found = false;
        for (std::uint32_t i = hull.vertex_first[vertex]; i < hull.vertex_first[vertex + 1]; ++i) {
            const Vec3d of = normal_of(hull, extent_, hull.vertex_face[i]);
            if (const double cosine = along(of); cosine > most) most = cosine, normal = maths::unit(of), found = true;
        }
        return found;
    }

    void put_hull(double depth) {
        const HullGeometry& hull = tables_.hulls[record_.geometry];
        const Vec3d centre = times(extent_, maths::to_double(hull.centre));
        const auto vertex = [&](std::uint32_t i) {
            const HullVertex& v = hull.vertices[i];
            return times(extent_, Vec3d{v.x, v.y, v.z});
        };
        if (hull.report.dimension >= 2) put_face(hull, extent_, centre, best_face(hull, extent_));
        double lowest = -INFINITY;
        std::uint32_t deepest = 0;
        for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
            if (const double down = dot(local_down_, vertex(i)); down > lowest) lowest = down, deepest = i;
        if (hull.report.dimension == 1) return put_edge(vertex(0) + centre, vertex(1) + centre, 0, 1);
        const auto add = [&](std::uint32_t i, const Vec3d& direction) {
            put_other(vertex(i) + centre, i & 0x3fff, direction);
        };
        if (record_.radius > 0 || !is_listed(deepest)) add(deepest, local_down_);
        for (std::uint32_t i = 0; i < hull.vertex_count && out_.other_count < BodyFeature::kMost; ++i) {
            Vec3d direction;
            if (i != deepest && dot(local_down_, vertex(i)) >= lowest - depth && looks_down(hull, i, direction) &&
                !is_listed(i))
                add(i, direction);
        }
    }

    BodyFeature& out_;  // the caller's, which is too large to copy
    const ShapeTables& tables_;
    const InstanceRecord& record_;
    ShapeKind kind_;
    Mat3 axes_;
    Vec3d local_down_;
    exact::Core core_;
    Vec3d extent_;
    bool is_even_;
};

}  // namespace

Vec3d supporting_normal(const ShapeTables& tables, ShapeId shape, Quat orientation, const Vec3d& down) {
    BodyFeature unused;
    return Finder(tables, shape, orientation, down, unused).face_normal();
}

BodyFeature supporting_feature(const ShapeTables& tables, ShapeId shape, Quat orientation, const Vec3d& down,
                               double depth) {
    BodyFeature out;
    Finder(tables, shape, orientation, down, out).find(depth);
    return out;
}

}  // namespace abut
