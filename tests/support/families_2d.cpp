// See families_2d.hpp.
#include "support/families_2d.hpp"

#include <algorithm>
#include <cmath>

namespace abut::plane {
namespace {

using d2::InstanceOptions;
using d2::Rot;
using d2::ShapeKind;
using d2::Vec2;

constexpr double kPi = 3.14159265358979323846;

// Of our own: the distributions of the standard library differ between libraries.
class Dice {
public:
    // The seed is mixed, because the sequences of states that differ by a multiple of the step overlap.
    explicit Dice(std::uint64_t seed) : state_(mixed(seed + 1)) {}

    std::uint64_t bits() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
    double in(double low, double high) { return low + (high - low) * double(bits() >> 11) * 0x1p-53; }
    // The exponent is uniform, or nearly so: by powers of two and lines between them, for the same bits everywhere.
    double scaled(double low, double high) {
        const auto exponent = [](double x) {
            int e = 0;
            const double m = std::frexp(x, &e);
            return e + 2 * m - 2;
        };
        const double e = in(exponent(low), exponent(high)), whole = std::floor(e);
        return std::ldexp(1 + (e - whole), int(whole));
    }
    std::size_t below(std::size_t count) { return std::size_t(bits() % count); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    double signed_scaled(double low, double high) {
        const double size = scaled(low, high);
        return sign() * size;
    }
    double sign() { return one_in(2) ? 1 : -1; }
    Rot rotation() {
        if (one_in(4)) {
            constexpr Rot kQuarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
            return kQuarters[below(4)];
        }
        return d2::rotation_of(in(-kPi, kPi));
    }

private:
    static std::uint64_t mixed(std::uint64_t z) {  // [Steele, Lea, Flood 2014: splitmix64]
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    std::uint64_t state_;
};

// Braces, because the order in which arguments are drawn differs between compilers.
Vec2 vec(Point p) { return {float(p.x), float(p.y)}; }
Point point_of(Vec2 v) { return {v.x, v.y}; }

ShapeSpec of_kind(ShapeKind kind) {
    ShapeSpec spec;
    spec.kind = kind;
    return spec;
}

ShapeSpec circle_spec(double radius) {
    ShapeSpec spec = of_kind(ShapeKind::circle);
    spec.radius = float(radius);
    return spec;
}

ShapeSpec box_spec(Point half_extents) {
    ShapeSpec spec = of_kind(ShapeKind::box);
    spec.half_extents = vec(half_extents);
    return spec;
}

ShapeSpec segment_spec(Vec2 from, Vec2 to, double radius) {
    ShapeSpec spec = of_kind(ShapeKind::capsule);
    spec.points = {from, to}, spec.radius = float(radius);
    return spec;
}

struct Outline {
    std::size_t corners;
    double x, y;
};
// On an ellipse, jittered, so that most points are corners.
ShapeSpec polygon_spec(Dice& dice, const Outline& outline) {
    const auto [corners, x, y] = outline;
    ShapeSpec spec = of_kind(ShapeKind::polygon);
    const double first = dice.in(0, 2 * kPi);
    for (std::size_t i = 0; i < corners; ++i) {
        const Rot r = d2::rotation_of(first + 2 * kPi * (double(i) + dice.in(0, 0.7)) / double(corners));
        spec.points.push_back(vec({x * double(r.c), y * double(r.s)}));
    }
    return spec;
}

// A convex shape of about this size.
ShapeSpec any_convex(Dice& dice, double size) {
    switch (dice.below(6)) {
        case 0: return circle_spec(size);
        case 1: {
            ShapeSpec spec = of_kind(ShapeKind::capsule);
            spec.radius = float(size * dice.in(0, 0.6)), spec.half_extents.y = float(size * dice.in(0, 1));
            return spec;
        }
        case 2: return box_spec({size * dice.in(0.1, 1), size * dice.in(0.1, 1)});
        case 3: return polygon_spec(dice, {3 + dice.below(2), size, size * dice.in(0.2, 1)});
        case 4: return polygon_spec(dice, {5 + dice.below(4), size, size * dice.in(0.2, 1)});
        default: {
            ShapeSpec spec = of_kind(ShapeKind::capsule);
            spec.points = {vec({-size, size * dice.in(-1, 1)}), vec({size * dice.in(-1, 1), size})};
            if (dice.one_in(2)) spec.radius = float(size * dice.in(0, 0.3));
            return spec;
        }
    }
}

// Where B has a signed distance of `gap` from A, near `at`.
Point at_distance(const Shape& a, const Shape& b, Point at, Real gap) {
    for (int i = 0; i < 4; ++i) {
        const Answer now = signed_distance(a, placed(Pose{at}, b));
        if (now.distance < kInfinity) at = at + now.normal * (gap - now.distance);
    }
    return at;
}

// Moves B about A to a signed distance of `gap`, to the resolution of its position.
void place(HardPair& pair, Dice& dice, double gap) {
    pair.rotation_a = dice.rotation(), pair.rotation_b = dice.rotation();
    pair.position_b = pair.position_a;
    const auto [a, b] = placed_pair(pair);
    const Pose along = pose_of({}, d2::rotation_of(dice.in(-kPi, kPi)));
    const Point n = {along.c, along.s}, across = {-n.y, n.x};
    const Point start = n * (gap - gap_along(a, b, n)) + across * (dice.in(-0.3, 0.3) * (size_of(a) + size_of(b)));
    const Point by = at_distance(a, b, start, gap);
    pair.position_b = vec({pair.position_a.x + by.x, pair.position_a.y + by.y});
}

double any_gap(Dice& dice, double size) {
    if (dice.one_in(4)) return size * dice.signed_scaled(1e-9, 1e-2);
    return size * dice.in(-1.5, 0.7);
}

HardPair two(Dice& dice, double size_a, double size_b) {
    HardPair pair;
    pair.a = any_convex(dice, size_a), pair.b = any_convex(dice, size_b);
    place(pair, dice, any_gap(dice, std::min(size_a, size_b)));
    return pair;
}

// An edge of B on an edge of A, or a corner on it, without rotation: all numbers are short, so that they touch exactly.
HardPair touching(Dice& dice) {
    HardPair pair;
    const auto number = [&] { return double(1 + dice.below(16)) / 8; };
    const double x = number(), y = number();
    pair.a = box_spec({x, y});
    const double at = (double(dice.below(33)) - 16) / 8;
    double below = 0;  // how far B reaches down
    switch (dice.below(5)) {
        case 0: pair.b = circle_spec(below = number()); break;
        case 1: pair.b = box_spec({number(), below = number()}); break;
        case 2:  // a corner down
            pair.b = of_kind(ShapeKind::polygon), below = 1;
            pair.b.points = {{0, -1}, vec({number(), number()}), vec({-number(), number()})};
            break;
        case 3:  // an edge down
            pair.b = of_kind(ShapeKind::polygon), below = 0.5;
            pair.b.points = {vec({-number(), -0.5}), vec({number(), -0.5}), vec({number(), number()})};
            break;
        default: {
            const double from = -number(), to = number();
            pair.b = segment_spec(vec({from, 0}), vec({to, 0}), below = number());
        }
    }
    if (dice.one_in(3)) pair.b.options.rounding = 0.25f, below += 0.25;
    pair.position_b = vec({at, y + below});
    // A quarter turn of both about A's position.
    if (dice.one_in(2)) {
        pair.rotation_a = pair.rotation_b = {0, 1};
        pair.position_b = {-pair.position_b.y, pair.position_b.x};
    }
    return pair;
}

HardPair nearly_parallel(Dice& dice) {
    HardPair pair;
    const double size = dice.scaled(0.1, 10), angle = dice.signed_scaled(1e-8, 1e-2);
    pair.a = dice.one_in(2) ? box_spec({size, size * 0.5}) : segment_spec(vec({-size, 0}), vec({size, 0}), size * 0.5);
    const double other = size * dice.in(0.3, 2);
    pair.b =
        dice.one_in(2) ? box_spec({other, size * 0.25}) : segment_spec(vec({-other, 0}), vec({other, 0}), size * 0.25);
    const double turn = dice.one_in(2) ? 0 : dice.in(-kPi, kPi);
    pair.rotation_a = d2::rotation_of(turn), pair.rotation_b = d2::rotation_of(turn + angle);
    const double up = size * 0.75 + size * dice.signed_scaled(1e-8, 1e-1), at = size * dice.in(-1.5, 1.5);
    const Rot r = pair.rotation_a;
    pair.position_b = vec({double(r.c) * at - double(r.s) * up, double(r.s) * at + double(r.c) * up});
    return pair;
}

ShapeSpec sliver(Dice& dice, double size) {
    const double width = size * dice.scaled(1e-7, 1e-2);
    if (dice.one_in(3)) return box_spec({size, width});
    return polygon_spec(dice, {3 + dice.below(4), size, width});
}

HardPair slivers(Dice& dice) {
    HardPair pair;
    const double size = dice.scaled(0.1, 10);
    pair.a = sliver(dice, size);
    pair.b = dice.one_in(2) ? sliver(dice, size) : any_convex(dice, size);
    place(pair, dice, size * dice.signed_scaled(1e-8, 1));
    if (dice.one_in(2)) pair.rotation_b = pair.rotation_a;
    return pair;
}

HardPair concentric(Dice& dice) {
    HardPair pair;
    const double size = dice.scaled(0.01, 100);
    pair.a = any_convex(dice, size);
    pair.b = dice.one_in(2) ? pair.a : any_convex(dice, size * dice.scaled(0.1, 10));
    pair.position_a = pair.position_b = dice.one_in(2) ? Vec2{} : vec({dice.in(-9, 9), dice.in(-9, 9)});
    pair.rotation_a = dice.rotation();
    pair.rotation_b = dice.one_in(2) ? pair.rotation_a : dice.rotation();
    return pair;
}

HardPair collinear(Dice& dice) {
    HardPair pair;
    const auto number = [&] { return double(dice.below(17)) / 4 - 2; };
    const Vec2 along = dice.one_in(2) ? Vec2{1, 0} : Vec2{float(number()), float(number())};
    const auto on_line = [&] {
        const double from = number(), to = number(), radius = dice.one_in(2) ? 0 : 0.125;
        return segment_spec(vec({from * double(along.x), from * double(along.y)}),
                            vec({to * double(along.x), to * double(along.y)}), radius);
    };
    pair.a = on_line(), pair.b = on_line();
    const double at = number();
    pair.position_b = vec({at * double(along.x), at * double(along.y)});
    if (dice.one_in(2)) pair.rotation_a = pair.rotation_b = {-1, 0};
    return pair;
}

ShapeSpec without_length(Dice& dice) {
    switch (dice.below(6)) {
        case 0: return circle_spec(0);
        case 1: return segment_spec({0.5f, 0.25f}, {0.5f, 0.25f}, dice.one_in(2) ? 0 : 0.5);
        case 2: return box_spec({0, dice.one_in(3) ? 0.0 : 1.0});
        case 3: return box_spec({dice.in(0, 2), 0});
        case 4: {
            ShapeSpec spec = of_kind(ShapeKind::polygon);
            spec.points = {{1, 2}, {1, 2}, {1, 2}};
            return spec;
        }
        default: {
            ShapeSpec spec = of_kind(ShapeKind::polygon);
            spec.points = {{-1, -1}, {0, 0}, {1, 1}, {0.5f, 0.5f}};
            return spec;
        }
    }
}

HardPair zero_lengths(Dice& dice) {
    HardPair pair;
    pair.a = without_length(dice);
    pair.b = dice.one_in(2) ? without_length(dice) : any_convex(dice, 1);
    const auto number = [&] { return double(dice.below(9)) / 2 - 2; };
    if (dice.one_in(2))
        pair.position_b = vec({number(), number()});
    else
        place(pair, dice, any_gap(dice, 1));
    if (dice.one_in(2)) pair.rotation_b = pair.rotation_a;
    return pair;
}

HardPair rounded(Dice& dice) {
    HardPair pair = two(dice, 1, dice.scaled(0.1, 10));
    const float up_to_ten = float(dice.scaled(1e-3, 10));
    pair.a.options.rounding = up_to_ten;
    if (dice.one_in(2)) pair.b.options.rounding = float(dice.scaled(1e-3, 10));
    place(pair, dice, any_gap(dice, 1));
    return pair;
}

HardPair on_halfplane(Dice& dice) {
    HardPair pair;
    const double size = dice.scaled(1e-2, 1e2);
    ShapeSpec plane = of_kind(ShapeKind::halfplane);
    const Rot up = dice.rotation();
    const double stretch = dice.scaled(0.1, 10);
    plane.normal = vec({stretch * double(up.c), stretch * double(up.s)});
    plane.offset = float(stretch * dice.in(-3, 3));
    if (dice.one_in(3)) plane.options.rounding = float(0.1 * size);
    pair.a = plane,
    pair.b = dice.one_in(8) ? polygon_spec(dice, {9 + dice.below(40), size, size}) : any_convex(dice, size);
    pair.position_a = vec({dice.in(-5, 5), dice.in(-5, 5)});
    pair.rotation_a = dice.rotation(), pair.rotation_b = dice.one_in(3) ? pair.rotation_a : dice.rotation();
    pair.position_b = pair.position_a;
    const auto [a, b] = placed_pair(pair);
    const Real by = any_gap(dice, size) - signed_distance(a, b).distance;
    pair.position_b.x += float(a.normal.x * by), pair.position_b.y += float(a.normal.y * by);
    if (dice.one_in(2)) {
        std::swap(pair.a, pair.b);
        std::swap(pair.position_a, pair.position_b);
        std::swap(pair.rotation_a, pair.rotation_b);
    }
    return pair;
}

// A ground that goes up and down, a flat one in tiles, or a loop.
ShapeSpec any_chain(Dice& dice) {
    ShapeSpec spec = of_kind(ShapeKind::chain);
    const std::size_t count = 2 + dice.below(20);
    spec.is_loop = dice.one_in(3) && count > 2;
    const bool is_flat = dice.one_in(3);
    const double turn = spec.is_loop ? dice.sign() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (spec.is_loop) {
            const Rot r = d2::rotation_of(turn * 2 * kPi * double(i) / double(count));
            const double radius = dice.in(2, 4);
            spec.points.push_back(vec({radius * double(r.c), radius * double(r.s)}));
        } else {
            spec.points.push_back(vec({-double(i), is_flat ? 0.0 : dice.in(-0.6, 0.6)}));  // the front is above
        }
        if (dice.one_in(6)) spec.points.push_back(spec.points.back());
    }
    if (dice.one_in(3)) spec.options.rounding = 0.05f;
    if (dice.one_in(4)) spec.options.scale = {-1, 1.5f};
    return spec;
}

HardPair on_chain(Dice& dice) {
    HardPair pair;
    pair.a = any_chain(dice);
    pair.b = any_convex(dice, dice.scaled(0.05, 2));
    pair.rotation_a = dice.rotation(), pair.rotation_b = dice.rotation();
    // About a point on a segment.
    const auto [a, b] = placed_pair(pair);
    const std::size_t i = dice.below(a.corners.size() - 1);
    const Point from = a.corners[i], along = a.corners[i + 1] - from;
    const Point at = from + along * (dice.one_in(4) ? 0 : dice.in(0, 1));
    const Real out = length(along) > 0 ? dice.in(-0.5, 1.5) * double(size_of(b)) / double(length(along)) : 0;
    const Point start = {at.x + along.y * out, at.y - along.x * out};
    const Point by = dice.one_in(3) ? at_distance(a, b, start, any_gap(dice, 0.1)) : start;
    pair.position_b = vec(by);
    return pair;
}

ShapeSpec any_compound(Dice& dice, bool may_nest) {
    ShapeSpec spec = of_kind(ShapeKind::compound);
    const std::size_t count = 1 + dice.below(6);
    for (std::size_t i = 0; i < count; ++i) {
        spec.poses.push_back({vec({dice.in(-2, 2), dice.in(-2, 2)}), dice.rotation()});
        const bool is_nested = may_nest && dice.one_in(6);
        spec.children.push_back(is_nested ? any_compound(dice, false) : any_convex(dice, dice.in(0.3, 1)));
    }
    if (dice.one_in(2)) {
        const double s = dice.in(0.5, 2);
        spec.options = {.rounding = float(dice.in(0, 0.2)),
                        .scale = vec({s * dice.sign(), 0}),
                        .pose = {vec({dice.in(-1, 1), dice.in(-1, 1)}), dice.rotation()}};
        spec.options.scale.y = spec.options.scale.x * float(dice.sign());
    }
    return spec;
}

HardPair with_compound(Dice& dice) {
    HardPair pair;
    pair.a = any_compound(dice, true);
    pair.b = dice.one_in(2) ? any_compound(dice, true) : dice.one_in(4) ? any_chain(dice) : any_convex(dice, 1);
    place(pair, dice, any_gap(dice, 1));
    return pair;
}

InstanceOptions any_options(Dice& dice, ShapeKind kind) {
    const bool has_one = kind == ShapeKind::circle || kind == ShapeKind::capsule;
    InstanceOptions options;
    options.scale = vec({dice.signed_scaled(0.2, 5), dice.signed_scaled(0.2, 5)});
    if (has_one) options.scale.y = options.scale.x * float(dice.sign());
    if (dice.one_in(2)) options.rounding = float(dice.in(0, 0.3));
    options.pose = {vec({dice.in(-3, 3), dice.in(-3, 3)}), dice.rotation()};
    return options;
}

HardPair instances(Dice& dice) {
    HardPair pair;
    pair.a = any_convex(dice, 1), pair.b = any_convex(dice, 1);
    pair.a.options = any_options(dice, pair.a.kind), pair.b.options = any_options(dice, pair.b.kind);
    place(pair, dice, any_gap(dice, 1));
    return pair;
}

HardPair large_polygons(Dice& dice) {
    HardPair pair;
    const double size = dice.scaled(0.1, 10);
    const auto large = [&] {
        return polygon_spec(dice, {9 + dice.below(dice.one_in(8) ? 292 : 40), size, size * dice.in(0.3, 1)});
    };
    pair.a = large();
    pair.b = dice.one_in(2) ? large() : any_convex(dice, size);
    place(pair, dice, any_gap(dice, size));
    return pair;
}

HardPair far(Dice& dice) {
    HardPair pair;
    pair.position_a = vec({1e6 * dice.in(-1, 1), 1e6 * dice.in(-1, 1)});
    pair.a = any_convex(dice, dice.scaled(0.1, 100)), pair.b = any_convex(dice, dice.scaled(0.1, 100));
    place(pair, dice, any_gap(dice, 1));
    return pair;
}

HardPair any_of(Family family, Dice& dice) {
    switch (family) {
        case Family::mixed: return two(dice, 1, dice.in(0.3, 3));
        case Family::touching: return touching(dice);
        case Family::nearly_parallel: return nearly_parallel(dice);
        case Family::slivers: return slivers(dice);
        case Family::ratios: return two(dice, 1, dice.scaled(1e-4, 1e4));
        case Family::concentric: return concentric(dice);
        case Family::collinear: return collinear(dice);
        case Family::zero_lengths: return zero_lengths(dice);
        case Family::rounded: return rounded(dice);
        case Family::halfplanes: return on_halfplane(dice);
        case Family::chains: return on_chain(dice);
        case Family::compounds: return with_compound(dice);
        case Family::far: return far(dice);
        case Family::sizes: {
            const double size = dice.scaled(1e-4, 1e4);
            return two(dice, size, size * dice.in(0.5, 2));
        }
        case Family::large_polygons: return large_polygons(dice);
        case Family::instances: return instances(dice);
    }
    return {};
}

}  // namespace

const char* to_string(Family family) {
    constexpr const char* kNames[kFamilies] = {"mixed",   "touching",   "nearly_parallel", "slivers",
                                               "ratios",  "concentric", "collinear",       "zero_lengths",
                                               "rounded", "halfplanes", "chains",          "compounds",
                                               "far",     "sizes",      "large_polygons",  "instances"};
    return kNames[std::size_t(family)];
}

Expected<d2::ShapeId> add_to(d2::ShapeStore& store, const ShapeSpec& spec) {
    switch (spec.kind) {
        case ShapeKind::circle: return store.add_circle(spec.radius, spec.options);
        case ShapeKind::capsule:
            if (spec.points.empty()) return store.add_capsule(spec.radius, spec.half_extents.y, spec.options);
            return store.add_segment(spec.points[0], spec.points[1], spec.radius, spec.options);
        case ShapeKind::box: return store.add_box(spec.half_extents, spec.options);
        case ShapeKind::halfplane: return store.add_halfplane(spec.normal, spec.offset, spec.options);
        case ShapeKind::chain: return store.add_chain(spec.points, spec.is_loop, spec.options);
        case ShapeKind::compound: {
            std::vector<d2::CompoundChild> children;
            for (std::size_t i = 0; i < spec.children.size(); ++i) {
                const auto id = add_to(store, spec.children[i]);
                if (!id) return id.error();
                children.push_back({*id, spec.poses[i]});
            }
            return store.add_compound(children, spec.options);
        }
        default: return store.add_polygon(spec.points, spec.options);
    }
}

Shape shape_of(const ShapeSpec& spec) {
    std::vector<Point> points;
    for (const Vec2& p : spec.points) points.push_back(point_of(p));
    const auto plain = [&]() -> Shape {
        switch (spec.kind) {
            case ShapeKind::circle: return circle(spec.radius);
            case ShapeKind::capsule:
                if (points.empty()) return capsule(spec.radius, spec.half_extents.y);
                return segment(points[0], points[1], spec.radius);
            case ShapeKind::box: return box(spec.half_extents.x, spec.half_extents.y);
            case ShapeKind::halfplane: return halfplane(point_of(spec.normal), spec.offset);
            case ShapeKind::chain: return chain(points, spec.is_loop);
            case ShapeKind::compound: {
                std::vector<std::pair<Shape, Pose>> children;
                for (std::size_t i = 0; i < spec.children.size(); ++i)
                    children.push_back({shape_of(spec.children[i]), pose_of(spec.poses[i])});
                return compound(children);
            }
            default: return polygon(points);
        }
    };
    return instance(plain(), spec.options);
}

std::vector<HardPair> hard_pairs(Family family, std::size_t count, std::uint64_t seed) {
    Dice dice(seed * kFamilies + std::uint64_t(family));
    std::vector<HardPair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back(any_of(family, dice));
    return pairs;
}

std::pair<Shape, Shape> placed_pair(const HardPair& pair) {
    const Point b_from_a = point_of(pair.position_b) - point_of(pair.position_a);
    return {placed(pose_of({}, pair.rotation_a), shape_of(pair.a)),
            placed(pose_of(b_from_a, pair.rotation_b), shape_of(pair.b))};
}

}  // namespace abut::plane
