// See solid.hpp. The winding number is the number of backs minus that of fronts that a ray from the point crosses. A
// ray through an edge counts as if it were shifted slightly, equally for all triangles (triangle_ray.hpp), so only
// points on the surface are ambiguous.
#include "queries/rays/solid.hpp"

#include "queries/rays/box_ray.hpp"
#include "queries/rays/triangle_ray.hpp"
#include "shapes/surface_walk.hpp"
#include "shapes/surfaces.hpp"

namespace abut {

bool is_inside(const Surface& closed, const maths::Vec3d& point) {
    const maths::BoxD bounds = bounds_of(closed);
    for (int axis = 0; axis < 3; ++axis)
        if (component(point, axis) < component(bounds.low, axis) ||
            component(point, axis) > component(bounds.high, axis))
            return false;
    const LocalRay ray = {point, {1, 0, 0}, 2 * (bounds.high.x - bounds.low.x)};
    const BoxRay boxes(ray, bounds, box_slack(closed));
    const TriangleRay triangle_ray(ray);
    int winding = 0;
    (void)walk_boxes(
        closed, [&] { return boxes.limit(ray.length); },
        [&](const SixteenBoxes& some, float* out) { boxes.bounds_of(some, out); },
        [&](std::uint32_t triangle) {
        winding += triangle_ray.winding(corners_at(closed, triangle));
        return true;
        });
    return winding > 0;
}

}  // namespace abut
