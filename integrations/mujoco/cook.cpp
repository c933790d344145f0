#include "cook.hpp"

#include <string>
#include <unordered_map>

namespace abut::mujoco {
namespace {

bool is_convex(int type) {
    return type == mjGEOM_PLANE || type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID ||
           type == mjGEOM_CYLINDER || type == mjGEOM_BOX || type == mjGEOM_MESH;
}

// Precondition: is_convex.
Expected<ShapeId> add_shape(const mjModel& model, int geom, ShapeStore& store) {
    const mjtNum* const size = model.geom_size + 3 * geom;
    const float x = float(size[0]), y = float(size[1]), z = float(size[2]);
    switch (model.geom_type[geom]) {
        case mjGEOM_PLANE: return store.add_halfspace({0, 0, 1}, 0);
        case mjGEOM_SPHERE: return store.add_sphere(x);
        case mjGEOM_CAPSULE: return store.add_capsule(x, y);
        case mjGEOM_ELLIPSOID: return store.add_ellipsoid({x, y, z});
        case mjGEOM_CYLINDER: return store.add_cylinder(x, y);
        case mjGEOM_BOX: return store.add_box({x, y, z});
        default: return store.add_hull(hull_points(model, model.geom_dataid[geom]));
    }
}

}  // namespace

// mesh_graph begins with the numbers of vertices and faces; after an address for each vertex of the hull come these
// vertices' numbers in the mesh.
std::vector<Vec3> hull_points(const mjModel& model, int mesh) {
    const float* const vertices = model.mesh_vert + 3 * std::size_t(model.mesh_vertadr[mesh]);
    const int* const graph = model.mesh_graphadr[mesh] >= 0 ? model.mesh_graph + model.mesh_graphadr[mesh] : nullptr;
    const int count = graph ? graph[0] : model.mesh_vertnum[mesh];
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const float* const v = vertices + 3 * (graph ? graph[2 + count + i] : i);
        points.push_back({v[0], v[1], v[2]});
    }
    return points;
}

CallResult cook(const mjModel& model, Cooked& cooked) {
    const std::size_t geoms = std::size_t(model.ngeom);
    cooked.shapes.resize(geoms), cooked.known.assign(geoms, 0), cooked.along_z.assign(geoms, 0);
    std::unordered_map<int, ShapeId> meshes;
    CallResult result;
    for (int geom = 0; geom < model.ngeom; ++geom) {
        const int type = model.geom_type[geom], mesh = type == mjGEOM_MESH ? model.geom_dataid[geom] : -1;
        const std::size_t i = std::size_t(geom);
        if (!is_convex(type) || (type == mjGEOM_MESH && mesh < 0)) continue;
        cooked.along_z[i] = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
        if (const auto found = meshes.find(mesh); mesh >= 0 && found != meshes.end()) {
            cooked.shapes[i] = found->second, cooked.known[i] = 1;
            continue;
        }
        const Expected<ShapeId> shape = add_shape(model, geom, cooked.store);
        if (shape) {
            cooked.shapes[i] = *shape, cooked.known[i] = 1;
            if (mesh >= 0) meshes.emplace(mesh, *shape);
        } else if (result) {
            result =
                Error{shape.error().code, "geom " + std::to_string(geom) + ": " + std::string(shape.error().message)};
        }
    }
    return result;
}

}  // namespace abut::mujoco
