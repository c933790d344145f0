// Chipmunk 7. One function for contacts and overlaps; it has no distances of shapes and no casts of shapes. Shapes hold
// their corners in world space (cpShapeCacheBB), computed beforehand.
#include <cmath>

#include <chipmunk/chipmunk.h>

#include "plane/row.hpp"

namespace abut::bench {
namespace {

using plane::ShapeSpec;

cpVect vector_of(d2::Vec2 v) { return {v.x, v.y}; }

struct World {
    struct Free {
        void operator()(cpBody* body) const { cpBodyFree(body); }
        void operator()(cpShape* shape) const { cpShapeFree(shape); }
    };

    const PlaneRow& row;
    std::vector<std::unique_ptr<cpBody, Free>> bodies;
    std::vector<std::unique_ptr<cpShape, Free>> shapes;  // null for a chain
    std::vector<cpContactPointSet> contacts;
    std::vector<cpSegmentQueryInfo> rays;

    explicit World(const PlaneRow& of) : row(of), contacts(of.parts.size()), rays(of.parts.size()) {
        for (const auto& [spec, body] : row.objects) {
            bodies.emplace_back(cpBodyNewKinematic());
            cpBodySetPosition(bodies.back().get(), vector_of(body.position));
            cpBodySetAngle(bodies.back().get(), std::atan2(double(body.rotation.s), double(body.rotation.c)));
            shapes.emplace_back(make_shape(row.specs[spec], bodies.back().get()));
            if (shapes.back()) cpShapeCacheBB(shapes.back().get());
        }
    }

    static cpShape* make_shape(const ShapeSpec& spec, cpBody* body) {
        std::vector<cpVect> points;
        for (const d2::Vec2 p : spec.points) points.push_back(vector_of(p));
        const auto [x, y] = spec.half_extents;
        switch (spec.kind) {
            case d2::ShapeKind::circle: return cpCircleShapeNew(body, spec.radius, cpvzero);
            case d2::ShapeKind::capsule: return cpSegmentShapeNew(body, points[0], points[1], spec.radius);
            case d2::ShapeKind::box: return cpBoxShapeNew(body, 2.0 * x, 2.0 * y, 0);
            case d2::ShapeKind::chain: return nullptr;
            default: return cpPolyShapeNew(body, int(points.size()), points.data(), cpTransformIdentity, 0);
        }
    }

    void run(PlaneQuery query) {
        for (std::size_t i = 0; i < row.parts.size(); ++i) {
            const auto& [pair, a, b] = row.parts[i];
            if (query != PlaneQuery::ray) {
                contacts[i] = cpShapesCollide(shapes[a].get(), shapes[b].get());
                continue;
            }
            const cpVect from = cpBodyGetPosition(bodies[b].get()), to = cpvadd(from, vector_of(row.ways[pair]));
            cpShapeSegmentQuery(shapes[a].get(), from, to, 0, &rays[i]);
        }
    }

    PlaneAnswers answers(PlaneQuery query) const {
        PlaneAnswers out;
        out.hit.resize(row.pairs.size());
        for (std::size_t i = 0; i < row.parts.size(); ++i)
            out.hit[row.parts[i].pair] |= query == PlaneQuery::ray ? rays[i].shape != nullptr : contacts[i].count > 0;
        return out;
    }
};

}  // namespace

std::optional<PlaneContestant> chipmunk_rival(const PlaneRow& row, PlaneQuery query) {
    if (query == PlaneQuery::distance || query == PlaneQuery::cast) return std::nullopt;
    auto world = std::make_shared<World>(row);
    return PlaneContestant{"chipmunk", query == PlaneQuery::ray ? "cpShapeSegmentQuery" : "cpShapesCollide",
                           [world, query] { world->run(query); }, [world, query] { return world->answers(query); }};
}

}  // namespace abut::bench
