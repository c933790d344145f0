// See identity.hpp.
#include "geometry/identity.hpp"

#include <bit>
#include <cmath>

#include <abut/custom_shape.hpp>

#include "geometry/hull_geometry.hpp"
#include "geometry/instance_record.hpp"
#include "geometry/rounding.hpp"

namespace abut {

namespace {

// Words one after the other [MurmurHash3's finaliser].
class ContentHash {
public:
    void add(std::uint32_t word) {
        value_ = (value_ ^ word) * 0xff51afd7ed558ccdu;
        value_ ^= value_ >> 33;
    }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
    std::uint32_t value() const { return static_cast<std::uint32_t>((value_ * 0xc4ceb9fe1a85ec53u) >> 32); }

private:
    std::uint64_t value_ = 0x9e3779b97f4a7c15u;
};

}  // namespace

ShapeIdentity identity_of(ShapeKind kind, const InstanceRecord& r, const HullGeometry* hull, const CustomShape* custom) {
    ContentHash hash;
    hash.add(static_cast<std::uint32_t>(kind));
    for (const float number : {r.extent_x, r.extent_y, r.extent_z, r.radius, r.rounding}) hash.add(number);
    if (hull == nullptr && custom == nullptr) hash.add(r.geometry);
    if (custom != nullptr)
        for (const char* c = custom->name; *c != 0; ++c) hash.add(static_cast<std::uint32_t>(static_cast<unsigned char>(*c)));
    if (kind == ShapeKind::halfspace) hash.add(r.bound_radius);
    double lever = kind == ShapeKind::sphere ? 0.0 : kind == ShapeKind::halfspace ? INFINITY : double{r.bound_radius};
    if (hull != nullptr) {
        const Vec3 c = hull->centre;
        for (const float number : {c.x, c.y, c.z}) hash.add(number);
        for (std::uint32_t i = 0; i < hull->vertex_count; ++i)
            for (const float number : {hull->vertices[i].x, hull->vertices[i].y, hull->vertices[i].z}) hash.add(number);
        lever += std::hypot(double(c.x) * r.extent_x, double(c.y) * r.extent_y, double(c.z) * r.extent_z);
    }
    return {hash.value(), round_up(lever)};
}

}  // namespace abut
