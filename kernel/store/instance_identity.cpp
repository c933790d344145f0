// See instance_identity.hpp.
#include "store/instance_identity.hpp"

#include <cmath>

#include "base/content_hash.hpp"
#include "base/rounding.hpp"

namespace abut {

ShapeIdentity identity_of(ShapeKind kind, const InstanceRecord& r, const HullGeometry* hull,
                          const CustomShape* custom) {
    ContentHash hash;
    hash.add(static_cast<std::uint32_t>(kind));
    for (const float number : {r.extent_x, r.extent_y, r.extent_z, r.radius, r.rounding}) hash.add(number);
    if (hull == nullptr && custom == nullptr) hash.add(r.geometry);
    if (custom != nullptr)
        for (const char* c = custom->name; *c != 0; ++c)
            hash.add(static_cast<std::uint32_t>(static_cast<unsigned char>(*c)));
    if (kind == ShapeKind::halfspace) hash.add(r.bound_radius);
    double origin_radius = kind == ShapeKind::sphere      ? 0.0
                           : kind == ShapeKind::halfspace ? INFINITY
                                                          : double{r.bound_radius};
    if (hull != nullptr) {
        const Vec3 c = hull->centre;
        hash.add(c);
        for (std::uint32_t i = 0; i < hull->vertex_count; ++i)
            hash.add(Vec3{hull->vertices[i].x, hull->vertices[i].y, hull->vertices[i].z});
        origin_radius += std::hypot(double(c.x) * r.extent_x, double(c.y) * r.extent_y, double(c.z) * r.extent_z);
    }
    return {hash.value(), round_up(origin_radius)};
}

}  // namespace abut
