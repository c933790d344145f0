// Everything is put where it touches the ground, the plane y = 0.
#include "ground_scenes.hpp"

#include <cmath>

#include "scene_parts.hpp"

namespace abut::tools {
namespace {

constexpr double kGap = 0.01;  // metres, between capsules side by side
constexpr double kRollingFriction = 0.05;

Scene ground() {
    ShapeSpec spec;
    spec.kind = ShapeKind::halfspace;
    spec.extents = vec3(0, 1, 0);
    Scene scene;
    add_fixed(scene, std::move(spec), {});
    return scene;
}

void add_body(Scene& scene, Vec3 position, Quat orientation = {}) {
    scene.bodies.push_back({position, std::uint32_t(scene.shapes.size() - 1), orientation});
}

}  // namespace

Scene standing_cylinder() {
    constexpr double kHalf = 0.5;
    Scene scene = ground();
    scene.shapes.push_back(round_shape(ShapeKind::cylinder, 0.25, kHalf));
    add_body(scene, vec3(0, kHalf, 0));
    return scene;
}

Scene rolling_cone() {
    constexpr double kRadius = 0.25, kHalf = 0.5, kSpin = 4;
    Scene scene = ground();
    scene.rolling_friction = kRollingFriction;
    scene.shapes.push_back(round_shape(ShapeKind::cone, kRadius, kHalf));
    // The apex towards +x at the origin, the side along the ground: the axis rises by half the cone's angle on its way
    // to the base.
    const double rise = std::atan2(kRadius, 2 * kHalf), x = -kHalf * std::cos(rise), y = kHalf * std::sin(rise);
    add_body(scene, vec3(x, y, 0), about_z(-std::acos(0.0) - rise));
    // It turns about the line on which it lies: no point of that slides.
    scene.motions.push_back({scene.fixed_bodies, vec3(0, 0, kSpin * y), vec3(kSpin, 0, 0)});
    return scene;
}

Scene lying_capsules() {
    constexpr double kRadius = 0.2, kSpacing = 2 * kRadius + kGap;
    constexpr int kCount = 10;
    Scene scene = ground();
    scene.shapes.push_back(round_shape(ShapeKind::capsule, kRadius, 0.5));
    for (int i = 0; i < kCount; ++i)
        add_body(scene, vec3(0, kRadius, kSpacing * (i - 0.5 * (kCount - 1))), about_z(std::acos(0.0)));
    return scene;
}

// Four legs with a rung on each side, a seat, two posts and a back; the origin is near enough to the centre of mass.
Scene chair() {
    constexpr double kHalf = 0.2, kThick = 0.02, kSeat = 0.45, kBack = 0.9, kRung = 0.2, kOrigin = 0.45;
    constexpr double kLegAt = kHalf - kThick, kRungHalf = kHalf - 2 * kThick,
                     kPostHalf = (kBack - kSeat) / 2 - kThick / 2;
    ShapeSpec spec;
    spec.kind = ShapeKind::compound;
    const auto add = [&](Vec3 half, double x, double y, double z) {
        spec.children.push_back(box_child(half, vec3(x, y - kOrigin, z)));
    };
    for (const double x : {-kLegAt, kLegAt}) {
        for (const double z : {-kLegAt, kLegAt})
            add(vec3(kThick, (kSeat - kThick) / 2, kThick), x, (kSeat - kThick) / 2, z);
    }
    for (const double side : {-kLegAt, kLegAt}) {
        add(vec3(kRungHalf, kThick, kThick), 0, kRung, side);
        add(vec3(kThick, kThick, kRungHalf), side, kRung, 0);
    }
    add(vec3(kHalf, kThick, kHalf), 0, kSeat, 0);
    for (const double z : {-kLegAt, kLegAt})
        add(vec3(kThick, kPostHalf, kThick), -kLegAt, kSeat + kThick + kPostHalf, z);
    add(vec3(kThick / 2, kPostHalf / 2, kRungHalf), -kLegAt, kBack - kPostHalf / 2, 0);

    Scene scene = ground();
    scene.shapes.push_back(std::move(spec));
    add_body(scene, vec3(0, kOrigin, 0));
    return scene;
}

}  // namespace abut::tools
