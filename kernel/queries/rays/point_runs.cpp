// See point_runs.hpp.
#include "queries/rays/point_runs.hpp"

#include <limits>

#include "convex/contract/valid_pose.hpp"
#include "queries/rays/body_blocks.hpp"
#include "queries/rays/body_point.hpp"
#include "queries/rays/ray_kernels.hpp"
#include "queries/rays/seen_bodies.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surfaces.hpp"
#include "surfaces/solids/solid.hpp"

namespace abut {
namespace {

using maths::Vec3d;

void write(const PointColumns& out, std::size_t pair, double distance, const Vec3d& normal, const Vec3d& nearest,
           std::uint32_t child) {
    out.signed_distance[pair] = static_cast<float>(distance);
    if (!out.normal.empty()) out.normal[pair] = to_float(normal);
    if (!out.nearest.empty()) out.nearest[pair] = to_float(nearest);
    if (!out.child.empty()) out.child[pair] = child;
}

}  // namespace

void PointRuns::answer(PointColumns& out, const Frame& frame, const Points& points, const PointOptions& options) const {
    const std::size_t pairs = frame.pairs.size();
    Status* const status = context.begin_statuses(pairs, out.status);
    const RayKernels& kernels = *kernels_for<RayKernels>(context.isa);
    const BodyBlocks blocks(frame, points.size());
    const auto missing = [&](std::uint32_t pair) {
        status[pair] = Status::bad_index;
        write(out, pair, 0, {}, {}, 0);
    };
    const auto measure = [&](std::uint32_t pair, ShapePoints& shapes) {
        const auto [point, at] = frame.pairs[pair];
        Body body = frame.bodies[at];
        const ShapeId shape = body.shape;
        const Vec3d from_body = seen_from_body(frame.bodies, at, points.positions, points.double_positions, point);
        if (!is_near(from_body) || !is_valid_pose(body)) {
            status[pair] = Status::bad_pose;
            return write(out, pair, 0, {}, {}, 0);
        }
        const Vec3d from_shape = from_body - apply_shape_pose(blocks.tables(), body);
        const maths::Mat3 axes = maths::rotation(maths::to_double(body.orientation));
        const PointDistance found = shapes.distance(shape, transposed_times(axes, from_shape));
        status[pair] = found.status;
        if (!(found.distance < INFINITY)) return write(out, pair, INFINITY, {}, {}, 0);
        const Vec3d normal = axes * found.normal;
        write(out, pair, found.distance, normal, from_body - normal * found.distance, found.child);
    };
    const auto measure_all = [&](ShapeKind, std::span<const std::uint32_t> some) {
        ShapePoints shapes(blocks.tables(), kernels, options.max_distance, options.solid_meshes);
        for (const std::uint32_t pair : some) measure(pair, shapes);
    };
    blocks.run(
        context.executor, [](ShapeKind) { return true; }, missing, measure_all);
    context.counters = {pairs, 0, pairs};
}

bool has_inside(const ShapeStore& shapes, ShapeId shape) {
    const ShapeTables& tables = tables_of(shapes);
    return shape.kind() == ShapeKind::mesh && tables.lives(shape) && is_closed(surface_of(tables, shape));
}

}  // namespace abut
