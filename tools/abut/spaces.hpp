// The spaces of `abut query`: what its templates need of 3D and, with --2d, of the plane.
#pragma once

#include <cstddef>
#include <span>

#include <abut/abut.hpp>
#include <abut/d2.hpp>

#include "plane_spec.hpp"
#include "shape_json.hpp"

namespace abut::tools {

struct Space3D {
    using Spec = ShapeSpec;
    using Vector = Vec3;
    using Point = DVec3;
    using Rotation = Quat;
    using ShapeStore = abut::ShapeStore;
    using ShapeId = abut::ShapeId;
    using Body = abut::Body;
    using Rays = abut::Rays;
    using Distances = abut::Distances;
    using Manifolds = abut::Manifolds;
    using Casts = abut::Casts;
    using RayHits = abut::RayHits;
    using PointDistances = abut::PointDistances;
    using NarrowPhase = abut::NarrowPhase;
    static constexpr bool kHasTraces = true;
    static constexpr const char *kHalves = "half-spaces", *kNoDistance = "";

    static Expected<Spec> shape_from_json(const nlohmann::json& json, NumberRule rule) {
        return tools::shape_from_json(json, rule);
    }
    static Body body(Vector position, Rotation orientation, ShapeId shape) { return {position, shape, orientation}; }
    static Bodies bodies(std::span<const Body> records) { return records; }
    static Frame frame(const ShapeStore& shapes, std::span<const Body> records, std::span<const Pair> pairs) {
        return {&shapes, records, pairs};
    }
    static Motions motions(const Bodies& ends) { return {{&ends, 1}}; }
};

struct Plane {
    using Spec = PlaneSpec;
    using Vector = d2::Vec2;
    using Point = d2::DVec2;
    using Rotation = float;
    using ShapeStore = d2::ShapeStore;
    using ShapeId = d2::ShapeId;
    using Rays = d2::Rays;
    using Distances = d2::Distances;
    using Manifolds = d2::Manifolds;
    using Casts = d2::Casts;
    using RayHits = d2::RayHits;
    using PointDistances = d2::PointDistances;
    using NarrowPhase = d2::NarrowPhase;
    static constexpr bool kHasTraces = false;
    static constexpr const char *kHalves = "half-planes", *kNoDistance = ", \"signed_distance\": null";

    struct Body {
        Vector position;
        float orientation;
        ShapeId shape;
    };
    static Expected<Spec> shape_from_json(const nlohmann::json& json, NumberRule rule) {
        return plane_from_json(json, rule);
    }
    static Body body(Vector position, Rotation angle, ShapeId shape) { return {position, angle, shape}; }
    // Columns: only they have angles, by which a cast counts turns.
    static d2::Bodies bodies(std::span<const Body> records) {
        const Strided<Body> all(records);
        d2::BodyColumns columns;
        if (records.empty()) return columns;
        columns.shapes = all.member<ShapeId>(offsetof(Body, shape));
        columns.positions = all.member<Vector>(offsetof(Body, position));
        columns.angles = all.member<float>(offsetof(Body, orientation));
        return columns;
    }
    static d2::Frame frame(const ShapeStore& shapes, std::span<const Body> records, std::span<const Pair> pairs) {
        return {&shapes, bodies(records), pairs};
    }
    static d2::Motions motions(const d2::Bodies& ends) { return {ends}; }
};

}  // namespace abut::tools
