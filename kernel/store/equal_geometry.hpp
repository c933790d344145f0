// Finds geometry in the store that is equal to new geometry, by a hash of its content and a comparison
// (ShapeStore::share_equal). Also finds hulls and meshes before they are cooked, by a hash and a comparison of the
// input of cooking, which is kept for that.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>

#include <abut/cooking.hpp>

#include "base/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

// The bits of all data from which a hull or mesh is cooked.
using CookingInput = Vector<std::uint32_t>;

struct EqualGeometry : HostAllocated<EqualGeometry> {
    template <class Value>
    using ByContent =
        std::unordered_multimap<std::uint32_t, Value, std::hash<std::uint32_t>, std::equal_to<std::uint32_t>,
                                HostAllocator<std::pair<const std::uint32_t, Value>>>;

    ByContent<std::uint32_t> hulls;  // index in ShapeTables::hulls; kNoHull: no hull
    ByContent<std::weak_ptr<const MeshGeometry>> meshes;
    ByContent<std::weak_ptr<const HeightfieldGeometry>> fields;

    template <class Geometry>
    struct Cooked {
        CookingInput input;
        Geometry made;
    };
    ByContent<Cooked<std::uint32_t>> cooked_hulls;  // by the input's hash
    ByContent<Cooked<std::weak_ptr<const MeshGeometry>>> cooked_meshes;
    ByContent<std::uint32_t> inputs_of_hulls,
        inputs_of_meshes;  // hashes of the inputs, by a hull's index and by a mesh's content
};

// Starts to share equal geometry, including that in the tables, or stops.
void share_equal(ShapeTables& tables, bool is_on);

// Inserts an instance of an equal hull in the store; if there is none, inserts `hull`.
Expected<ShapeId> insert_equal_hull(ShapeTables& tables, const InstanceSource& source, float rounding,
                                    HullGeometry&& hull);
// cooked_hull: the hull that was made from this input, or null. register_hull: stores the input of a new instance; does
// nothing if memory ends.
CookingInput input_of(std::span<const Vec3> points, const HullOptions& options);
std::optional<std::uint32_t> cooked_hull(const ShapeTables& tables, const CookingInput& input);
void register_hull(ShapeTables& tables, ShapeId id, CookingInput&& input);
// The same three for meshes: the input, the mesh made from it or null, and its registration.
CookingInput input_of(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                      const MeshOptions& options);
std::shared_ptr<const MeshGeometry> cooked_mesh(const ShapeTables& tables, const CookingInput& input);
void remember_mesh(ShapeTables& tables, const std::shared_ptr<const MeshGeometry>& mesh, CookingInput&& input);
// Must be called before a hull is erased.
void forget_hull(ShapeTables& tables, std::uint32_t index);

// Returns living geometry that is equal to the given one. If there is none, returns the given one, which is then shared
// with later equal ones.
std::shared_ptr<const MeshGeometry> equal_one(ShapeTables& tables, std::shared_ptr<const MeshGeometry> mesh);
std::shared_ptr<const HeightfieldGeometry> equal_one(ShapeTables& tables,
                                                     std::shared_ptr<const HeightfieldGeometry> field);
// Must be called after an instance of a mesh or height field with this content is erased.
void forget_unused(ShapeTables& tables, ShapeKind kind, std::uint32_t content);

}  // namespace abut
