// Geometry is written as cooked, an instance as the data from which it was made. A reader computes records as the store
// does for a new shape, so that records and data always agree. Numbers are little-endian; a list begins with its
// length, a uint32.
//
// | what | |
// |---|---|
// | "abutstor", version, 0 | uint32 each |
// | checksum of all other bytes | uint64 |
// | hulls, each with its number of bytes; meshes likewise | hull_bytes.cpp, mesh_bytes.cpp |
// | height fields: rows, columns, sides, spacing along x and z, heights | 3 x uint32, floats |
// | ... version 3: flags of their cells: none, one for all, or one for each | uint32, uint8 each |
// | ... version 4: their thickness | float |
// | for each kind its slots: id, next generation, whether a compound owns the instance, user data | 3 x uint32, uint64
// |
// | ... of a living instance: rounding, scale, pose (version 2 and later), index of its hull, mesh or height field, the
// lengths that its kind has | 4 or 11 floats, uint32, floats |
// | ... of a compound: the ids of the instances that it owns, its parts | uint32 each, put_part below |
// | ... and the free slots of the kind, the next one last | uint32 each |
#include "store/store_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/byte_stream.hpp"
#include "cooking/hull/hull_bytes.hpp"
#include "cooking/mesh/heightfield_cooking.hpp"
#include "cooking/mesh/mesh_bytes.hpp"
#include "cooking/shape_checks.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "store/compounds.hpp"
#include "store/instance_records.hpp"
#include "store/instances.hpp"
#include "store/surface_instances.hpp"

namespace abut {
namespace {

using cooking::ByteInput, cooking::ByteOutput;

constexpr char kMagic[9] = "abutstor";
// The lowest version that can hold the shapes is written: version 1 has no poses and no flags of cells, version 2 has
// poses, version 3 has both, version 4 has the thickness of height fields, too.
constexpr std::uint32_t kVersion = 4;
constexpr std::size_t kChecksumAt = 16, kHeader = 24;
constexpr std::uint32_t kNoBits = ShapeId().bits();

// --- writing ---

// The geometry to write, each item once and in the order of its first index in the table.
template <class Geometry>
struct Numbered {
    Vector<const Geometry*> items;
    Vector<std::uint32_t> number;  // by the index in the table
};

Numbered<HullGeometry> numbered_hulls(const ShapeTables& tables) {
    Numbered<HullGeometry> hulls;
    hulls.number.resize(tables.hulls.size());
    for (std::size_t i = 0; i < tables.hulls.size(); ++i) {
        const HullGeometry& hull = tables.hulls[i];
        if (hull.empty() || hull.cooked_from != HullGeometry::kNoHull) continue;
        hulls.number[i] = std::uint32_t(hulls.items.size());
        hulls.items.push_back(&hull);
    }
    // A hull cooked for a scale gets the number of its original, because the reader cooks it again.
    for (std::size_t i = 0; i < tables.hulls.size(); ++i)
        if (const std::uint32_t from = tables.hulls[i].cooked_from; from != HullGeometry::kNoHull)
            hulls.number[i] = hulls.number[from];
    return hulls;
}

template <class Geometry>
Numbered<Geometry> numbered(const SharedTable<Geometry>& table) {
    Vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < table.size(); ++i)
        if (table[i] != nullptr) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t i, std::uint32_t k) { return table[i] != table[k] ? table[i] < table[k] : i < k; });
    Vector<std::uint32_t> first(table.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool is_new = k == 0 || table[order[k]] != table[order[k - 1]];
        first[order[k]] = is_new ? order[k] : first[order[k - 1]];
    }
    Numbered<Geometry> made;
    made.number.resize(table.size());
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        if (table[i] == nullptr) continue;
        made.number[i] = first[i] == i ? std::uint32_t(made.items.size()) : made.number[first[i]];
        if (first[i] == i) made.items.push_back(table[i].get());
    }
    return made;
}

void put_field(ByteOutput& out, const HeightfieldGeometry& field, std::uint32_t version) {
    out.put(field.rows), out.put(field.columns), out.put(std::uint32_t(field.sides));
    out.put(field.spacing_x), out.put(field.spacing_z);
    for (const float height : field.heights) out.put(height);
    if (version < 3) return;
    const std::size_t one = field.every_cell != 0;
    out.put_items(field.cells.empty() ? std::span(&field.every_cell, one) : std::span<const std::uint8_t>(field.cells));
    if (version >= 4) out.put(field.thickness);
}

// The lengths that a kind has, in the order of the bytes.
template <class Source, class Each>
void for_each_length(ShapeKind kind, Source& source, Each&& each) {
    const bool is_upright = kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone;
    const bool has_extents = kind == ShapeKind::box || kind == ShapeKind::ellipsoid || kind == ShapeKind::halfspace;
    if (kind == ShapeKind::sphere || is_upright) each(source.radius);
    if (is_upright) each(source.half_height);
    if (has_extents) each(source.extents.x), each(source.extents.y), each(source.extents.z);
    if (kind == ShapeKind::halfspace) each(source.offset);
}

void put_part(ByteOutput& out, const SourcePart& part) {
    out.put(part.original.bits());
    out.put(part.scale), out.put(part.rounding);
    const maths::Vec3d at = part.position;
    out.put(at.x), out.put(at.y), out.put(at.z);
    const maths::Quatd q = part.orientation;
    out.put(q.x), out.put(q.y), out.put(q.z), out.put(q.w);
    out.put(std::uint32_t(part.is_rotated));
    out.put(part.user_data);
}

void put_compound(ByteOutput& out, const ShapeTables& tables, ShapeId id) {
    const CompoundGeometry& compound = tables.compound(id);
    out.put(std::uint32_t(compound.instances.size()));
    for (const ShapeId instance : compound.instances) out.put(instance.bits());
    out.put(std::uint32_t(compound.parts.size()));
    for (const SourcePart& part : source_parts(tables, id)) put_part(out, part);
}

struct Geometries {
    Numbered<HullGeometry> hulls;
    Numbered<MeshGeometry> meshes;
    Numbered<HeightfieldGeometry> fields;

    explicit Geometries(const ShapeTables& tables)
        : hulls(numbered_hulls(tables)), meshes(numbered(tables.meshes)), fields(numbered(tables.heightfields)) {}
    std::uint32_t number_of(ShapeKind kind, std::uint32_t index) const {
        if (kind == ShapeKind::hull) return hulls.number[index];
        if (kind == ShapeKind::mesh) return meshes.number[index];
        return kind == ShapeKind::heightfield ? fields.number[index] : 0;
    }
};

std::uint32_t version_of(const ShapeTables& tables) {
    for (const auto& field : tables.heightfields)
        if (field != nullptr && field->thickness > 0) return 4;
    for (const auto& field : tables.heightfields)
        if (field != nullptr && (field->every_cell != 0 || !field->cells.empty())) return 3;
    for (const InstanceTable& table : tables.kinds)
        for (const ShapeId id : table.ids)
            if (instance_pose(tables, id) != nullptr) return 2;
    return 1;
}

void put_kind(ByteOutput& out, const ShapeTables& tables, ShapeKind kind, const Geometries& geometries,
              std::uint32_t version) {
    const InstanceTable& table = tables.kinds[std::uint32_t(kind)];
    out.put(std::uint32_t(table.ids.size()));
    for (std::size_t slot = 0; slot < table.ids.size(); ++slot) {
        const bool lives = table.ids[slot] != ShapeId();
        out.put(table.ids[slot].bits());
        out.put(std::uint32_t(table.next_generation[slot]));
        out.put(std::uint32_t(lives && table.is_owned[slot] != 0));
        out.put(lives ? table.user_data[slot] : std::uint64_t(0));
        if (!lives) continue;
        const InstanceSource& source = table.sources[slot];
        out.put(table.records[slot].rounding), out.put(source.scale);
        const auto [x, y, z, w] = source.pose.orientation;
        if (version != 1) out.put(source.pose.position), out.put(x), out.put(y), out.put(z), out.put(w);
        out.put(geometries.number_of(kind, table.records[slot].geometry));
        for_each_length(kind, source, [&](float length) { out.put(length); });
        if (kind == ShapeKind::compound) put_compound(out, tables, table.ids[slot]);
    }
    out.put(std::uint32_t(table.free_slots.size()));
    for (const std::uint32_t slot : table.free_slots) out.put(slot);
}

std::size_t put_store(ByteOutput&& out, const ShapeTables& tables) {
    const std::uint32_t version = version_of(tables);
    out.put_magic(kMagic);
    out.put(version), out.put(std::uint32_t(0)), out.put(std::uint64_t(0));
    const Geometries geometries(tables);
    out.put(std::uint32_t(geometries.hulls.items.size()));
    for (const HullGeometry* hull : geometries.hulls.items)
        out.put_block(hull_byte_count(*hull), [&](std::span<std::byte> to) { write_hull(*hull, to); });
    out.put(std::uint32_t(geometries.meshes.items.size()));
    for (const MeshGeometry* mesh : geometries.meshes.items)
        out.put_block(mesh_byte_count(*mesh), [&](std::span<std::byte> to) { write_mesh(*mesh, to); });
    out.put(std::uint32_t(geometries.fields.items.size()));
    for (const HeightfieldGeometry* field : geometries.fields.items) put_field(out, *field, version);
    for (std::uint32_t kind = 0; kind < kKindCount; ++kind) put_kind(out, tables, ShapeKind(kind), geometries, version);
    return out.count();
}

// --- reading ---

Error bad_store(const Message& message) { return bad_shape(message_of("stored shapes: ", message)); }

std::optional<Error> read_hulls(ByteInput& in, ShapeTables& tables) {
    const std::uint32_t count = in.take_length(8);
    for (std::uint32_t i = 0; i < count; ++i) {
        auto hull = read_hull(in.take_bytes(in.take<std::uint64_t>()));
        if (!hull) return hull.error();
        tables.hulls.push_back(std::move(*hull));
        tables.hull_users.push_back(0);
    }
    tables.hulls.free.reserve(tables.hulls.capacity());
    return std::nullopt;
}

using Meshes = Vector<std::shared_ptr<const MeshGeometry>>;
using Fields = Vector<std::shared_ptr<const HeightfieldGeometry>>;

std::optional<Error> read_meshes(ByteInput& in, Meshes& meshes) {
    const std::uint32_t count = in.take_length(8);
    for (std::uint32_t i = 0; i < count; ++i) {
        auto mesh = read_mesh(in.take_bytes(in.take<std::uint64_t>()));
        if (!mesh) return mesh.error();
        meshes.push_back(make_shared<MeshGeometry>(std::move(*mesh)));
    }
    return std::nullopt;
}

std::optional<Error> read_fields(ByteInput& in, Fields& fields, std::uint32_t version) {
    const std::uint32_t count = in.take_length(8);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t rows = in.take_word(), columns = in.take_word(), sides = in.take_word();
        HeightfieldOptions options;
        options.spacing_x = in.take_float(), options.spacing_z = in.take_float();
        options.sides = sides <= std::uint32_t(MeshSides::both) ? MeshSides(sides) : MeshSides(0xff);
        const std::uint64_t samples = std::uint64_t(rows) * columns;
        const auto bytes = samples <= kMostSamples ? in.take_bytes(4 * samples) : std::span<const std::byte>();
        Vector<float> heights(bytes.size() / 4);
        for (std::size_t k = 0; k < heights.size(); ++k) heights[k] = ByteInput(bytes.subspan(4 * k)).take_float();
        Vector<std::uint8_t> cells;
        if (version >= 3) in.take_items(cells);
        options.cells = cells;
        if (version >= 4) options.thickness = in.take_float();
        auto field = cook_field(heights, rows, columns, options);
        if (!field) return field.error();
        fields.push_back(make_shared<HeightfieldGeometry>(std::move(*field)));
    }
    return std::nullopt;
}

// Checks a source as the functions that add a shape do.
std::optional<Error> check_source(ShapeKind kind, const InstanceSource& source, float rounding) {
    if (auto error = check_length("rounding", rounding)) return error;
    if (auto error = check_pose(source.pose)) return error;
    if (auto error = check_scale(kind, source.scale)) return error;
    if (auto error = check_length("radius", source.radius)) return error;
    if (auto error = check_length("half_height", source.half_height)) return error;
    if (auto error = check_finite("offset", source.offset)) return error;
    if (kind == ShapeKind::ellipsoid) return check_each("radii", source.extents, check_positive);
    if (kind != ShapeKind::halfspace) return check_each("half_extents", source.extents, check_length);
    if (source.extents == Vec3{}) return bad_shape("normal must not be zero");
    return check_each("normal", source.extents, check_finite);
}

class KindReader {
public:
    KindReader(ByteInput& in, ShapeTables& tables, const Meshes& meshes, const Fields& fields, bool has_poses)
        : in_(in), tables_(tables), meshes_(meshes), fields_(fields), has_poses_(has_poses) {}

    std::optional<Error> read(ShapeKind kind) {
        InstanceTable& table = tables_.kinds[std::uint32_t(kind)];
        const std::uint32_t count = in_.take_length(20);
        if (count > ShapeId::kMaxSlots) return bad_store(message_of("a ", to_string(kind), " has slot ", count - 1));
        table.records.resize(count), table.sources.resize(count), table.identities.resize(count),
            table.ids.resize(count);
        table.next_generation.resize(count), table.user_data.resize(count), table.is_owned.resize(count);
        for (std::uint32_t slot = 0; slot < count; ++slot)
            if (auto error = read_slot(kind, table, slot)) return error;
        return read_free(kind, table);
    }
    // True if each instance that is marked as owned belongs to a compound.
    bool are_owners_known() const { return owned_ == claimed_; }

private:
    std::optional<Error> read_slot(ShapeKind kind, InstanceTable& table, std::uint32_t slot) {
        const ShapeId id = ShapeId::from_bits(in_.take_word());
        const std::uint32_t next = in_.take_word(), is_owned = in_.take_word();
        const auto user_data = in_.take<std::uint64_t>();
        const bool lives = id.bits() != kNoBits;
        const bool is_good = next <= kDeadGeneration && is_owned <= (lives ? 1u : 0u) &&
                             (!lives || (id.kind() == kind && id.slot() == slot && id.generation() < next));
        if (in_.has_failed() || !is_good)
            return bad_store(message_of("slot ", slot, " of kind ", to_string(kind), " is not one of a store"));
        if (lives) {
            // The slot is the next free one, with the id's generation.
            table.next_generation[slot] = std::uint8_t(id.generation());
            table.free_slots.assign(1, slot);
            if (auto error = read_instance(kind))
                return bad_store(message_of(to_string(kind), " ", id.bits(), ": ", error->message));
            table.user_data[slot] = user_data;
            table.is_owned[slot] = std::uint8_t(is_owned);
            is_owned != 0 ? ++owned_ : ++tables_.living;
        }
        table.next_generation[slot] = std::uint8_t(std::max(next, ShapeId::kFirstGeneration));
        return std::nullopt;
    }

    std::optional<Error> read_instance(ShapeKind kind) {
        const float rounding = in_.take_float();
        InstanceSource source;
        source.scale = in_.take_vec3();
        if (has_poses_) {
            source.pose.position = in_.take_vec3();
            Quat& q = source.pose.orientation;
            q.x = in_.take_float(), q.y = in_.take_float(), q.z = in_.take_float(), q.w = in_.take_float();
        }
        const std::uint32_t index = in_.take_word();
        for_each_length(kind, source, [&](float& length) { length = in_.take_float(); });
        if (in_.has_failed()) return bad_shape("the bytes have ended");
        if (auto error = check_source(kind, source, rounding)) return error;
        const auto id = insert(kind, source, rounding, index);
        return id ? std::nullopt : std::optional<Error>(id.error());
    }
    Expected<ShapeId> insert(ShapeKind kind, const InstanceSource& source, float rounding, std::uint32_t index) {
        const auto past_end = [&] { return bad_shape(message_of("it has geometry ", index, ", which is not there")); };
        switch (kind) {
            case ShapeKind::hull:
                return index < tables_.hulls.size() ? insert_hull_instance(tables_, index, source, rounding)
                                                    : past_end();
            case ShapeKind::mesh:
                return index < meshes_.size() ? insert_mesh(tables_, meshes_[index], source, rounding) : past_end();
            case ShapeKind::heightfield:
                return index < fields_.size() ? insert_field(tables_, fields_[index], source, rounding) : past_end();
            case ShapeKind::compound: return insert_compound({rounding, source.scale, source.pose});
            case ShapeKind::custom:
            case ShapeKind::none: return bad_shape("its functions are a program's own");
            default: return insert_instance(tables_, kind, source, rounding);
        }
    }

    Expected<ShapeId> insert_compound(const InstanceOptions& options) {
        Vector<ShapeId> instances(in_.take_length(4));
        for (ShapeId& instance : instances) {
            instance = ShapeId::from_bits(in_.take_word());
            if (!tables_.lives(instance) || !is_convex(instance.kind()) || !tables_.is_owned(instance))
                return not_its_own(instance);
        }
        claimed_ += instances.size();
        Vector<ShapeId> sorted = instances;
        const auto by_bits = [](ShapeId a, ShapeId b) { return a.bits() < b.bits(); };
        std::sort(sorted.begin(), sorted.end(), by_bits);
        Vector<SourcePart> parts(in_.take_length(84));
        if (parts.empty()) return bad_shape("it has no children");
        for (SourcePart& part : parts) {
            if (auto error = read_part(part)) return *error;
            if (!std::binary_search(sorted.begin(), sorted.end(), part.original, by_bits))
                return not_its_own(part.original);
        }
        // Each instance may be claimed once: no id is in two lists or twice in one.
        for (const ShapeId instance : instances) {
            std::uint8_t& is_owned = tables_.kinds[std::uint32_t(instance.kind())].is_owned[instance.slot()];
            if (is_owned != 1) return not_its_own(instance);
            is_owned = 2;
        }
        auto id = restore_compound(tables_, parts, instances, options);
        return id;
    }
    static Error not_its_own(ShapeId id) {
        return bad_shape(message_of("child ", id.bits(), " is no instance of its own"));
    }

    std::optional<Error> read_part(SourcePart& part) {
        part.original = ShapeId::from_bits(in_.take_word());
        part.scale = in_.take_vec3(), part.rounding = in_.take_float();
        const double x = in_.take_double(), y = in_.take_double(), z = in_.take_double();
        part.position = {x, y, z};
        maths::Quatd& q = part.orientation;
        q.x = in_.take_double(), q.y = in_.take_double(), q.z = in_.take_double(), q.w = in_.take_double();
        const std::uint32_t is_rotated = in_.take_word();
        part.is_rotated = is_rotated != 0;
        part.user_data = in_.take<std::uint64_t>();
        const bool is_good = std::isfinite(x) && std::isfinite(y) && std::isfinite(z) &&
                             std::fabs(maths::length(q) - 1) < 1e-9 && is_rotated <= 1;
        if (in_.has_failed() || !is_good) return bad_shape("a child's pose is none");
        if (auto error = check_length("rounding", part.rounding)) return error;
        return check_scale(part.original.kind(), part.scale);
    }

    // Reads the free slots: each slot without an instance once, except retired ones.
    std::optional<Error> read_free(ShapeKind kind, InstanceTable& table) {
        const auto is_free = [&](std::uint32_t slot) {
            return table.ids[slot] == ShapeId() && table.next_generation[slot] != kDeadGeneration;
        };
        const std::uint32_t count = in_.take_length(4);
        std::size_t wanted = 0;
        for (std::uint32_t slot = 0; slot < table.ids.size(); ++slot) wanted += is_free(slot);
        Vector<std::uint8_t> is_named(table.ids.size());
        table.free_slots.clear();
        table.free_slots.reserve(table.records.capacity());
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t slot = in_.take_word();
            if (slot >= table.ids.size() || !is_free(slot) || is_named[slot] != 0)
                return bad_store(message_of("slot ", slot, " is not free"));
            is_named[slot] = 1;
            table.free_slots.push_back(slot);
        }
        if (in_.has_failed() || count != wanted)
            return bad_store(message_of(to_string(kind), ": not all free slots are listed"));
        return std::nullopt;
    }

    ByteInput& in_;
    ShapeTables& tables_;
    const Meshes& meshes_;
    const Fields& fields_;
    bool has_poses_;
    std::size_t owned_ = 0, claimed_ = 0;
};

}  // namespace

std::size_t store_byte_count(const ShapeTables& tables) {
    for (const ShapeId id : tables.kinds[std::uint32_t(ShapeKind::custom)].ids)
        if (id != ShapeId()) return 0;
    return put_store(ByteOutput(nullptr), tables);
}

void write_store(const ShapeTables& tables, std::span<std::byte> out) {
    put_store(ByteOutput(out.data()), tables);
    ByteOutput(out.data() + kChecksumAt).put(cooking::byte_checksum(out, kChecksumAt));
}

std::optional<Error> read_store(std::span<const std::byte> bytes, ShapeTables& tables) {
    if (bytes.size() < kHeader || std::memcmp(bytes.data(), kMagic, 8) != 0)
        return bad_store(message_of("these ", bytes.size(),
                                    " bytes are none: they begin with \"abutstor\" and a header of 24 bytes"));
    const auto version = ByteInput(bytes.subspan(8)).take<std::uint32_t>();
    if (version == 0 || version > kVersion)
        return bad_store(message_of("version is ", version, ", but this library reads up to ", kVersion));
    if (ByteInput(bytes.subspan(kChecksumAt)).take<std::uint64_t>() != cooking::byte_checksum(bytes, kChecksumAt))
        return bad_store("the checksum is not that of the other bytes: these were changed");
    ByteInput in(bytes.subspan(kHeader));
    Meshes meshes;
    Fields fields;
    if (auto error = read_hulls(in, tables)) return error;
    if (auto error = read_meshes(in, meshes)) return error;
    if (auto error = read_fields(in, fields, version)) return error;
    KindReader kinds(in, tables, meshes, fields, version != 1);
    for (std::uint32_t kind = 0; kind < kKindCount; ++kind)
        if (auto error = kinds.read(ShapeKind(kind))) return error;
    if (in.has_failed() || !in.is_at_end()) return bad_store("the bytes are more or fewer than the shapes take");
    if (!kinds.are_owners_known()) return bad_store("an instance is a compound's own, but of none");
    for (const std::uint32_t users : tables.hull_users)
        if (users == 0) return bad_store("a hull is of no instance");
    for (InstanceTable& table : tables.kinds)
        for (std::uint8_t& is_owned : table.is_owned) is_owned = is_owned != 0;
    return std::nullopt;
}

}  // namespace abut
