// See shapes.hpp. A pointer alone names no shape: a new shape may be at the address of a deleted one.
#include "shapes.hpp"

namespace abut::react {
namespace {

void add(std::vector<float>& to, const engine::Vector3& v) {
    to.insert(to.end(), {float(v.x), float(v.y), float(v.z)});
}

// All numbers that `cook` reads.
void read(const engine::CollisionShape& shape, std::vector<float>& contents) {
    contents.assign(1, float(int(shape.getName())));
    switch (shape.getName()) {
        case engine::CollisionShapeName::SPHERE:
            contents.push_back(float(static_cast<const engine::SphereShape&>(shape).getRadius()));
            break;
        case engine::CollisionShapeName::CAPSULE: {
            const auto& capsule = static_cast<const engine::CapsuleShape&>(shape);
            contents.insert(contents.end(), {float(capsule.getRadius()), float(capsule.getHeight()) / 2});
            break;
        }
        case engine::CollisionShapeName::BOX:
            add(contents, static_cast<const engine::BoxShape&>(shape).getHalfExtents());
            break;
        case engine::CollisionShapeName::CONVEX_MESH: {
            const auto& hull = static_cast<const engine::ConvexMeshShape&>(shape);
            for (engine::uint32 i = 0; i < hull.getNbVertices(); ++i) add(contents, hull.getVertexPosition(i));
            break;
        }
        default: break;
    }
}

Expected<ShapeId> cook(ShapeStore& store, engine::CollisionShapeName name, const std::vector<float>& contents) {
    const float* const of = contents.data() + 1;
    switch (name) {
        case engine::CollisionShapeName::SPHERE: return store.add_sphere(of[0]);
        case engine::CollisionShapeName::CAPSULE: return store.add_capsule(of[0], of[1]);
        case engine::CollisionShapeName::BOX: return store.add_box({of[0], of[1], of[2]});
        default: {
            std::vector<Vec3> points;
            for (std::size_t i = 1; i < contents.size(); i += 3)
                points.push_back({contents[i], contents[i + 1], contents[i + 2]});
            return store.add_hull(points);
        }
    }
}

}  // namespace

Vec3 to_abut(const engine::Vector3& v) { return {float(v.x), float(v.y), float(v.z)}; }

ShapeId Shapes::find(const engine::CollisionShape& shape) {
    Copy& copy = copies_[&shape];
    if (copy.call == call_) return copy.id;
    copy.call = call_;
    read(shape, contents_);
    if (contents_ == copy.contents) return copy.id;
    remove(copy.id);
    copy.contents = contents_;
    const Expected<ShapeId> id = cook(store_, shape.getName(), contents_);
    return copy.id = id ? *id : ShapeId();
}

ShapeId Shapes::add_surface(std::span<const Vec3> corners, ShapeId kept) {
    remove(kept);
    std::vector<MeshTriangle> triangles;
    for (std::uint32_t i = 0; i < corners.size(); i += 3) triangles.push_back({{i, i + 1, i + 2}});
    const Expected<ShapeId> id = store_.add_mesh(corners, triangles, {}, {.sides = MeshSides::both});
    return id ? *id : ShapeId();
}

void Shapes::next_call(std::uint64_t call, std::uint64_t calls) {
    call_ = call;
    if (call % calls != 0) return;
    std::erase_if(copies_, [&](const auto& entry) {
        if (entry.second.call + calls > call) return false;
        remove(entry.second.id);
        return true;
    });
}

}  // namespace abut::react
