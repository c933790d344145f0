// Pairs with a shape of one's own, and what is known of the shapes without the library: their support functions, and
// how far a point is outside.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <abut/abut.hpp>

#include "coin.hpp"
#include "lens.hpp"
#include "support/catch.hpp"

namespace custom {

using namespace abut;

struct Vec3d {
    double x, y, z;
};
inline Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }
inline Vec3d to_double(Vec3 v) { return {v.x, v.y, v.z}; }
inline Vec3d cross(Vec3d a, Vec3d b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

inline Vec3d rotate(Quat q, Vec3d v) {
    const double s = 1 / std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    const Vec3d u = {q.x * s, q.y * s, q.z * s};
    const Vec3d t = cross(u, v) * 2;
    return v + t * (q.w * s) + cross(u, t);
}
inline Vec3d rotate_back(Quat q, Vec3d v) { return rotate({-q.x, -q.y, -q.z, q.w}, v); }

enum class Form { lens, coin, sphere, capsule, box, octahedron, cylinder, cone, ellipsoid };
inline constexpr int kForms = 9;
inline bool is_custom(Form form) { return form == Form::lens || form == Form::coin; }

struct Solid {
    Form form;
    Vec3 lengths;  // half extents, radii, or those of the custom shape; otherwise a radius and half a height
    float rounding;

    double size() const {
        const double x = lengths.x, y = lengths.y;
        switch (form) {
            case Form::coin: return x + y + rounding;
            case Form::sphere: return x + rounding;
            case Form::capsule: return x + y + rounding;
            case Form::lens:
            case Form::cylinder:
            case Form::cone: return std::max(x, y) + rounding;
            default: return std::max({lengths.x, lengths.y, lengths.z}) + rounding;
        }
    }
    double core_support(Vec3d d) const {
        const Vec3d e = to_double(lengths), along = {e.x * std::fabs(d.x), e.y * std::fabs(d.y), e.z * std::fabs(d.z)};
        const double aside = e.x * std::hypot(d.x, d.z);
        switch (form) {
            case Form::lens: {
                const double ball = lens_ball(), all = length(d);
                return std::hypot(d.x, d.z) * ball <= e.x * all ? ball * all - (ball - e.y) * std::fabs(d.y) : aside;
            }
            case Form::coin: return aside + e.y * length(d);
            case Form::sphere: return e.x * length(d);
            case Form::capsule: return e.x * length(d) + along.y;
            case Form::box: return along.x + along.y + along.z;
            case Form::octahedron: return std::max({along.x, along.y, along.z});
            case Form::cylinder: return aside + along.y;
            case Form::cone: return std::max(e.y * d.y, aside - e.y * d.y);
            default: return length({e.x * d.x, e.y * d.y, e.z * d.z});
        }
    }
    double support(Vec3d d) const { return core_support(d) + rounding * length(d); }

    // How far a point is outside the core; of a cone, an octahedron and an ellipsoid a lower bound that is tight near
    // their surface.
    double outside(Vec3d p) const {
        const Vec3d e = to_double(lengths);
        const double aside = std::hypot(p.x, p.z), above = std::fabs(p.y);
        const auto past = [](double x) { return std::max(0.0, x); };
        switch (form) {
            case Form::lens: {
                const double ball = lens_ball();
                return std::max(
                    {0.0, std::hypot(aside, p.y - (e.y - ball)) - ball, std::hypot(aside, p.y + (e.y - ball)) - ball});
            }
            case Form::coin: return past(std::hypot(past(aside - e.x), p.y) - e.y);
            case Form::sphere: return past(length(p) - e.x);
            case Form::capsule: return past(std::hypot(aside, past(above - e.y)) - e.x);
            case Form::box: return length({past(std::fabs(p.x) - e.x), past(above - e.y), past(std::fabs(p.z) - e.z)});
            case Form::octahedron: {
                const Vec3d n = {1 / e.x, 1 / e.y, 1 / e.z};
                return past((std::fabs(p.x) * n.x + above * n.y + std::fabs(p.z) * n.z - 1) / length(n));
            }
            case Form::cylinder: return std::hypot(past(aside - e.x), past(above - e.y));
            case Form::cone:
                return std::max(past(-e.y - p.y),
                                past((2 * e.y * aside + e.x * p.y - e.x * e.y) / std::hypot(2 * e.y, e.x)));
            default: {
                const Vec3d q = {p.x / e.x, p.y / e.y, p.z / e.z};
                const double at = length(q);
                return at <= 1 ? 0 : (at - 1) * at / length({q.x / e.x, q.y / e.y, q.z / e.z});
            }
        }
    }

private:
    double lens_ball() const {
        return (double(lengths.x) * lengths.x + double(lengths.y) * lengths.y) / (2.0 * lengths.y);
    }
};

inline Expected<ShapeId> add(ShapeStore& shapes, const Solid& s) {
    const InstanceOptions options = {.rounding = s.rounding};
    const Vec3 e = s.lengths;
    const Vec3 corners[] = {{e.x, 0, 0}, {-e.x, 0, 0}, {0, e.y, 0}, {0, -e.y, 0}, {0, 0, e.z}, {0, 0, -e.z}};
    switch (s.form) {
        case Form::lens: return shapes.add_custom(custom_shape<Lens>, e, options);
        case Form::coin: return shapes.add_custom(custom_shape<Coin>, e, options);
        case Form::sphere: return shapes.add_sphere(e.x, options);
        case Form::capsule: return shapes.add_capsule(e.x, e.y, options);
        case Form::box: return shapes.add_box(e, options);
        case Form::octahedron: return shapes.add_hull(corners, options);
        case Form::cylinder: return shapes.add_cylinder(e.x, e.y, options);
        case Form::cone: return shapes.add_cone(e.x, e.y, options);
        default: return shapes.add_ellipsoid(e, options);
    }
}

struct World {
    ShapeStore shapes;
    std::vector<Solid> solids;
    std::vector<ShapeId> ids;
    std::vector<std::uint32_t> solid_of;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::mt19937 random{7};

    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
    Quat orientation() {
        std::normal_distribution<double> normal;
        const double x = normal(random), y = normal(random), z = normal(random), w = normal(random),
                     s = 1 / std::sqrt(x * x + y * y + z * z + w * w);
        return {float(x * s), float(y * s), float(z * s), float(w * s)};
    }
    Vec3d direction() { return rotate(orientation(), {0, 0, 1}); }

    // Every other first body is a lens, the others are coins; second bodies are of all forms.
    explicit World(std::size_t count, double scale = 1) {
        const auto length_of = [&](double x) { return float(float(x) * scale); };
        for (int i = 0; i < 8 * kForms; ++i) {
            const Form form = Form(i % kForms);
            const double wide = uniform(0.3, 1),
                         high = i % 4 == 0   ? wide
                                : i % 4 == 1 ? 0.05 * wide
                                             : uniform(0.1, 0.9) * wide,
                         deep = uniform(0.2, 1);
            const bool is_flat = form == Form::lens || form == Form::coin;
            solids.push_back({form,
                              {length_of(wide), length_of(high), is_flat ? 0.0f : length_of(deep)},
                              i % 5 == 0 ? length_of(0.125) : 0.0f});
            const auto id = add(shapes, solids.back());
            REQUIRE(id);
            ids.push_back(*id);
        }
        for (std::size_t i = 0; i < count; ++i) {
            for (int side = 0; side < 2; ++side) {
                const auto turn = std::uint32_t(random() % 8) * kForms;
                const std::uint32_t solid =
                    turn + (side == 0 ? std::uint32_t(i % 2) : std::uint32_t(random() % kForms));
                solid_of.push_back(solid);
                const Vec3d at = side == 0 ? Vec3d{0, 0, 0} : direction() * uniform(0.2, 2);
                bodies.push_back({{float(float(at.x) * scale), float(float(at.y) * scale), float(float(at.z) * scale)},
                                  ids[solid],
                                  orientation()});
            }
            pairs.push_back({std::uint32_t(2 * i), std::uint32_t(2 * i + 1)});
        }
    }
    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }
    const Solid& solid(std::uint32_t body) const { return solids[solid_of[body]]; }
    // The separation of the support planes along unit n, from A to B.
    double gap(std::size_t pair, Vec3d n) const {
        const Body &a = bodies[pairs[pair].a], &b = bodies[pairs[pair].b];
        return dot(n, to_double(b.position) - to_double(a.position)) -
               solid(pairs[pair].a).support(rotate_back(a.orientation, n)) -
               solid(pairs[pair].b).support(rotate_back(b.orientation, n * -1));
    }
    double outside(std::uint32_t body, Vec3d from_a, std::size_t pair, Vec3d inwards) const {
        const Vec3d p = from_a + to_double(bodies[pairs[pair].a].position) - to_double(bodies[body].position) +
                        inwards * solid(body).rounding;
        return solid(body).outside(rotate_back(bodies[body].orientation, p));
    }
};

}  // namespace custom
