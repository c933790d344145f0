// The catalogue of resting shapes, see form.hpp.
#include "studies/steady/form.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

namespace abut::steady {
namespace {

const float kHalfRoot = float(std::sqrt(0.5));
const Quat kOnItsSide{0, 0, -kHalfRoot, kHalfRoot};  // takes +Y to +X

oracle::Shape box_of(float x, float y, float z) {
    oracle::Shape shape;
    shape.kind = ShapeKind::box;
    shape.half_extents = {x, y, z};
    return shape;
}

oracle::Shape round_of(ShapeKind kind, float radius, float half_height) {
    oracle::Shape shape;
    shape.kind = kind;
    shape.radius = radius;
    shape.half_height = half_height;
    return shape;
}

// `sides` corners at each end; the lower ring of radius `low`, the upper of radius `high`.
oracle::Shape ring_hull(int sides, double low, double high, double half_height) {
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides, c = std::cos(angle), s = std::sin(angle);
        shape.points.push_back({float(low * c), float(-half_height), float(low * s)});
        shape.points.push_back({float(high * c), float(half_height), float(high * s)});
    }
    return shape;
}

// 64 points on an ellipsoid along a golden spiral; those below the cut are moved up onto it, so that the shape rests on
// a polygon.
oracle::Shape dome_hull() {
    constexpr int kPoints = 64;
    constexpr double kCut = -0.25, kGoldenAngle = 2.399963229728653;
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    for (int i = 0; i < kPoints; ++i) {
        const double y = 1 - 2 * (i + 0.5) / kPoints, r = std::sqrt(1 - y * y), angle = kGoldenAngle * i;
        shape.points.push_back(
            {float(0.5 * r * std::cos(angle)), float(std::max(0.4 * y, kCut)), float(0.6 * r * std::sin(angle))});
    }
    return shape;
}

oracle::Shape box_hull() {
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    for (int i = 0; i < 8; ++i)
        shape.points.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f});
    return shape;
}

Form standing(std::string name, oracle::Shape shape, double half_height, double reach_x, double reach_z) {
    return {std::move(name), {{std::move(shape), {}}}, {}, half_height, half_height, reach_x, reach_z, true};
}

Form prism(int sides) {
    const double inradius = 0.5 * std::cos(std::numbers::pi / sides);
    return standing("prism" + std::to_string(sides), ring_hull(sides, 0.5, 0.5, 0.5), 0.5, inradius, inradius);
}

Form lying(std::string name, oracle::Shape shape, double radius, double half_length) {
    return {std::move(name), {{std::move(shape), {}}}, kOnItsSide, radius, radius, 0.75 * half_length, 0, true};
}

Form two(std::string name, const oracle::Shape& shape, float apart, double half_height) {
    return {std::move(name),
            {{shape, {-apart, 0, 0}}, {shape, {apart, 0, 0}}},
            {},
            half_height,
            half_height,
            0.5,
            0.25,
            true};
}

std::vector<Form> make_resting_forms() {
    std::vector<Form> forms;
    forms.push_back(standing("box", box_of(0.5f, 0.5f, 0.5f), 0.5, 0.5, 0.5));
    forms.push_back(standing("small-box", box_of(0.25f, 0.2f, 0.3f), 0.2, 0.25, 0.3));
    forms.push_back(standing("plank", box_of(1, 0.1f, 0.2f), 0.1, 1, 0.2));
    forms.push_back(standing("box-hull", box_hull(), 0.5, 0.5, 0.5));
    for (const int sides : {3, 5, 6, 8, 12, 16, 32}) forms.push_back(prism(sides));
    forms.push_back(standing("frustum4", ring_hull(4, 0.7, 0.5, 0.4), 0.4, 0.35, 0.35));
    forms.push_back(standing("frustum8", ring_hull(8, 0.5, 0.35, 0.4), 0.4, 0.3, 0.3));
    forms.push_back({"dome64", {{dome_hull(), {}}}, {}, 0.25, 0.4, 0.3, 0.3, false});
    forms.push_back(standing("cylinder", round_of(ShapeKind::cylinder, 0.5f, 0.5f), 0.5, 0.5, 0.5));
    forms.push_back({"cone", {{round_of(ShapeKind::cone, 0.5f, 0.5f), {}}}, {}, 0.5, 0.5, 0.4, 0.4, false});
    forms.push_back(lying("lying-capsule", round_of(ShapeKind::capsule, 0.25f, 0.5f), 0.25, 0.5));
    forms.push_back(lying("lying-cylinder", round_of(ShapeKind::cylinder, 0.25f, 0.5f), 0.25, 0.5));
    forms.push_back(two("two-boxes", box_of(0.25f, 0.3f, 0.3f), 0.3f, 0.3));
    forms.push_back(two("two-cylinders", round_of(ShapeKind::cylinder, 0.235f, 0.4f), 0.25f, 0.4));
    return forms;
}

std::vector<Form> make_ground_forms() {
    oracle::Shape plane;
    plane.kind = ShapeKind::halfspace;
    plane.normal = {0, 1, 0};
    return {standing("ground", box_of(10, 0.5f, 10), 0.5, 10, 10), standing("halfspace", plane, 0, 3, 3)};
}

Vec3 scaled(const Vec3& v, double factor) { return {float(v.x * factor), float(v.y * factor), float(v.z * factor)}; }

// The catalogue's shapes are valid; a store that refuses one ends the program with its message.
ShapeId checked(const Expected<ShapeId>& id, const std::string& name) {
    if (!id) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), id.error().message.c_str());
        std::abort();
    }
    return *id;
}

ShapeId add_part(ShapeStore& store, const oracle::Shape& shape, const std::string& name) {
    switch (shape.kind) {
        case ShapeKind::box: return checked(store.add_box(shape.half_extents), name);
        case ShapeKind::capsule: return checked(store.add_capsule(shape.radius, shape.half_height), name);
        case ShapeKind::cylinder: return checked(store.add_cylinder(shape.radius, shape.half_height), name);
        case ShapeKind::cone: return checked(store.add_cone(shape.radius, shape.half_height), name);
        case ShapeKind::halfspace: return checked(store.add_halfspace(shape.normal, shape.offset), name);
        default: return checked(store.add_hull(shape.points), name);
    }
}

}  // namespace

std::span<const Form> resting_forms() {
    static const std::vector<Form> forms = make_resting_forms();
    return forms;
}

std::span<const Form> ground_forms() {
    static const std::vector<Form> forms = make_ground_forms();
    return forms;
}

const Form& form(std::string_view name) {
    for (const std::span<const Form> forms : {resting_forms(), ground_forms()})
        for (const Form& candidate : forms)
            if (candidate.name == name) return candidate;
    std::abort();
}

Form upside_down(const Form& form) {
    Form turned = form;
    turned.name += "-upside-down";
    const Quat q = form.rest;
    turned.rest = {q.w, -q.z, q.y, -q.x};  // (1, 0, 0, 0) * q
    std::swap(turned.below, turned.above);
    turned.flat_above = true;
    return turned;
}

Form scaled(const Form& form, double factor) {
    Form out = form;
    for (Part& part : out.parts) {
        oracle::Shape& shape = part.shape;
        part.position = scaled(part.position, factor);
        shape.radius = float(shape.radius * factor);
        shape.half_height = float(shape.half_height * factor);
        shape.half_extents = scaled(shape.half_extents, factor);
        shape.offset = float(shape.offset * factor);
        for (Vec3& point : shape.points) point = scaled(point, factor);
    }
    for (double* length : {&out.below, &out.above, &out.reach_x, &out.reach_z}) *length *= factor;
    return out;
}

ShapeId add(ShapeStore& store, const Form& form) {
    if (form.parts.size() == 1) return add_part(store, form.parts[0].shape, form.name);
    std::vector<CompoundChild> children;
    for (const Part& part : form.parts) children.push_back({add_part(store, part.shape, form.name), part.position, {}});
    return checked(store.add_compound(children), form.name);
}

}  // namespace abut::steady
