// A body of revolution by its outline: an arc, a line, an arc. In the arcs' angle, every integrand is a polynomial of
// sines and cosines, which twenty Gauss points per 90 degrees integrate to rounding.
#include <cmath>
#include <numbers>

#include "store/mass/moments.hpp"

namespace abut {
namespace {

// Gauss-Legendre, 20 points on [-1, 1]: ten on either side.
constexpr double kAt[10] = {0.07652652113349733375, 0.22778585114164507808, 0.37370608871541956067,
                            0.51086700195082709800, 0.63605368072651502545, 0.74633190646015079261,
                            0.83911697182221882339, 0.91223442825132590587, 0.96397192727791379127,
                            0.99312859918509492479};
constexpr double kWeight[10] = {0.15275338713072585070, 0.14917298647260374679, 0.14209610931838205133,
                                0.13168863844917662690, 0.11819453196151841731, 0.10193011981724043504,
                                0.08327674157670474872, 0.06267204833410906357, 0.04060142980038694133,
                                0.01761400713915211831};

class Revolution {
public:
    // A slice of this radius and thickness at y.
    void add_slice(double radius, double y, double thickness) {
        const double area = std::numbers::pi * radius * radius * thickness, across = area * radius * radius / 4;
        moments_.add(area, {0, area * y, 0}, {across, area * y * y, across, 0, 0, 0});
    }

    // Calls slice(t, radius, y, dy/dt) at the Gauss points of t between `from` and `to`.
    template <class Slice>
    void add(double from, double to, Slice slice) {
        const double middle = (from + to) / 2, half = (to - from) / 2;
        for (int i = 0; i < 20; ++i) {
            const int k = i % 10;
            const double t = middle + half * (i < 10 ? kAt[k] : -kAt[k]);
            double radius = 0, y = 0, rise = 0;
            slice(t, radius, y, rise);
            add_slice(radius, y, rise * half * kWeight[k]);
        }
    }

    const Moments& moments() const { return moments_; }

private:
    Moments moments_;
};

}  // namespace

Moments swept_frustum(double bottom, double top, double half_height, double r) {
    // The outward direction of the side, as an angle above the horizon.
    const double side = half_height == 0 && bottom == top ? 0 : std::atan2(bottom - top, 2 * half_height);
    Revolution body;
    const auto arc = [&](double about, double at) {
        return [=](double t, double& radius, double& y, double& rise) {
            radius = about + r * std::cos(t), y = at + r * std::sin(t), rise = r * std::cos(t);
        };
    };
    body.add(-std::numbers::pi / 2, 0, arc(bottom, -half_height));
    body.add(0, side, arc(bottom, -half_height));
    body.add(side, std::numbers::pi / 2, arc(top, half_height));
    const double out = r * std::cos(side), up = r * std::sin(side);
    body.add(-1, 1, [&](double t, double& radius, double& y, double& rise) {
        radius = (bottom + top) / 2 + t * (top - bottom) / 2 + out, y = t * half_height + up, rise = half_height;
    });
    return body.moments();
}

}  // namespace abut
