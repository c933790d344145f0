// Box2D 2.4. It has no capsules, but b2Distance and b2ShapeCast take two points with a radius. Polygons and edges have
// a skin of a centimetre: b2Distance does not get it, and the checks take it off the separations of contacts.
#include <algorithm>
#include <array>

#include <box2d/b2_distance.h>
#include <box2d/box2d.h>

#include "plane/row.hpp"

namespace abut::bench {
namespace {

using plane::ShapeSpec;
using Collide = void (*)(b2Manifold*, const b2Shape*, const b2Transform&, const b2Shape*, const b2Transform&);

struct Shape {
    std::unique_ptr<b2Shape> shape;  // null: a capsule
    std::vector<b2Vec2> points;
    float radius = 0;  // without the skin

    b2DistanceProxy proxy() const {
        b2DistanceProxy out;
        out.Set(points.data(), int32(points.size()), radius);
        return out;
    }
    float skin() const { return shape->m_type == b2Shape::e_circle ? 0 : shape->m_radius; }
};

Shape polygon(const std::vector<b2Vec2>& points) {
    auto shape = std::make_unique<b2PolygonShape>();
    shape->Set(points.data(), int32(points.size()));
    std::vector<b2Vec2> corners(shape->m_vertices, shape->m_vertices + shape->m_count);
    return {std::move(shape), std::move(corners)};
}

Shape make_shape(const ShapeSpec& spec) {
    std::vector<b2Vec2> points;
    for (const d2::Vec2 p : spec.points) points.emplace_back(p.x, p.y);
    const auto [x, y] = spec.half_extents;
    switch (spec.kind) {
        case d2::ShapeKind::circle: {
            auto shape = std::make_unique<b2CircleShape>();
            shape->m_radius = spec.radius;
            return {std::move(shape), {b2Vec2_zero}, spec.radius};
        }
        case d2::ShapeKind::capsule: {
            if (spec.radius > 0) return {nullptr, points, spec.radius};
            auto shape = std::make_unique<b2EdgeShape>();
            shape->SetTwoSided(points[0], points[1]);
            return {std::move(shape), points};
        }
        case d2::ShapeKind::box: return polygon({{-x, -y}, {x, -y}, {x, y}, {-x, y}});
        default: return polygon(points);
    }
}

template <class A, class B, auto kCollide>
void collide(b2Manifold* out, const b2Shape* a, const b2Transform& at_a, const b2Shape* b, const b2Transform& at_b) {
    kCollide(out, static_cast<const A*>(a), at_a, static_cast<const B*>(b), at_b);
}

struct World {
    struct Object {
        const Shape* shape;
        b2Transform transform;
        b2DistanceProxy proxy;
    };
    // In the order that Box2D's functions want.
    struct Part {
        std::uint32_t pair;
        const Object *a, *b;
        Collide collide;
    };

    const PlaneRow& row;
    std::vector<Shape> shapes;
    std::vector<Object> objects;
    std::vector<Part> parts;
    std::vector<b2DistanceOutput> distances;
    std::vector<b2Manifold> manifolds;
    std::vector<b2ShapeCastOutput> casts;
    std::vector<b2RayCastOutput> rays;
    std::vector<std::uint8_t> hits;  // of casts and rays

    explicit World(const PlaneRow& of)
        : row(of),
          distances(of.parts.size()),
          manifolds(of.parts.size()),
          casts(of.parts.size()),
          rays(of.parts.size()),
          hits(of.parts.size()) {
        for (const ShapeSpec& spec : row.specs)
            shapes.push_back(spec.kind == d2::ShapeKind::chain ? Shape() : make_shape(spec));
        for (const auto& [spec, body] : row.objects) {
            Object object = {&shapes[spec], {}, {}};
            object.transform.p.Set(body.position.x, body.position.y);
            object.transform.q.c = body.rotation.c, object.transform.q.s = body.rotation.s;
            if (!shapes[spec].points.empty()) object.proxy = shapes[spec].proxy();
            objects.push_back(object);
        }
        for (const auto& [pair, a, b] : row.parts) parts.push_back({pair, &objects[a], &objects[b], nullptr});
    }

    // False where a pair has no function.
    bool choose_functions() {
        const auto rank = [](const Object* of) {
            constexpr int kRanks[] = {2, 0, 1};  // circle, edge, polygon
            return kRanks[of->shape->shape->m_type];
        };
        constexpr Collide kFunctions[3][3] = {
            {nullptr, collide<b2EdgeShape, b2PolygonShape, b2CollideEdgeAndPolygon>,
             collide<b2EdgeShape, b2CircleShape, b2CollideEdgeAndCircle>},
            {nullptr, collide<b2PolygonShape, b2PolygonShape, b2CollidePolygons>,
             collide<b2PolygonShape, b2CircleShape, b2CollidePolygonAndCircle>},
            {nullptr, nullptr, collide<b2CircleShape, b2CircleShape, b2CollideCircles>}};
        for (Part& part : parts) {
            if (!part.a->shape->shape || !part.b->shape->shape) return false;
            if (rank(part.a) > rank(part.b)) std::swap(part.a, part.b);
            part.collide = kFunctions[rank(part.a)][rank(part.b)];
            if (!part.collide) return false;
        }
        return true;
    }

    void find_distances() {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto& [pair, a, b, function] = parts[i];
            const b2DistanceInput input = {a->proxy, b->proxy, a->transform, b->transform, true};
            b2SimplexCache cache;
            cache.count = 0;
            b2Distance(&distances[i], &cache, &input);
        }
    }
    void find_contacts() {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto& [pair, a, b, function] = parts[i];
            function(&manifolds[i], a->shape->shape.get(), a->transform, b->shape->shape.get(), b->transform);
        }
    }
    void cast() {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto& [pair, a, b, function] = parts[i];
            const b2ShapeCastInput input = {
                a->proxy, b->proxy, a->transform, b->transform, {row.ways[pair].x, row.ways[pair].y}};
            hits[i] = b2ShapeCast(&casts[i], &input);
        }
    }
    void cast_rays() {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto& [pair, a, b, function] = parts[i];
            const b2Vec2 from = b->transform.p, way = {row.ways[pair].x, row.ways[pair].y};
            hits[i] = a->shape->shape->RayCast(&rays[i], {from, from + way, 1}, a->transform, 0);
        }
    }
    void run(PlaneQuery query) {
        switch (query) {
            case PlaneQuery::cast: return cast();
            case PlaneQuery::ray: return cast_rays();
            case PlaneQuery::collide: return find_contacts();
            default: return find_distances();
        }
    }

    float separation(std::size_t i) const {
        const auto& [pair, a, b, function] = parts[i];
        const float skins = a->shape->skin() + b->shape->skin();
        b2WorldManifold world;
        world.Initialize(&manifolds[i], a->transform, a->shape->shape->m_radius, b->transform,
                         b->shape->shape->m_radius);
        float least = HUGE_VALF;
        for (int k = 0; k < manifolds[i].pointCount; ++k) least = std::min(least, world.separations[k] + skins);
        return least;
    }
    PlaneAnswers answers(PlaneQuery query) const {
        PlaneAnswers out;
        out.hit.resize(row.pairs.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool hit = is_motion(query)               ? hits[i] != 0
                             : query == PlaneQuery::collide ? separation(i) <= 0
                                                            : distances[i].distance <= 0;
            out.hit[parts[i].pair] |= hit;
        }
        return out;
    }
};

constexpr const char* kCalls[] = {"b2Distance", "b2Distance", "b2Collide...", "b2ShapeCast", "RayCast"};

}  // namespace

std::optional<PlaneContestant> box2d_rival(const PlaneRow& row, PlaneQuery query) {
    auto world = std::make_shared<World>(row);
    const auto has_shape = [](const World::Part& part) { return part.a->shape->shape != nullptr; };
    if (query == PlaneQuery::collide && !world->choose_functions()) return std::nullopt;
    if (query == PlaneQuery::ray && !std::all_of(world->parts.begin(), world->parts.end(), has_shape))
        return std::nullopt;
    return PlaneContestant{"box2d", kCalls[std::size_t(query)], [world, query] { world->run(query); },
                           [world, query] { return world->answers(query); }};
}

}  // namespace abut::bench
