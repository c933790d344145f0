// See surfaces.hpp.
#include "shapes/surfaces.hpp"

#include <cmath>

#include <abut/math.hpp>

#include "base/rounding.hpp"

namespace abut {

Surface surface_of(const ShapeTables& tables, ShapeId id) {
    const InstanceRecord& r = tables.record(id);
    Surface surface;
    if (id.kind() == ShapeKind::mesh)
        surface.mesh = tables.meshes[r.geometry].get();
    else
        surface.field = tables.heightfields[r.geometry].get();
    surface.scale = {r.extent_x, r.extent_y, r.extent_z};
    surface.rounding = r.rounding;
    return surface;
}

maths::BoxD bounds_of(const Surface& surface) {
    const Vec3 low = surface.mesh != nullptr ? surface.mesh->bounds_min : surface.field->bounds_min;
    const Vec3 high = surface.mesh != nullptr ? surface.mesh->bounds_max : surface.field->bounds_max;
    const auto scaled = [](float a, float b, float by, double& least, double& most) {
        least = round_down(double(by < 0 ? b : a) * by), most = round_up(double(by < 0 ? a : b) * by);
    };
    maths::BoxD box;
    scaled(low.x, high.x, surface.scale.x, box.low.x, box.high.x);
    scaled(low.y, high.y, surface.scale.y, box.low.y, box.high.y);
    scaled(low.z, high.z, surface.scale.z, box.low.z, box.high.z);
    return box;
}

maths::BoxD solid_bounds_of(const Surface& surface) {
    maths::BoxD box = bounds_of(surface);
    if (surface.field == nullptr || surface.field->thickness == 0) return box;
    const double thickness =
        maths::min(surface.field->thickness * std::fabs(double(surface.scale.y)), double(kMostMetres));
    if (surface.scale.y < 0)
        box.high.y += thickness;
    else
        box.low.y -= thickness;
    return box;
}

}  // namespace abut
