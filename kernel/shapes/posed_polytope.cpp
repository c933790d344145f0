// See posed_polytope.hpp.
#include "shapes/posed_polytope.hpp"

#include <cmath>

#include "shapes/hull_support.hpp"

namespace abut {

using maths::Vec3d;

bool PosedPolytope::is_one(const ShapeTables& tables, ShapeId shape) {
    if (shape.kind() == ShapeKind::box) return true;
    return shape.kind() == ShapeKind::hull && tables.hulls[tables.record(shape).geometry].report.dimension == 3;
}

PosedPolytope::PosedPolytope(const ShapeTables& tables, ShapeId shape, const PoseD& pose)
    : record_(&tables.record(shape)),
      hull_(shape.kind() == ShapeKind::hull ? &tables.hulls[record_->geometry] : nullptr),
      pose_(pose),
      scale_{record_->extent_x, record_->extent_y, record_->extent_z} {}

Vec3d PosedPolytope::farthest_of_core(const Vec3d& direction) const {
    const Vec3d own = maths::transposed_times(pose_.axes, direction);
    const auto sign = [](double x, std::uint32_t bit) { return std::signbit(x) ? bit : 0; };
    return vertex(hull_ != nullptr ? farthest_vertex(*hull_, maths::times(scale_, own))
                                   : sign(own.x, 1) | sign(own.y, 2) | sign(own.z, 4));
}

Vec3d PosedPolytope::own_vertex(std::uint32_t i) const {
    if (hull_ != nullptr) return maths::times(scale_, vertex_at(*hull_, i) + maths::to_double(hull_->centre));
    return {(i & 1) != 0 ? -scale_.x : scale_.x, (i & 2) != 0 ? -scale_.y : scale_.y,
            (i & 4) != 0 ? -scale_.z : scale_.z};
}

PosedPolytope::Face PosedPolytope::own_face(std::uint32_t i) const {
    if (hull_ == nullptr) {
        const double sign = i % 2 == 0 ? 1 : -1;
        const Vec3d normal = {i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0};
        return {normal, maths::component(scale_, int(i / 2)) + radius()};
    }
    const float* const plane = hull_->planes.data() + i;
    const std::size_t next = hull_->padded_faces;
    const Vec3d scaled = {plane[0] / scale_.x, plane[next] / scale_.y, plane[2 * next] / scale_.z};
    const double inverse = 1 / maths::norm(scaled);
    const Vec3d normal = scaled * inverse;
    return {normal, plane[3 * next] * inverse +
                        maths::dot(normal, maths::times(scale_, maths::to_double(hull_->centre))) + radius()};
}

bool PosedPolytope::contains(const Vec3d& point, double slack) const {
    const Vec3d own = maths::transposed_times(pose_.axes, point - pose_.position);
    for (std::uint32_t i = 0; i < face_count(); ++i) {
        const Face face = own_face(i);
        if (maths::dot(face.normal, own) > face.offset + slack) return false;
    }
    return true;
}

PosedPolytope::Exit PosedPolytope::exit(const Vec3d& point, const Vec3d& direction) const {
    Exit out = {INFINITY, {}};
    for (std::uint32_t i = 0; i < face_count(); ++i) {
        const Face at = face(i);
        const double slope = maths::dot(at.normal, direction);
        if (!(slope > 0)) continue;
        if (const double way = (at.offset - maths::dot(at.normal, point)) / slope; way < out.way)
            out = {way, at.normal};
    }
    return out;
}

std::uint32_t PosedPolytope::face_towards(const Vec3d& direction) const {
    const Vec3d own = maths::transposed_times(pose_.axes, direction);
    std::uint32_t best = 0;
    double most = -INFINITY;
    for (std::uint32_t i = 0; i < face_count(); ++i)
        if (const double cosine = maths::dot(own_face(i).normal, own); cosine > most) most = cosine, best = i;
    return best;
}

}  // namespace abut
