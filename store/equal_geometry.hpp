// Geometry that is equal to some of the store's, found by a hash of its content and compared (ShapeStore::share_equal). Hulls and meshes are found
// before they are cooked, too: by a hash of what they are cooked from, which is kept and compared.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>

#include <abut/cooked_hull.hpp>
#include <abut/cooked_mesh.hpp>

#include "host/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

// The bits of all that a hull or mesh is cooked from.
using CookingInput = Vector<std::uint32_t>;

struct EqualGeometry : HostAllocated<EqualGeometry> {
    template <class Value>
    using ByContent = std::unordered_multimap<std::uint32_t, Value, std::hash<std::uint32_t>, std::equal_to<std::uint32_t>,
                                              HostAllocator<std::pair<const std::uint32_t, Value>>>;

    ByContent<std::uint32_t> hulls;  // index in ShapeTables::hulls; kNoHull: of none
    ByContent<std::weak_ptr<const MeshGeometry>> meshes;
    ByContent<std::weak_ptr<const HeightfieldGeometry>> fields;

    template <class Geometry>
    struct Cooked {
        CookingInput input;
        Geometry made;
    };
    ByContent<Cooked<std::uint32_t>> cooked_hulls;  // by the input's hash
    ByContent<Cooked<std::weak_ptr<const MeshGeometry>>> cooked_meshes;
    ByContent<std::uint32_t> inputs_of_hulls, inputs_of_meshes;  // those hashes, by a hull's index and by a mesh's content
};

// From now on, or not any more; with what the tables have.
void share_equal(ShapeTables& tables, bool is_on);

// Inserts an instance of an equal hull, or the hull.
Expected<ShapeId> insert_equal_hull(ShapeTables& tables, const InstanceSource& source, float rounding, HullGeometry&& hull);
// The hull, or null, that was made of this input; and an instance that was made of it now, unless memory for the input ends.
CookingInput input_of(std::span<const Vec3> points, const HullOptions& options);
std::optional<std::uint32_t> cooked_hull(const ShapeTables& tables, const CookingInput& input);
void remember_hull(ShapeTables& tables, ShapeId id, CookingInput&& input);
// Likewise of meshes.
CookingInput input_of(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles, const MeshOptions& options);
std::shared_ptr<const MeshGeometry> cooked_mesh(const ShapeTables& tables, const CookingInput& input);
void remember_mesh(ShapeTables& tables, const std::shared_ptr<const MeshGeometry>& mesh, CookingInput&& input);
// The hull is about to go.
void forget_hull(ShapeTables& tables, std::uint32_t index);

// The equal one that lives, or the one that is given, which others are then shared with.
std::shared_ptr<const MeshGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const MeshGeometry> mesh);
std::shared_ptr<const HeightfieldGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const HeightfieldGeometry> field);
// An instance of a mesh or height field with this content has gone.
void forget_unused(ShapeTables& tables, ShapeKind kind, std::uint32_t content);

}  // namespace abut
