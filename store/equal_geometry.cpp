// See equal_geometry.hpp.
#include "store/equal_geometry.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#include "cooking/content_hash.hpp"
#include "cooking/hull_bytes.hpp"
#include "cooking/mesh_bytes.hpp"
#include "store/instances.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kNoHull = HullGeometry::kNoHull;

std::uint32_t content_of(const HullGeometry& hull) {
    ContentHash hash;
    hash.add(hull.vertex_count), hash.add(hull.face_count), hash.add(hull.report.dropped_points);
    for (const float number : {hull.centre.x, hull.centre.y, hull.centre.z}) hash.add(number);
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        for (const float number : {hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z}) hash.add(number);
    return hash.value();
}

// The bytes hold all that cooking does not compute again.
bool are_equal(const HullGeometry& a, const HullGeometry& b) {
    Vector<std::byte> of_a(hull_byte_count(a)), of_b(hull_byte_count(b));
    write_hull(a, of_a), write_hull(b, of_b);
    return of_a == of_b;
}
bool are_equal(const MeshGeometry& a, const MeshGeometry& b) {
    if (a.vertices.size() != b.vertices.size() || a.triangle_count() != b.triangle_count()) return false;
    Vector<std::byte> of_a(mesh_byte_count(a)), of_b(mesh_byte_count(b));
    write_mesh(a, of_a), write_mesh(b, of_b);
    return of_a == of_b;
}
bool are_equal(const HeightfieldGeometry& a, const HeightfieldGeometry& b) {
    const bool is_same = a.rows == b.rows && a.columns == b.columns && a.spacing_x == b.spacing_x && a.spacing_z == b.spacing_z &&
                         a.sides == b.sides && a.every_cell == b.every_cell && a.cells == b.cells;
    // Bit by bit, as NaN is a hole.
    return is_same && std::memcmp(a.heights.data(), b.heights.data(), a.heights.size() * sizeof(float)) == 0;
}

template <class Map, class Geometry>
std::shared_ptr<const Geometry> find_equal(Map& map, std::shared_ptr<const Geometry>&& made) {
    const auto [first, end] = map.equal_range(made->content);
    for (auto known = first; known != end; ++known)
        if (auto living = known->second.lock(); living != nullptr && (living == made || are_equal(*living, *made))) return living;
    map.emplace(made->content, made);
    return std::move(made);
}

template <class Map>
void forget_unused(Map& map, std::uint32_t content) {
    const auto [first, end] = map.equal_range(content);
    for (auto known = first; known != end;) known = known->second.expired() ? map.erase(known) : std::next(known);
}

bool is_original(const HullGeometry& hull) { return !hull.empty() && hull.cooked_from == kNoHull; }

}  // namespace

void share_equal(ShapeTables& tables, bool is_on) {
    if (!is_on) {
        tables.equal = nullptr;
        return;
    }
    const auto equal = std::allocate_shared<EqualGeometry>(HostAllocator<EqualGeometry>());
    for (std::uint32_t i = 0; i < tables.hulls.size(); ++i)
        if (is_original(tables.hulls[i])) equal->hulls.emplace(content_of(tables.hulls[i]), i);
    for (const auto& mesh : tables.meshes.items)
        if (mesh != nullptr) find_equal(equal->meshes, std::shared_ptr(mesh));
    for (const auto& field : tables.heightfields.items)
        if (field != nullptr) find_equal(equal->fields, std::shared_ptr(field));
    tables.equal = equal;
}

Expected<ShapeId> insert_equal_hull(ShapeTables& tables, const InstanceSource& source, float rounding, HullGeometry&& hull) {
    if (tables.equal == nullptr) return insert_hull(tables, source, rounding, std::move(hull));
    auto& hulls = tables.equal->hulls;
    const std::uint32_t content = content_of(hull);
    const auto [first, end] = hulls.equal_range(content);
    for (auto known = first; known != end; ++known)
        if (known->second != kNoHull && are_equal(tables.hulls[known->second], hull))
            return insert_hull_instance(tables, known->second, source, rounding);
    // Before anything changes; it stays as it is if the next line throws.
    const auto added = hulls.emplace(content, kNoHull);
    auto id = insert_hull(tables, source, rounding, std::move(hull));
    if (!id) {
        hulls.erase(added);
        return id;
    }
    const std::uint32_t used = tables.record(*id).geometry, from = tables.hulls[used].cooked_from;
    added->second = from == kNoHull ? used : from;
    return id;
}

void forget_hull(ShapeTables& tables, std::uint32_t index) {
    if (tables.equal == nullptr || !is_original(tables.hulls[index])) return;
    auto& hulls = tables.equal->hulls;
    const auto [first, end] = hulls.equal_range(content_of(tables.hulls[index]));
    const auto known = std::find_if(first, end, [&](const auto& entry) { return entry.second == index; });
    if (known != end) hulls.erase(known);
}

std::shared_ptr<const MeshGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const MeshGeometry> mesh) {
    return tables.equal == nullptr ? std::move(mesh) : find_equal(tables.equal->meshes, std::move(mesh));
}

std::shared_ptr<const HeightfieldGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const HeightfieldGeometry> field) {
    return tables.equal == nullptr ? std::move(field) : find_equal(tables.equal->fields, std::move(field));
}

void forget_unused(ShapeTables& tables, ShapeKind kind, std::uint32_t content) {
    if (tables.equal == nullptr) return;
    kind == ShapeKind::mesh ? forget_unused(tables.equal->meshes, content) : forget_unused(tables.equal->fields, content);
}

}  // namespace abut
