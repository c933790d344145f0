// Supports of curved cores, see curved.hpp.
#include "support/oracle/curved.hpp"

#include <algorithm>
#include <cassert>
#include <numbers>

namespace abut::oracle {
namespace {

// Not std::hypot, whose last bit differs from machine to machine.
double across_y(const Vec3d& v) { return std::sqrt(v.x * v.x + v.z * v.z); }

Vec3d on_rim(double radius, double y, const Vec3d& direction) {
    const double across = across_y(direction);
    if (across == 0) return {0, y, 0};
    return {radius * direction.x / across, y, radius * direction.z / across};
}

void add_ring(std::vector<Vec3>& points, double radius, double y) {
    constexpr int kSides = 32;
    for (int i = 0; i < kSides; ++i) {
        const double angle = 2 * std::numbers::pi * i / kSides;
        points.push_back({float(radius * std::cos(angle)), float(y), float(radius * std::sin(angle))});
    }
}

}  // namespace

double rolling_ball(const Vec3d& radii) {
    const auto [least, largest] = std::minmax({radii.x, radii.y, radii.z});
    return least * least / largest;
}

Vec3d support(Form form, const Curved& core, const Vec3d& d) {
    switch (form) {
        case Form::cylinder: return on_rim(core.radius, d.y < 0 ? -core.half_height : core.half_height, d);
        case Form::cone: {
            const double apex = core.half_height * d.y, rim = core.radius * across_y(d) - core.half_height * d.y;
            return apex >= rim ? Vec3d{0, core.half_height, 0} : on_rim(core.radius, -core.half_height, d);
        }
        default: {
            assert(form == Form::ellipsoid);
            const Vec3d& r = core.radii;
            const Vec3d stretched{r.x * d.x, r.y * d.y, r.z * d.z};
            const Vec3d reach{r.x * stretched.x, r.y * stretched.y, r.z * stretched.z};
            return reach / length(stretched) - d * (core.ball / length(d));
        }
    }
}

std::vector<Vec3> inscribed_points(Form form, const Curved& core) {
    std::vector<Vec3> points;
    if (form == Form::cylinder || form == Form::cone) add_ring(points, core.radius, -core.half_height);
    if (form == Form::cylinder && core.half_height > 0) add_ring(points, core.radius, core.half_height);
    if (form == Form::cone) points.push_back({0, float(core.half_height), 0});
    if (form == Form::ellipsoid) {
        constexpr int kSide = 2;  // a cube's grid, blown up: 98 points
        for (int x = -kSide; x <= kSide; ++x)
            for (int y = -kSide; y <= kSide; ++y)
                for (int z = -kSide; z <= kSide; ++z) {
                    const Vec3d v{double(x), double(y), double(z)};
                    if (std::max({std::abs(x), std::abs(y), std::abs(z)}) < kSide) continue;
                    const Vec3d n = normalised(v);
                    points.push_back({float(core.radii.x * n.x), float(core.radii.y * n.y), float(core.radii.z * n.z)});
                }
    }
    return points;
}

}  // namespace abut::oracle
