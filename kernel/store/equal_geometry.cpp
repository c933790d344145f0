// See equal_geometry.hpp.
#include "store/equal_geometry.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "base/content_hash.hpp"
#include "cooking/hull/hull_bytes.hpp"
#include "cooking/mesh/mesh_bytes.hpp"
#include "store/instances.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kNoHull = HullGeometry::kNoHull;

std::uint32_t content_of(const HullGeometry& hull) {
    ContentHash hash;
    hash.add(hull.vertex_count), hash.add(hull.face_count), hash.add(hull.report.dropped_points);
    hash.add(hull.centre);
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        hash.add(Vec3{hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z});
    return hash.value();
}

// Compares the bytes of both hulls, which hold everything from which the other tables follow.
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
    const bool is_same = a.rows == b.rows && a.columns == b.columns && a.spacing_x == b.spacing_x &&
                         a.spacing_z == b.spacing_z && a.sides == b.sides && a.thickness == b.thickness &&
                         a.every_cell == b.every_cell && a.cells == b.cells;
    // Compared bit by bit, because NaN marks a hole.
    return is_same && std::memcmp(a.heights.data(), b.heights.data(), a.heights.size() * sizeof(float)) == 0;
}

template <class Map, class Geometry>
std::shared_ptr<const Geometry> find_equal(Map& map, std::shared_ptr<const Geometry>&& made) {
    const auto [first, end] = map.equal_range(made->content);
    for (auto known = first; known != end; ++known)
        if (auto living = known->second.lock(); living != nullptr && (living == made || are_equal(*living, *made)))
            return living;
    map.emplace(made->content, made);
    return std::move(made);
}

template <class Map>
void forget_unused(Map& map, std::uint32_t content) {
    const auto [first, end] = map.equal_range(content);
    for (auto known = first; known != end;) known = known->second.expired() ? map.erase(known) : std::next(known);
}

void append(CookingInput& input, float number) { input.push_back(std::bit_cast<std::uint32_t>(number)); }
void append(CookingInput& input, std::span<const Vec3> points) {
    input.push_back(std::uint32_t(points.size()));
    for (const Vec3 p : points) append(input, p.x), append(input, p.y), append(input, p.z);
}

std::uint32_t hash_of(const CookingInput& input) {
    ContentHash hash;
    for (const std::uint32_t word : input) hash.add(word);
    return hash.value();
}

template <class Map>
auto* find_cooked(const Map& cooked, const CookingInput& input) {
    const auto [first, end] = cooked.equal_range(hash_of(input));
    const auto found = std::find_if(first, end, [&](const auto& entry) { return entry.second.input == input; });
    return found == end ? nullptr : &found->second.made;
}

// Does nothing if there is no memory: equal input is then cooked again.
template <class Map, class Geometry>
void remember(Map& cooked, EqualGeometry::ByContent<std::uint32_t>& inputs, std::uint32_t key, CookingInput&& input,
              Geometry&& made) try {
    const std::uint32_t hash = hash_of(input);
    inputs.emplace(key, hash);
    cooked.emplace(hash, typename Map::mapped_type{std::move(input), std::forward<Geometry>(made)});
} catch (const std::bad_alloc&) {
}

template <class Map, class IsGone>
void forget_inputs(Map& cooked, EqualGeometry::ByContent<std::uint32_t>& inputs, std::uint32_t key,
                   const IsGone& is_gone) {
    const auto [first, end] = inputs.equal_range(key);
    for (auto input = first; input != end; ++input) {
        const auto [from, to] = cooked.equal_range(input->second);
        for (auto known = from; known != to;)
            known = is_gone(known->second.made) ? cooked.erase(known) : std::next(known);
    }
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
    for (const auto& mesh : tables.meshes)
        if (mesh != nullptr) find_equal(equal->meshes, std::shared_ptr(mesh));
    for (const auto& field : tables.heightfields)
        if (field != nullptr) find_equal(equal->fields, std::shared_ptr(field));
    tables.equal = equal;
}

Expected<ShapeId> insert_equal_hull(ShapeTables& tables, const InstanceSource& source, float rounding,
                                    HullGeometry&& hull) {
    if (tables.equal == nullptr) return insert_hull(tables, source, rounding, std::move(hull));
    auto& hulls = tables.equal->hulls;
    const std::uint32_t content = content_of(hull);
    const auto [first, end] = hulls.equal_range(content);
    for (auto known = first; known != end; ++known)
        if (known->second != kNoHull && are_equal(tables.hulls[known->second], hull))
            return insert_hull_instance(tables, known->second, source, rounding);
    // Allocated before anything else changes. If the next line throws, the entry stays and names no hull.
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

CookingInput input_of(std::span<const Vec3> points, const HullOptions& options) {
    CookingInput input = {options.max_vertices, options.recognise_box};
    append(input, options.tolerance), append(input, points);
    return input;
}

std::optional<std::uint32_t> cooked_hull(const ShapeTables& tables, const CookingInput& input) {
    const std::uint32_t* const found = find_cooked(tables.equal->cooked_hulls, input);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

void register_hull(ShapeTables& tables, ShapeId id, CookingInput&& input) {
    const std::uint32_t used = tables.record(id).geometry, from = tables.hulls[used].cooked_from,
                        index = from == kNoHull ? used : from;
    remember(tables.equal->cooked_hulls, tables.equal->inputs_of_hulls, index, std::move(input), index);
}

CookingInput input_of(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                      const MeshOptions& options) {
    CookingInput input = {std::uint32_t(options.sides), std::uint32_t(options.solid),
                          std::uint32_t(options.user_values.size())};
    append(input, options.weld_tolerance), append(input, vertices);
    for (const MeshTriangle& t : triangles) input.insert(input.end(), std::begin(t.corners), std::end(t.corners));
    input.insert(input.end(), options.user_values.begin(), options.user_values.end());
    return input;
}

std::shared_ptr<const MeshGeometry> cooked_mesh(const ShapeTables& tables, const CookingInput& input) {
    const auto* const found = find_cooked(tables.equal->cooked_meshes, input);
    return found == nullptr ? nullptr : found->lock();
}

void remember_mesh(ShapeTables& tables, const std::shared_ptr<const MeshGeometry>& mesh, CookingInput&& input) {
    const std::uint32_t content = mesh->content;
    remember(tables.equal->cooked_meshes, tables.equal->inputs_of_meshes, content, std::move(input),
             std::weak_ptr(mesh));
}

void forget_hull(ShapeTables& tables, std::uint32_t index) {
    if (tables.equal == nullptr || !is_original(tables.hulls[index])) return;
    forget_inputs(tables.equal->cooked_hulls, tables.equal->inputs_of_hulls, index,
                  [&](std::uint32_t made) { return made == index; });
    tables.equal->inputs_of_hulls.erase(index);
    auto& hulls = tables.equal->hulls;
    const auto [first, end] = hulls.equal_range(content_of(tables.hulls[index]));
    const auto known = std::find_if(first, end, [&](const auto& entry) { return entry.second == index; });
    if (known != end) hulls.erase(known);
}

std::shared_ptr<const MeshGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const MeshGeometry> mesh) {
    return tables.equal == nullptr ? std::move(mesh) : find_equal(tables.equal->meshes, std::move(mesh));
}

std::shared_ptr<const HeightfieldGeometry> equal_one(ShapeTables& tables,
                                                     std::shared_ptr<const HeightfieldGeometry> field) {
    return tables.equal == nullptr ? std::move(field) : find_equal(tables.equal->fields, std::move(field));
}

void forget_unused(ShapeTables& tables, ShapeKind kind, std::uint32_t content) {
    if (tables.equal == nullptr) return;
    if (kind != ShapeKind::mesh) return forget_unused(tables.equal->fields, content);
    EqualGeometry& equal = *tables.equal;
    forget_inputs(equal.cooked_meshes, equal.inputs_of_meshes, content,
                  [](const auto& made) { return made.expired(); });
    forget_unused(equal.meshes, content);
    if (!equal.meshes.contains(content)) equal.inputs_of_meshes.erase(content);
}

}  // namespace abut
