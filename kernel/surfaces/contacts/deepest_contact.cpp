// The last resort of surface_manifolds.hpp: if all normals were replaced, and no plane has a contact as deep over its
// triangles, the deepest contact of the kernels is kept. So a body never overlaps deeper than its contacts say.
#include <algorithm>
#include <cmath>

#include "surfaces/contacts/ground_body.hpp"

namespace abut {
using maths::Vec3d;

// The height of the body above the triangle along a unit direction towards the body, and the body's lowest point along
// that direction (on the core). World axes.
double GroundPair::ConvexBody::height_along(std::uint32_t i, const Vec3d& towards, Vec3d& lowest) const {
    Vec3d at[3];
    see_corners(i, at);
    const double top = highest(at, towards);
    const ShapeTables& tables = tables_of(*of_.frame_.shapes);
    const exact::Shape shape = exact::shape_of(tables, place_.shape);
    const maths::Mat3 rotation = maths::rotation(maths::to_double(place_.orientation));
    lowest = rotation * core_support(shape, transposed_times(rotation, -towards));
    return dot(towards, lowest) - shape.radius - of_.surface_.rounding - top;
}

// The triangle with the deepest contact of the kernels, if there is any.
std::uint32_t GroundPair::ConvexBody::deepest_pair() const {
    std::uint32_t best = kNoContactPair;
    for (std::uint32_t i = first_; i < end_; ++i) {
        if (pair_at(i).count == 0) continue;  // known, or too far for its plane, by a rounding
        if (best == kNoContactPair ||
            pair_at(i).record.contacts[0].separation < pair_at(best).record.contacts[0].separation)
            best = i;
    }
    return best;
}

// Keeps the contact of the kernels with triangle `best`, if no manifold has a contact as deep: all normals were
// replaced, and planes have no such contact over their triangles. The contact keeps its normal if that points out of
// the surface; an overlap otherwise takes the component of its normal in the triangle's plane.
bool GroundPair::ConvexBody::keep_one(std::uint32_t best, MergedManifold& out) const {
    const SeenSurface seen = seen_surface();
    const Vec3d own = axes_ * seen.normal_at(corners(best)), towards = towards_body(best);
    const double along = dot(own, towards);
    if (along >= 0) {
        const Vec3 normal = swapped_normal(pair_at(best).record, pair_at(best).pair.is_swapped);
        GroundPoints points(PatchAxes(maths::to_double(normal)), level());
        add_own(best, towards, points);
        return store(normal, points, out);
    }
    if (pair_at(best).record.contacts[0].separation > 0) return false;
    const Vec3d across = towards - own * along, level = norm(across) > kTopSlack ? maths::unit(across) : own;
    Vec3d lowest;
    const double height = height_along(best, level, lowest);
    const InstanceRecord& record = tables_of(*of_.frame_.shapes).record(place_.shape);
    GroundPoints points(PatchAxes(level), this->level());
    const std::uint32_t feature = pair_at(best).record.contacts[0].feature;
    points.add({lowest - level * (record.radius + 0.5 * height), height,
                pair_at(best).pair.is_swapped ? swap_halves(feature) : feature, pair_at(best).pair.b, true, 0, 0});
    return store(finite_float(-level), points, out);
}

// Adds the deepest contact of the kernels, unless a manifold has a contact that is as deep to within the slack. Returns
// the number of manifolds.
std::uint32_t GroundPair::ConvexBody::add_deepest(MergedManifold* merged, std::uint32_t count) const {
    const std::uint32_t best = deepest_pair();
    if (best == kNoContactPair) return count;
    const double separation = pair_at(best).record.contacts[0].separation,
                 enough = separation + double(kSlackShare) * size_;
    for (std::uint32_t i = 0; i < count; ++i)
        if (merged[i].contact(0).separation <= enough) return count;
    // There is room for one manifold per triangle.
    const std::uint32_t at = std::min(count, end_ - first_ - 1);
    if (!keep_one(best, merged[at])) return count;
    for (std::uint32_t i = 0; i < at; ++i) {
        if (dot(maths::to_double(merged[i].normal), maths::to_double(merged[at].normal)) < kSameNormalCosine) continue;
        join(merged[i], merged[at]);
        return at;
    }
    return at + 1;
}

}  // namespace abut
