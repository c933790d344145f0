// Bodies are put where they touch those below and have a gap to those beside them.
#include "wall_scenes.hpp"

#include <cmath>

#include "frustum.hpp"
#include "scene_parts.hpp"

namespace abut::tools {
namespace {

constexpr double kGap = 0.01;  // metres

}  // namespace

Scene card_house() {
    constexpr int kStoreys = 3;
    constexpr double kLean = 10 * kPi / 180, kHalfThick = 0.04, kHalfTall = 0.3, kHalfDeep = 0.5, kSpacing = 0.5;
    const double c = std::cos(kLean), s = std::sin(kLean);
    // A leaning card's centre: above its lowest edge, and from the plane that its upper inner edge touches.
    const double rise = kHalfThick * s + kHalfTall * c, aside = kHalfThick * c + kHalfTall * s;
    Scene scene = floor_scene(3, 3);
    // What Bullet's own narrow phase needs to keep it up: with less friction or a shorter edge it stands at some
    // substeps and falls at others, and with one direction of friction it creeps.
    scene.substeps = 24;
    scene.friction = 1;
    scene.two_friction_directions = true;
    const std::uint32_t card = add_box_shape(scene, vec3(kHalfThick, kHalfTall, kHalfDeep));
    for (int storey = 0; storey < kStoreys; ++storey) {
        const int count = kStoreys - storey;
        const double y = storey * 2 * (rise + kHalfThick);
        for (int i = 0; i < count; ++i) {
            const double x = kSpacing * (i - 0.5 * (count - 1));
            for (const double side : {-1.0, 1.0})
                scene.bodies.push_back({vec3(x + side * aside, y + rise, 0), card, about_z(side * kLean)});
        }
        if (count == 1) continue;
        const double half = 0.5 * kSpacing * (count - 1) + 2 * aside;
        const std::uint32_t ceiling = add_box_shape(scene, vec3(half, kHalfThick, kHalfDeep));
        scene.bodies.push_back({vec3(0, y + 2 * rise + kHalfThick, 0), ceiling, {}});
    }
    return scene;
}

// Every other row is shifted by half a prism and ends in half prisms.
Scene prism_wall() {
    constexpr int kRows = 10, kColumns = 10, kSides = 6;
    constexpr double kRadius = 0.4, kHeight = 0.4, kSpacing = 2 * kRadius + kGap;
    Scene scene = floor_scene(8, 3);
    const std::vector<Corner> hexagon = regular_polygon(kSides, kRadius);
    const std::uint32_t prism = add_shape(scene, make_frustum(hexagon, 1, kHeight));
    // The half on +x, cut from a corner of the middle to the other, a quarter of a gap short.
    const double z = std::sqrt(0.75) * kRadius, cut = kGap / 4;
    const std::vector<Corner> half = {{cut, -z}, {kRadius / 2, -z}, {kRadius, 0}, {kRadius / 2, z}, {cut, z}};
    ShapeSpec half_spec = make_frustum(half, 1, kHeight);
    const double half_at = kRadius - double(half_spec.vertices[2].x);  // its centre of mass from the middle
    const std::uint32_t half_prism = add_shape(scene, std::move(half_spec));
    for (int row = 0; row < kRows; ++row) {
        const double y = kHeight * (row + 0.5), end = 0.5 * kSpacing * kColumns;
        const int shifted = row % 2, count = kColumns - shifted;
        for (int i = 0; i < count; ++i)
            scene.bodies.push_back({vec3(kSpacing * (i - 0.5 * (count - 1)), y, 0), prism, {}});
        if (!shifted) continue;
        for (const double side : {-1.0, 1.0}) {
            const Quat turned = about_y(side < 0 ? 0 : kPi);
            scene.bodies.push_back({vec3(side * (end - half_at), y, 0), half_prism, turned});
        }
    }
    return scene;
}

}  // namespace abut::tools
