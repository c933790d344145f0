// See ray_meets.hpp.
#include "queries/rays/ray_meets.hpp"

#include <algorithm>
#include <limits>

#include "queries/rays/mesh_ray.hpp"
#include "queries/rays/seen_bodies.hpp"
#include "shapes/instance_pose.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// Pairs per chunk where SIMD code cannot read the columns.
constexpr std::size_t kPosedRays = 64;

template <class T>
InMemory in_memory(const Strided<T>& column) {
    return {column.empty() ? nullptr : column.address(0), column.stride()};
}

// True if SIMD code can read the column: it multiplies strides in 32 bits.
template <class T>
bool is_plain(const Strided<T>& column) {
    return column.empty() || column.stride() <= std::numeric_limits<std::uint32_t>::max();
}
bool are_plain(const Bodies& bodies, const Rays& rays, const ShapeTables& tables) {
    const Strided<Body>& records = bodies.records();
    return !records.empty() && is_plain(records) && !tables.has_poses && rays.double_origins.empty() &&
           is_plain(rays.origins) && is_plain(rays.directions) && is_plain(rays.lengths);
}

LocalRay to_local(const LaneRay& ray) {
    const auto vector = [](const double(&v)[3]) { return Vec3d{v[0], v[1], v[2]}; };
    return {vector(ray.origin), vector(ray.direction), ray.length};
}

LaneHit to_lane(const LocalHit& hit) {
    return {hit.distance, {hit.normal.x, hit.normal.y, hit.normal.z}, hit.child, hit.face, hit.starts_inside,
            hit.status};
}

}  // namespace

RayMeets::RayMeets(const ShapeStore& shapes, const Bodies& all_bodies, const Rays& all_rays, const MeetOptions& wanted)
    : bodies(all_bodies),
      rays(all_rays),
      tables(tables_of(shapes)),
      options(wanted),
      reads_columns_(are_plain(bodies, rays, tables)) {}

RayChunk RayMeets::chunk(const RayAnswers& to, ShapeKind kind) const {
    const auto meet = [](const void* call, std::uint32_t shape, const LaneRay& ray, LaneHit& met) {
        const RayMeets& of = *static_cast<const RayMeets*>(call);
        MeetOptions wanted = of.options;
        wanted.sides = ray.sides;
        met = to_lane(meet_shape(of.tables, ShapeId::from_bits(shape), to_local(ray), wanted));
    };
    const auto describe = [](const void* call, std::uint32_t shape, MeshFrame& of_shape) {
        const RayMeets& of = *static_cast<const RayMeets*>(call);
        describe_mesh(of.tables, ShapeId::from_bits(shape), of.options.solid_meshes, of_shape);
    };
    RayChunk chunk = {};
    chunk.kind = kind;
    chunk.pairs = in_memory(to.pairs), chunk.bodies = in_memory(bodies.records());
    chunk.origins = in_memory(rays.origins), chunk.directions = in_memory(rays.directions),
    chunk.lengths = in_memory(rays.lengths);
    chunk.last_ray = static_cast<std::uint32_t>(rays.size() - 1);
    chunk.sides = options.sides, chunk.sides_of_rays = rays.sides.empty() ? nullptr : rays.sides.data();
    chunk.records = tables.kinds[std::uint32_t(kind)].records.data(), chunk.hulls = tables.hulls.data();
    chunk.best = to.best, chunk.any = options.any, chunk.meet_one = meet, chunk.call = this;
    chunk.walk_calls = {describe, starts_inside, cross_triangle};
    chunk.hit = to.hit, chunk.status = to.status, chunk.fraction = to.fraction;
    chunk.point = to.point, chunk.normal = to.normal, chunk.child = to.child, chunk.inside = to.inside,
    chunk.face = to.face;
    return chunk;
}

void RayMeets::pose(const Pair& pair, PosedRay& to) const {
    const auto [ray, at] = pair;
    const Vec3 direction = rays.directions[ray];
    to.direction[0] = direction.x, to.direction[1] = direction.y, to.direction[2] = direction.z;
    to.direction[3] = rays.lengths.empty() ? 0 : rays.lengths[ray];
    to.body = bodies[at];
    const Vec3d from_body = seen_from_body(bodies, at, rays.origins, rays.double_origins, ray);
    const Vec3d from_shape = from_body - apply_shape_pose(tables, to.body);
    to.from_body[0] = from_body.x, to.from_body[1] = from_body.y, to.from_body[2] = from_body.z;
    to.from_shape[0] = from_shape.x, to.from_shape[1] = from_shape.y, to.from_shape[2] = from_shape.z;
}

void RayMeets::meet_kind(const RayAnswers& to, ShapeKind kind, std::span<const std::uint32_t> listed) const {
    RayChunk some = chunk(to, kind);
    if (reads_columns_) {
        some.listed = listed.data(), some.count = static_cast<std::uint32_t>(listed.size());
        return options.kernels->meet_bodies(some);
    }
    PosedRay posed[kPosedRays];
    some.posed = posed;
    for (; !listed.empty(); listed = listed.subspan(some.count)) {
        some.listed = listed.data(), some.count = static_cast<std::uint32_t>(std::min(listed.size(), kPosedRays));
        for (std::uint32_t i = 0; i < some.count; ++i) pose(to.pairs[listed[i]], posed[i]);
        options.kernels->meet_bodies(some);
    }
}

}  // namespace abut
