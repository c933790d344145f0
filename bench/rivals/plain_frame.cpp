// Reads an abut frame back into plain shapes; the rivals see exactly the vertices that abut's kernels see.
#include "rivals/plain_frame.hpp"

#include <cmath>
#include <unordered_map>

#include "shapes/tables.hpp"

namespace abut::bench {
namespace {

PlainShape describe(const ShapeStore& store, ShapeId id) {
    PlainShape shape;
    shape.view = store.view(id);
    if (id.kind() == ShapeKind::mesh) {
        shape.vertices.resize(shape.view.mesh.vertices);
        shape.triangles.resize(shape.view.mesh.triangles);
        store.mesh_vertices(id, shape.vertices);
        store.mesh_triangles(id, shape.triangles);
    }
    if (id.kind() != ShapeKind::hull) return shape;
    shape.vertices.resize(shape.view.hull.vertices);
    store.hull_vertices(id, shape.vertices);
    const ShapeTables& tables = tables_of(store);
    const InstanceRecord& record = tables.kinds[std::size_t(ShapeKind::hull)].records[id.slot()];
    const HullGeometry& hull = tables.hulls[record.geometry];
    shape.face_first.assign(hull.face_first.begin(), hull.face_first.end());
    shape.loop.assign(hull.loop.begin(), hull.loop.end());
    return shape;
}

bool has_counterpart(const ShapeView& view) {
    const bool round = view.kind == ShapeKind::sphere || view.kind == ShapeKind::capsule;
    return round || (view.kind <= ShapeKind::halfspace && view.rounding == 0.0f);
}

bool normalise(Body& body) {
    Quat& q = body.orientation;
    const double length = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    if (!(length > 0.99 && length < 1.01)) return false;
    q = {float(q.x / length), float(q.y / length), float(q.z / length), float(q.w / length)};
    return std::isfinite(body.position.x) && std::isfinite(body.position.y) && std::isfinite(body.position.z);
}

}  // namespace

bool read_frame(const Frame& frame, PlainFrame& out, Meshes meshes) {
    out = {};
    std::unordered_map<std::uint32_t, std::uint32_t> seen;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        Body body = frame.bodies[i];
        if (!frame.shapes->contains(body.shape) || !normalise(body)) return false;
        const auto [at, is_new] = seen.emplace(body.shape.bits(), std::uint32_t(out.shapes.size()));
        if (is_new) {
            out.shapes.push_back(describe(*frame.shapes, body.shape));
            const ShapeView& view = out.shapes.back().view;
            const bool is_mesh = meshes == Meshes::taken && view.kind == ShapeKind::mesh;
            if (!is_mesh && !has_counterpart(view)) return false;
        }
        out.shape_of.push_back(at->second);
        out.bodies.push_back(body);
    }
    for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
        const Pair pair = frame.pairs[i];
        if (pair.a >= out.bodies.size() || pair.b >= out.bodies.size()) return false;
        out.pairs.push_back(pair);
    }
    return true;
}

}  // namespace abut::bench
