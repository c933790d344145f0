#include "plane/row.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "scenes/random.hpp"
#include "support/plane_world.hpp"

namespace abut::bench {
namespace {

using d2::ShapeKind;
using d2::Vec2;
using plane::ShapeSpec;
using scenes::Random;

constexpr const char* kRows[] = {
    "circles", "capsules", "boxes", "polygons of 4", "polygons of 8", "mixed", "mixed without capsules", "pile"};

Vec2 at_angle(double angle, double radius) {
    return {float(radius * std::cos(angle)), float(radius * std::sin(angle))};
}

// `kind` as row `kind`: circle, capsule, box, polygon of 4, polygon of 8. Of 0.3 to 1 m.
ShapeSpec random_shape(std::uint32_t kind, Random& random) {
    constexpr ShapeKind kKinds[] = {ShapeKind::circle, ShapeKind::capsule, ShapeKind::box, ShapeKind::polygon,
                                    ShapeKind::polygon};
    ShapeSpec spec;
    spec.kind = kKinds[kind];
    spec.radius = float(kind == 0 ? random.uniform(0.3, 1) : random.uniform(0.2, 0.5));
    spec.half_extents = {float(random.uniform(0.3, 1)), float(random.uniform(0.3, 1))};
    if (kind == 1) spec.points = {{0, -0.6f * spec.half_extents.y}, {0, 0.6f * spec.half_extents.y}};
    const int corners = kind == 3 ? 4 : 8;
    for (int i = 0; kind >= 3 && i < corners; ++i)
        spec.points.push_back(at_angle(2 * std::numbers::pi * (i + random.uniform(0, 0.3)) / corners, 1));
    return spec;
}

std::uint32_t kind_in(std::uint32_t row, Random& random) {
    if (row < 5) return row;
    const std::uint32_t kind = random.below(row == 5 ? 5 : 4);
    return row == 6 && kind > 0 ? kind + 1 : kind;
}

// Random pairs of 64 shapes, about half of them in contact; or bodies apart, and B on its way past A or into it.
void fill_with_pairs(PlaneRow& row, std::uint32_t number, bool for_motions, std::size_t pairs) {
    Random random(7 + number);
    std::vector<d2::ShapeId> ids;
    for (int i = 0; i < 64; ++i) {
        row.specs.push_back(random_shape(kind_in(number, random), random));
        ids.push_back(*plane::add_to(row.shapes, row.specs.back()));
    }
    for (std::uint32_t i = 0; i < pairs; ++i) {
        double sizes = 0;
        for (int k = 0; k < 2; ++k) {
            const std::uint32_t spec = random.below(64);
            const double angle = random.uniform(0, 2 * std::numbers::pi);
            sizes += row.shapes.view(ids[spec]).size;
            row.spec_of.push_back(spec);
            row.bodies.push_back({{}, d2::rotation_of(angle), ids[spec]});
        }
        d2::Body *a = &row.bodies[2 * i], *b = a + 1;
        a->position.x = float(random.uniform(-100, 100)), a->position.y = float(random.uniform(-100, 100));
        const double factor = for_motions ? random.uniform(1.5, 2.5) : random.uniform(0.5, 1.3);
        b->position = plane::plus(a->position, at_angle(random.uniform(0, 2 * std::numbers::pi), factor * sizes));
        const float miss_x = float(random.uniform(-sizes, sizes)), miss_y = float(random.uniform(-sizes, sizes));
        row.ways.push_back({a->position.x - b->position.x + miss_x, a->position.y - b->position.y + miss_y});
        row.pairs.push_back({2 * i, 2 * i + 1});
        row.parts.push_back({i, 2 * i, 2 * i + 1});
    }
    for (std::size_t i = 0; i < row.bodies.size(); ++i) row.objects.push_back({row.spec_of[i], row.bodies[i]});
}

// An uneven floor. The front of a chain is on its right.
ShapeSpec floor_chain() {
    ShapeSpec spec;
    spec.kind = ShapeKind::chain;
    for (int i = 26; i >= -26; --i) spec.points.push_back({0.25f * float(i), 0.1f * std::sin(0.7f * float(i))});
    return spec;
}

bool are_near(const Bounds& x, const Bounds& y) {
    constexpr float kMargin = plane::World::kMargin;
    return x.min.x <= y.max.x + kMargin && y.min.x <= x.max.x + kMargin && x.min.y <= y.max.y + kMargin &&
           y.min.y <= x.max.y + kMargin;
}

// The objects of a row whose body 0 is a chain at the origin, and the parts of its pairs.
void split_chain(PlaneRow& row) {
    const ShapeSpec chain = row.specs[row.spec_of[0]];
    std::vector<Bounds> bounds(row.bodies.size()), of_segments;
    if (!d2::world_bounds(row.shapes, row.bodies, bounds)) std::abort();
    for (std::size_t i = 0; i < row.bodies.size(); ++i) row.objects.push_back({row.spec_of[i], row.bodies[i]});
    const auto first_segment = std::uint32_t(row.objects.size());
    for (std::size_t i = 0; i + 1 < chain.points.size(); ++i) {
        const Vec2 from = chain.points[i], to = chain.points[i + 1];
        ShapeSpec segment;
        segment.kind = ShapeKind::capsule, segment.points = {from, to};
        row.objects.push_back({std::uint32_t(row.specs.size()), row.bodies[0]});
        row.specs.push_back(segment);
        of_segments.push_back(d2::box_of({std::min(from.x, to.x), std::min(from.y, to.y)},
                                         {std::max(from.x, to.x), std::max(from.y, to.y)}));
    }
    for (std::uint32_t i = 0; i < row.pairs.size(); ++i) {
        const auto [a, b] = row.pairs[i];
        if (a != 0 && b != 0) row.parts.push_back({i, a, b});
        for (std::uint32_t k = 0; (a == 0 || b == 0) && k < of_segments.size(); ++k)
            if (are_near(of_segments[k], bounds[a + b])) row.parts.push_back({i, first_segment + k, a + b});
    }
}

// Bodies at rest on a chain between two walls after eight seconds; the pairs are those of the broad phase.
void fill_with_pile(PlaneRow& row, std::size_t bodies) {
    constexpr int kSteps = 8 * 240, kColumns = 20;
    Random random(77);
    plane::World world;
    const auto add = [&](const ShapeSpec& spec, Vec2 position, float angle, float density) {
        row.spec_of.push_back(std::uint32_t(row.specs.size()));
        row.specs.push_back(spec);
        world.add(*plane::add_to(world.shapes, spec), position, angle, density);
    };
    add(floor_chain(), {}, 0, 0);
    ShapeSpec wall;
    wall.kind = ShapeKind::box, wall.half_extents = {0.5f, 20};
    for (const float x : {-6.5f, 6.5f}) add(wall, {x, 20}, 0, 0);
    for (std::size_t i = 0; i < bodies; ++i) {
        ShapeSpec spec = random_shape(kind_in(6, random), random);
        spec.radius *= 0.3f;
        spec.half_extents = {0.3f * spec.half_extents.x, 0.3f * spec.half_extents.y};
        for (Vec2& point : spec.points) point = {0.3f * point.x, 0.3f * point.y};
        const float x = 0.55f * (float(i % kColumns) - 0.5f * (kColumns - 1)) + float(random.uniform(-0.05, 0.05));
        add(spec, {x, 0.8f + 0.65f * float(i / kColumns)}, float(random.uniform(-3, 3)), 1);
    }
    for (int i = 0; i < kSteps; ++i)
        if (!world.step()) std::abort();
    if (!world.find_contacts()) std::abort();
    row.shapes = std::move(world.shapes);
    row.bodies = std::move(world.bodies);
    row.pairs = std::move(world.near.pairs);
    split_chain(row);
}

plane::Shape placed_shape(const PlaneRow& row, std::uint32_t body, Vec2 origin) {
    const d2::Body& b = row.bodies[body];
    const plane::Point position = {plane::Real(b.position.x) - origin.x, plane::Real(b.position.y) - origin.y};
    return plane::placed(plane::pose_of(position, b.rotation), plane::shape_of(row.specs[row.spec_of[body]]));
}

std::pair<double, double> sizes_of(const PlaneRow& row, std::size_t pair) {
    const auto size_of = [&](std::uint32_t body) { return double(row.shapes.view(row.bodies[body].shape).size); };
    return std::minmax({size_of(row.pairs[pair].a), size_of(row.pairs[pair].b)});
}

// The least of a convex function on [0, 1].
template <class F>
double least(const F& f) {
    plane::Real low = 0, high = 1, value = std::min(f(low), f(high));
    for (int i = 0; i < 40; ++i) {
        const plane::Real left = low + (high - low) / 3, right = high - (high - low) / 3;
        const plane::Real at_left = f(left), at_right = f(right);
        value = std::min({value, at_left, at_right});
        (at_left < at_right ? high : low) = at_left < at_right ? right : left;
    }
    return double(value);
}

}  // namespace

const char* to_string(PlaneQuery query) {
    constexpr const char* kNames[] = {"overlap", "distance", "collide", "cast", "ray"};
    return kNames[std::size_t(query)];
}

std::span<const char* const> plane_row_names() { return kRows; }

std::unique_ptr<PlaneRow> make_plane_row(const std::string& name, bool for_motions, std::size_t most_pairs) {
    constexpr std::size_t kPairs = 8192, kBodies = 600;
    const auto number = std::uint32_t(std::find(std::begin(kRows), std::end(kRows), name) - std::begin(kRows));
    auto row = std::make_unique<PlaneRow>();
    row->name = name;
    if (number < 7)
        fill_with_pairs(*row, number, for_motions, std::min(kPairs, most_pairs));
    else if (!for_motions)
        fill_with_pile(*row, std::min(kBodies, most_pairs));
    else
        return nullptr;
    return row;
}

std::vector<double> exact_distances(const PlaneRow& row, PlaneQuery query) {
    constexpr std::size_t kMotions = 1024;
    std::vector<double> out(is_motion(query) ? std::min(row.pairs.size(), kMotions) : row.pairs.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto [a, b] = row.pairs[i];
        const Vec2 origin = row.bodies[a].position;
        const plane::Shape of_a = placed_shape(row, a, origin), of_b = placed_shape(row, b, origin);
        const auto moved = [&](plane::Real time) {
            return plane::Pose{{row.ways[i].x * time, row.ways[i].y * time}, 1, 0};
        };
        const plane::Point start =
            plane::pose_of(
                {plane::Real(row.position_of_b(i).x) - origin.x, plane::Real(row.position_of_b(i).y) - origin.y}, {})
                .position;
        if (query == PlaneQuery::cast)
            out[i] = least(
                [&](auto time) { return plane::signed_distance(of_a, plane::placed(moved(time), of_b)).distance; });
        else if (query == PlaneQuery::ray)
            out[i] = least([&](auto time) { return plane::distance_to(of_a, plane::placed(moved(time), start)); });
        else
            out[i] = double(plane::signed_distance(of_a, of_b).distance);
    }
    return out;
}

double tolerance(const PlaneRow& row, std::size_t pair, double exact) {
    const auto [smaller, larger] = sizes_of(row, pair);
    return 1e-5 * smaller + 1e-6 * std::max(larger, std::abs(exact));
}

double slack(const PlaneRow& row, std::size_t pair) {
    return std::min<double>(Settings().contact_slack, 0.004 * sizes_of(row, pair).first);
}

}  // namespace abut::bench
