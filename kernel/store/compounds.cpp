// See compounds.hpp. Poses are composed and stored in double: a child's world pose is rounded once per query, not
// twice.
#include "store/compounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <abut/math.hpp>

#include "base/content_hash.hpp"
#include "base/memory.hpp"
#include "base/rounding.hpp"
#include "cooking/shape_checks.hpp"
#include "shapes/inner_ball.hpp"
#include "shapes/instance_pose.hpp"
#include "shapes/kinds.hpp"
#include "shapes/seam.hpp"
#include "shapes/shape_bounds.hpp"
#include "store/build_tree.hpp"
#include "store/instance_records.hpp"
#include "store/instances.hpp"

namespace abut {
namespace {

using maths::Quatd;
using maths::Vec3d;

const Quat kIdentity;

// A core's centre that is farther than this many sizes from its child's origin is transformed exactly
// (shapes/child_poses.hpp).
constexpr double kFarChild = 2;

// A scale with different factors may shear a child by this part of the largest one: rounding of quaternions.
constexpr double kMostShear = 1e-6;

std::optional<Error> check_child(const ShapeTables& tables, const Message& name, const CompoundChild& child) {
    if (!tables.lives(child.shape))
        return bad_shape(message_of(name, ".shape names no living shape (id ", child.shape.bits(), ")"));
    if (child.shape.kind() == ShapeKind::halfspace)
        return bad_shape(
            message_of(name, ".shape is a halfspace, which has no bounds; it can be a body's shape, but no child"));
    if (is_surface(child.shape.kind()))
        return bad_shape(message_of(name, ".shape is a ", to_string(child.shape.kind()),
                                    ", which can be a body's shape, but no child"));
    if (auto error = check_each(message_of(name, ".position").c_str(), child.position, check_finite)) return error;
    return check_orientation(message_of(name, ".orientation").c_str(), child.orientation);
}

void append_child(const ShapeTables& tables, const CompoundChild& child, Vector<SourcePart>& parts) {
    const ShapeId id = child.shape;
    const auto source_of = [&](ShapeId instance) {
        return tables.kinds[std::uint32_t(instance.kind())].sources[instance.slot()];
    };
    Vec3d at = maths::to_double(child.position);
    Quatd orientation = maths::normalised(maths::to_double(child.orientation));
    bool is_rotated = !(child.orientation == kIdentity);
    if (const RelativePose* const pose = instance_pose(tables, id)) {
        at = at + maths::rotation(orientation) * maths::to_double(pose->position);
        orientation = maths::normalised(orientation * maths::to_double(pose->orientation));
        is_rotated |= !(pose->orientation == kIdentity);
    }
    if (id.kind() != ShapeKind::compound) {
        parts.push_back(
            {id, source_of(id).scale, tables.record(id).rounding, at, orientation, is_rotated, child.user_data});
        return;
    }
    const maths::Mat3 axes = maths::rotation(orientation);
    for (const CompoundPart& part : tables.compound(id).parts) {
        parts.push_back({part.instance, source_of(part.instance).scale, tables.record(part.instance).rounding,
                         at + axes * part.position, maths::normalised(orientation * part.orientation),
                         is_rotated || part.is_rotated, part.user_data});
    }
}

// The factors of a compound's scale along the axes of a part, unsigned. With the part's scale c, mirrored axes M and
// orientation R, a point p of the part becomes M |s| R c p = (M R M) |s'| M c p, where s' = |s| if s is even, and the
// diagonal of R' |s| R, R' transposed, if that has no other elements.
Expected<Vec3> part_factors(const SourcePart& part, Vec3 scale) {
    const Vec3 s = magnitude(scale);
    if (!part.is_rotated || (s.x == s.y && s.y == s.z)) return s;
    const maths::Mat3 r = maths::rotation(part.orientation), back = maths::transposed(r);
    const Vec3d sizes = maths::to_double(s);
    const maths::Mat3 along = {maths::times(sizes, back.row_x), maths::times(sizes, back.row_y),
                               maths::times(sizes, back.row_z)};
    const Vec3d rows[3] = {back.row_x, back.row_y, back.row_z}, columns[3] = {along.row_x, along.row_y, along.row_z};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < i; ++k)
            if (!(std::fabs(maths::dot(rows[i], columns[k])) <= kMostShear * maths::max_abs(sizes)))
                return bad_shape(
                    message_of("scale of a compound must be the same along all axes for children that are "
                               "not rotated by right angles, but is (",
                               scale.x, ", ", scale.y, ", ", scale.z, ")"));
    return Vec3{float(maths::dot(rows[0], columns[0])), float(maths::dot(rows[1], columns[1])),
                float(maths::dot(rows[2], columns[2]))};
}

// M R M of a rotation R and a mirror M; its own inverse.
Quatd mirrored(const Quatd& q, Vec3 scale) {
    const Vec3 m = signs_of(scale);
    return {q.x * (m.y * m.z), q.y * (m.x * m.z), q.z * (m.x * m.y), q.w};
}

struct OwnSource {
    InstanceSource source;
    float rounding;
};

// The source of the compound's own instance of a part.
Expected<OwnSource> source_for(const ShapeTables& tables, const SourcePart& part, const InstanceOptions& options) {
    InstanceSource source = tables.kinds[std::uint32_t(part.original.kind())].sources[part.original.slot()];
    const auto factors = part_factors(part, options.scale);
    if (!factors) return factors.error();
    const Vec3 by = *factors;
    source.scale = maths::times(part.scale, maths::times(signs_of(options.scale), by));
    source.pose = {};  // the part's own pose includes it
    if (auto error = check_scale(part.original.kind(), source.scale)) return *error;
    if (part.rounding != 0 && !(by.x == by.y && by.y == by.z))
        return bad_shape(
            message_of("scale of a compound must be the same along all axes for children with a rounding, "
                       "but is (",
                       options.scale.x, ", ", options.scale.y, ", ", options.scale.z, ")"));
    const auto rounding = static_cast<float>(double(part.rounding) * by.x + options.rounding);
    if (auto error = check_length("rounding", rounding)) return *error;
    return OwnSource{source, rounding};
}

// The instance of an earlier equal part; if there is none, a new one that the compound owns.
Expected<ShapeId> instance_for(ShapeTables& tables, std::span<const SourcePart> parts, std::size_t i,
                               const InstanceOptions& options, const Vector<std::uint32_t>& firsts,
                               CompoundGeometry& out) {
    const SourcePart& part = parts[i];
    if (firsts[i] != i) return out.parts[firsts[i]].instance;
    const auto made = source_for(tables, part, options);
    if (!made) return made.error();
    auto id = insert_like(tables, part.original, made->source, made->rounding);
    if (!id) return id;
    tables.kinds[std::uint32_t(id->kind())].is_owned[id->slot()] = 1;
    out.instances.push_back(*id);
    return id;
}

// By part, the index of the first part equal to it that the compound scales by the same factors.
Vector<std::uint32_t> firsts_of(std::span<const SourcePart> parts, Vec3 scale) {
    Vector<std::uint32_t> order(parts.size()), firsts(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) order[i] = std::uint32_t(i);
    const auto key = [&](std::uint32_t i) {
        const SourcePart& p = parts[i];
        const auto factors = part_factors(p, scale);
        const Vec3 by = factors ? *factors : Vec3{};
        return std::tuple(p.original.bits(), p.scale.x, p.scale.y, p.scale.z, p.rounding, by.x, by.y, by.z, i);
    };
    const auto is_same = [&](std::uint32_t i, std::uint32_t k) {
        auto a = key(i), b = key(k);
        std::get<8>(a) = std::get<8>(b) = 0;
        return a == b;
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) { return key(i) < key(k); });
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool is_new = k == 0 || !is_same(order[k - 1], order[k]);
        firsts[order[k]] = is_new ? order[k] : firsts[order[k - 1]];
    }
    return firsts;
}

CompoundPart made_part(const ShapeTables& tables, ShapeId instance, const SourcePart& source, Vec3 scale) {
    CompoundPart part;
    part.instance = instance;
    part.position = maths::times(source.position, maths::to_double(scale));
    part.orientation = mirrored(source.orientation, scale);
    part.is_rotated = source.is_rotated;
    part.user_data = source.user_data;
    if (instance.kind() == ShapeKind::hull) {
        const InstanceRecord& record = tables.record(instance);
        const Vec3d c = maths::to_double(tables.hulls[record.geometry].centre);
        const Vec3d core_centre = maths::times(c, {record.extent_x, record.extent_y, record.extent_z});
        part.is_far = maths::norm(core_centre) > kFarChild * record.size;
        if (part.is_far) part.core_centre = core_centre;
        // The instance's scale is the product of both scales, rounded to float. The rounding moves a core that is far
        // from its origin; the part's position compensates for that.
        const auto factors = part_factors(source, scale);
        const Vec3d exact_centre = factors ? maths::times(maths::times(c, maths::to_double(magnitude(source.scale))),
                                                          maths::to_double(*factors))
                                           : core_centre;
        part.position = part.position + maths::rotation(part.orientation) * (exact_centre - core_centre);
    }
    const InnerBall ball = inner_ball(tables, instance);
    part.inner_radius = static_cast<float>(ball.radius);
    part.centre = part.position + maths::rotation(part.orientation) * ball.centre;
    part.source_position = source.position;
    part.source_scale = source.scale;
    part.source_rounding = source.rounding;
    return part;
}

// Computes bounds, tree and record of a compound from its parts.
Expected<InstanceRecord> finish_compound(const ShapeTables& tables, CompoundGeometry& compound, float rounding) {
    Vector<BoxD> bounds;
    BoxD all = kNoBounds;
    compound.least_size = std::numeric_limits<float>::infinity();
    for (const CompoundPart& part : compound.parts) {
        compound.least_size = std::min(compound.least_size, tables.record(part.instance).size);
        bounds.push_back(tight_bounds(tables, part.instance, {maths::rotation(part.orientation), part.position}));
        all = joined(all, bounds.back());
    }
    compound.bounds_min = {round_down(all.low.x), round_down(all.low.y), round_down(all.low.z)};
    compound.bounds_max = {round_up(all.high.x), round_up(all.high.y), round_up(all.high.z)};
    const Vec3d lengths = all.high - all.low;
    InstanceRecord record;
    record.rounding = rounding + 0.0f;
    record.size = static_cast<float>(0.5 * maths::max_abs(lengths));
    record.bound_radius = round_up(length_above(maths::max(-all.low.x, all.high.x), maths::max(-all.low.y, all.high.y),
                                                maths::max(-all.low.z, all.high.z)));
    if (!(record.bound_radius <= kMostMetres))
        return bad_shape(message_of("the compound's bounds are past the range of ", kMostMetres, " m"));
    build_tree(bounds, compound.nodes);
    find_joined(tables, bounds, compound);
    return record;
}

// A hash of the parts' identities and poses, and the origin radius.
ShapeIdentity identity_of(const ShapeTables& tables, const CompoundGeometry& compound) {
    ContentHash hash;
    double origin_radius = 0;
    for (const CompoundPart& part : compound.parts) {
        const ShapeIdentity& own = tables.identity(part.instance);
        hash.add(own.content);
        for (const double number : {part.position.x, part.position.y, part.position.z}) hash.add(number);
        for (const double number : {part.orientation.x, part.orientation.y, part.orientation.z, part.orientation.w})
            hash.add(number);
        origin_radius = maths::max(origin_radius, maths::norm(part.position) + own.origin_radius);
    }
    return {hash.value(), round_up(origin_radius)};
}

Error of_child(std::size_t i, const Error& error) {
    return {error.code, message_of(numbered("children", i), ": ", error.message)};
}

// Inserts a compound whose parts are set.
Expected<ShapeId> insert_made(ShapeTables& tables, const InstanceOptions& options, CompoundGeometry& compound) {
    const auto finished = finish_compound(tables, compound, options.rounding);
    if (!finished) return finished.error();
    const std::uint32_t index = tables.compounds.take();
    Rollback undo([&] { tables.compounds.release(index); });
    InstanceRecord record = *finished;
    record.geometry = index;
    InstanceSource source;
    source.scale = options.scale, source.pose = options.pose;
    auto id = insert_record(tables, ShapeKind::compound, record, source, identity_of(tables, compound));
    if (!id) return id;
    tables.compounds[index] = std::move(compound);
    undo.keep();
    return id;
}

Expected<ShapeId> insert_whole(ShapeTables& tables, std::span<const SourcePart> parts, const InstanceOptions& options,
                               CompoundGeometry& compound) {
    const Vector<std::uint32_t> firsts = firsts_of(parts, options.scale);
    compound.parts.reserve(parts.size());
    compound.instances.reserve(
        parts.size());  // so that each inserted instance can be listed, and is erased if a later one fails
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto id = instance_for(tables, parts, i, options, firsts, compound);
        if (!id) return of_child(i, id.error());
        compound.parts.push_back(made_part(tables, *id, parts[i], options.scale));
    }
    return insert_made(tables, options, compound);
}

// An instance before its replacement, for restore(). It counts as a user of its hull, so that the hull is not erased
// meanwhile.
struct FormerInstance {
    ShapeId id;
    InstanceRecord record;
    InstanceSource source;
    ShapeIdentity identity;
    std::optional<HullUse> use;

    FormerInstance(ShapeTables& tables, ShapeId of) : id(of) {
        const InstanceTable& table = tables.kinds[std::uint32_t(id.kind())];
        record = table.records[id.slot()], source = table.sources[id.slot()], identity = table.identities[id.slot()];
        if (id.kind() != ShapeKind::hull) return;
        ++tables.hull_users[record.geometry];
        use.emplace(DropHull{&tables, record.geometry});
    }
    void restore(ShapeTables& tables) {
        InstanceTable& table = tables.kinds[std::uint32_t(id.kind())];
        if (use) {
            const std::uint32_t present = table.records[id.slot()].geometry;
            use->keep();
            drop_hull(tables, present);
        }
        table.records[id.slot()] = record, table.sources[id.slot()] = source, table.identities[id.slot()] = identity;
    }
};

// An error if an earlier part has given the instance a scale other than this part needs.
std::optional<Error> check_shared(const ShapeTables& tables, const SourcePart& part, const InstanceOptions& options) {
    const auto made = source_for(tables, part, options);
    if (!made) return made.error();
    const Vec3 present = tables.kinds[std::uint32_t(part.original.kind())].sources[part.original.slot()].scale;
    if (made->source.scale == present) return std::nullopt;
    return bad_shape(
        message_of("an equal child with another orientation shares its instance, and this scale differs "
                   "between the two: add another instance of the compound"));
}

// Replaces the parts' instances and computes the compound from them. An instance that several parts share is replaced
// once per part, always by an equal one.
std::optional<Error> replace_parts(ShapeTables& tables, std::span<const SourcePart> parts,
                                   const InstanceOptions& options, CompoundGeometry& compound, InstanceRecord& record) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto made = source_for(tables, parts[i], options);
        if (!made) return of_child(i, made.error());
        if (auto error = replace_instance(tables, parts[i].original, made->source, made->rounding))
            return of_child(i, *error);
        compound.parts.push_back(made_part(tables, parts[i].original, parts[i], options.scale));
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (auto error = check_shared(tables, parts[i], options)) return of_child(i, *error);
    const auto finished = finish_compound(tables, compound, options.rounding);
    if (!finished) return finished.error();
    record = *finished;
    return std::nullopt;
}

}  // namespace

std::optional<Error> check_children(const ShapeTables& tables, std::span<const CompoundChild> children) {
    if (children.empty()) return bad_shape("children is empty: a compound needs one at least");
    for (std::size_t i = 0; i < children.size(); ++i)
        if (auto error = check_child(tables, numbered("children", i), children[i])) return error;
    return std::nullopt;
}

Vector<SourcePart> flattened(const ShapeTables& tables, std::span<const CompoundChild> children) {
    Vector<SourcePart> parts;
    for (const CompoundChild& child : children) append_child(tables, child, parts);
    return parts;
}

Vector<SourcePart> source_parts(const ShapeTables& tables, ShapeId compound) {
    Vector<SourcePart> parts;
    const Vec3 scale = tables.kinds[std::uint32_t(ShapeKind::compound)].sources[compound.slot()].scale;
    for (const CompoundPart& p : tables.compound(compound).parts)
        parts.push_back({p.instance, p.source_scale, p.source_rounding, p.source_position,
                         mirrored(p.orientation, scale), p.is_rotated, p.user_data});
    return parts;
}

Expected<ShapeId> insert_compound(ShapeTables& tables, std::span<const SourcePart> parts,
                                  const InstanceOptions& options) {
    CompoundGeometry compound;
    Rollback erase_parts([&] {
        for (const ShapeId instance : compound.instances) erase_instance(tables, instance);
    });
    auto id = insert_whole(tables, parts, options, compound);
    if (id) erase_parts.keep();
    return id;
}

Expected<ShapeId> restore_compound(ShapeTables& tables, std::span<const SourcePart> parts,
                                   std::span<const ShapeId> instances, const InstanceOptions& options) {
    CompoundGeometry compound;
    for (const SourcePart& part : parts)
        compound.parts.push_back(made_part(tables, part.original, part, options.scale));
    compound.instances.assign(instances.begin(), instances.end());
    return insert_made(tables, options, compound);
}

std::optional<Error> replace_compound(ShapeTables& tables, ShapeId id, const InstanceOptions& options) {
    InstanceTable& table = tables.kinds[std::uint32_t(ShapeKind::compound)];
    CompoundGeometry& present = tables.compounds[tables.record(id).geometry];
    Vector<FormerInstance> former;
    for (const ShapeId instance : present.instances) former.emplace_back(tables, instance);
    Rollback restore([&] {
        for (FormerInstance& instance : former) instance.restore(tables);
    });
    CompoundGeometry compound;
    InstanceRecord record;
    if (auto error = replace_parts(tables, source_parts(tables, id), options, compound, record)) return error;
    restore.keep();
    record.geometry = tables.record(id).geometry;
    compound.instances = std::move(present.instances);
    present = std::move(compound);
    table.records[id.slot()] = record;
    table.identities[id.slot()] = identity_of(tables, present);
    table.sources[id.slot()].scale = options.scale, table.sources[id.slot()].pose = options.pose;
    return std::nullopt;
}

void erase_compound(ShapeTables& tables, ShapeId id) {
    const std::uint32_t index = tables.record(id).geometry;
    for (const ShapeId instance : tables.compounds[index].instances) erase_instance(tables, instance);
    tables.compounds.release(index);
    erase_instance(tables, id);
}

}  // namespace abut
