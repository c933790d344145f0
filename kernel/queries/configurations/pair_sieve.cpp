// See pair_sieve.hpp.
#include "queries/configurations/pair_sieve.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel/parallel_for.hpp"
#include "base/rounding.hpp"
#include "queries/configurations/configuration_runs.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/instance_pose.hpp"

namespace abut {
namespace {

using maths::Mat3;
using maths::Vec3d;

constexpr float kMostBalls = 8;  // along an outline
constexpr double kSlack = 1e-5;  // of the sizes

void put(float (&to)[3], const Vec3d& v) { to[0] = float(v.x), to[1] = float(v.y), to[2] = float(v.z); }

void put_axes(Outline& out, const Mat3& axes) {
    const Mat3 columns = maths::transposed(axes);
    const Vec3d of[3] = {columns.row_x, columns.row_y, columns.row_z};
    for (int i = 0; i < 3; ++i)
        out.axes[3 * i] = float(of[i].x), out.axes[3 * i + 1] = float(of[i].y), out.axes[3 * i + 2] = float(of[i].z);
}

Vec3 difference(const DVec3& from, const DVec3& to) {
    return {float(to.x - from.x), float(to.y - from.y), float(to.z - from.z)};
}

constexpr PoseD kNoPose = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

PoseD pose_in_body(const ShapeTables& tables, ShapeId shape) {
    const RelativePose* const pose = tables.has_poses ? instance_pose(tables, shape) : nullptr;
    if (pose == nullptr) return kNoPose;
    return {maths::rotation(maths::to_double(pose->orientation)), maths::to_double(pose->position)};
}

// Sets enough balls that they are about as thin as the core.
void set_balls(Outline& out) {
    const float(&half)[3] = out.half;
    out.long_axis = half[1] > half[0] ? 1 : 0;
    if (half[2] > half[out.long_axis]) out.long_axis = 2;
    const double length = half[out.long_axis], b = half[(out.long_axis + 1) % 3], c = half[(out.long_axis + 2) % 3],
                 across = std::sqrt(b * b + c * c), balls = std::ceil(length / (across + out.radius));
    out.balls = balls >= 1 ? std::uint32_t(std::min(balls, double(kMostBalls))) : 1;
    out.ball_radius = float(maths::norm(Vec3d{length / out.balls, b, c}) + out.radius);
}

// The outline of a living shape with this pose in its body's frame.
Outline outline_of(const ShapeTables& tables, ShapeId shape, const PoseD& pose) {
    Outline out;
    const InstanceRecord& record = tables.record(shape);
    const ShapeKind kind = shape.kind();
    Vec3d centre = {0, 0, 0}, half = {0, 0, 0};
    double radius = record.radius, inner = record.radius;
    out.is_exact = true;
    put_axes(out, pose.axes);
    if (kind == ShapeKind::sphere) {
        out.kind = OutlineKind::ball;
    } else if (kind == ShapeKind::capsule) {
        out.kind = OutlineKind::capsule, half.y = record.extent_y;
    } else if (kind == ShapeKind::box) {
        out.kind = OutlineKind::box, half = {record.extent_x, record.extent_y, record.extent_z};
        inner += std::min({half.x, half.y, half.z});
    } else if (kind == ShapeKind::halfspace) {
        const Vec3d normal = {record.extent_x, record.extent_y, record.extent_z};
        out.kind = OutlineKind::halfspace, radius += offset_of(record) / maths::norm(normal);
        const Vec3d unit = pose.axes * (normal * (1 / maths::norm(normal)));
        out.axes[0] = float(unit.x), out.axes[1] = float(unit.y), out.axes[2] = float(unit.z);
    } else {
        inner = -1, out.is_exact = false, out.kind = kind == ShapeKind::custom ? OutlineKind::none : OutlineKind::box;
        if (has_known_core(kind)) {
            const LocalBox box = local_box(tables, shape);
            centre = box.centre, half = box.half, radius = box.radius;
        } else if (kind != ShapeKind::custom) {
            const BoxD box = kind == ShapeKind::compound ? BoxD{maths::to_double(tables.compound(shape).bounds_min),
                                                                maths::to_double(tables.compound(shape).bounds_max)}
                                                         : tight_bounds(tables, shape, kNoPose);
            centre = (box.low + box.high) * 0.5, half = (box.high - box.low) * 0.5, radius = 0;
        }
    }
    centre = pose.position + pose.axes * centre;
    put(out.centre, centre), put(out.half, half);
    out.inner = float(inner);
    out.radius = float(radius), out.bound = float(maths::norm(half) + radius);
    out.extent = float(maths::norm(centre) + maths::norm(half) + std::fabs(radius));
    set_balls(out);
    constexpr float kSame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const bool is_turned = out.kind != OutlineKind::ball && !std::equal(out.axes, out.axes + 9, kSame);
    out.is_placed = is_turned || !(centre.x == 0 && centre.y == 0 && centre.z == 0);
    return out;
}

}  // namespace

void PairSieve::add_outline(const Outline& outline) {
    outlines_.push_back(outline);
    outlines_.back().body = std::uint32_t(bodies_.size());
}

ManyChildren PairSieve::many_children(ShapeId compound) {
    const ShapeTables& tables = tables_of(*all_.shapes);
    const DistanceField* const field = fields_.of(tables, compound);
    if (field == nullptr) return {};
    const Vector<CompoundNode>& nodes = tables.compound(compound).nodes;
    return {field, field->values.data(), nodes.data(), std::uint32_t(nodes.size())};
}

void PairSieve::add_body(ShapeId shape) {
    const ShapeTables& tables = tables_of(*all_.shapes);
    const auto whole = std::uint32_t(outlines_.size());
    if (!tables.lives(shape)) {
        add_outline({});
        bodies_.push_back({whole, 0, false});
        return;
    }
    const PoseD pose = pose_in_body(tables, shape);
    add_outline(outline_of(tables, shape, pose));
    if (shape.kind() == ShapeKind::compound && tables.compound(shape).parts.size() <= kMostWithoutField)
        for (const CompoundPart& part : tables.compound(shape).parts)
            add_outline(outline_of(tables, part.instance, moved(pose, part)));
    const Outline& outline = outlines_[whole];
    bodies_.push_back(
        {whole, std::uint32_t(outlines_.size()) - whole - 1, outline.kind != OutlineKind::ball || outline.is_placed});
    if (shape.kind() == ShapeKind::compound) bodies_.back().children = many_children(shape);
}

SievePair PairSieve::sieve_pair(Pair pair) const {
    const auto none = std::uint32_t(bodies_.size() - 1);
    const bool is_any = pair.a < none && pair.b < none && pair.a != pair.b;
    SievePair out = {is_any ? pair.a : none, is_any ? pair.b : none, 0, 0, kInfinity, 0, -kInfinity, 0, 0};
    const auto row_of = [&](std::uint32_t body) {
        const std::uint32_t outline = bodies_[body].outline;
        return std::uint32_t(sizeof(float)) * lanes() * kOutlineRows *
               (outlines_[outline].is_placed ? none + 1 + outline : body);
    };
    out.row_a = row_of(out.a), out.row_b = row_of(out.b);
    const Outline &a = outlines_[bodies_[out.a].outline], &b = outlines_[bodies_[out.b].outline];
    if (a.kind == OutlineKind::none || b.kind == OutlineKind::none) return out;
    out.slack = float(kSlack * (double(a.extent) + b.extent));
    if (a.kind == OutlineKind::halfspace || b.kind == OutlineKind::halfspace) return out;
    if (a.inner >= 0 && b.inner >= 0) out.inner = a.inner + b.inner;
    out.far = float((double(a.bound) + b.bound) * (1 + kSlack) + out.slack);
    if (a.kind == OutlineKind::ball && b.kind == OutlineKind::ball)
        out.near = std::max(float(double(a.radius) + b.radius - out.slack), 0.0f);
    return out;
}

void PairSieve::begin_obstacles() {
    moving_outlines_ = outlines_.size();
    poses_ = poses_of(all_), has_doubles_ = has_doubles(all_);
    obstacles_.clear();
    origin_ = all_.obstacles.empty() ? DVec3() : all_.obstacles.position(0);
    for (std::size_t i = 0; i < all_.obstacles.size(); ++i) {
        obstacles_.push_back(all_.obstacles[i]);
        if (has_doubles_) obstacles_.back().position = difference(origin_, all_.obstacles.position(i));
        add_body(obstacles_.back().shape);
    }
}

void PairSieve::begin(const Configurations& all, Isa isa) {
    all_ = all;
    kernels_ = kernels_for<SieveKernels>(isa);
    outlines_.clear(), bodies_.clear(), pairs_.clear();
    fields_.trim();
    for (std::size_t i = 0; i < all.bodies.size(); ++i) add_body(all.bodies[i]);
    begin_obstacles();
    add_outline({});
    bodies_.push_back({std::uint32_t(outlines_.size()) - 1, 0, false});
    pairs_.reserve(all.pairs.size());
    for (std::size_t i = 0; i < all.pairs.size(); ++i) pairs_.push_back(sieve_pair(all.pairs[i]));
}

// Returns the positions of the last configuration, with room after them, because lanes read four floats of each.
const std::byte* PairSieve::with_room(const std::byte* positions, std::size_t stride, Scratch& scratch) const {
    const std::size_t bodies = all_.bodies.size();
    grow(scratch.last, bodies * stride + sizeof(Quat));
    for (std::size_t i = 0; i < bodies; ++i)
        std::memcpy(scratch.last.data() + i * stride, positions + i * stride, sizeof(Vec3));
    return scratch.last.data();
}

// Converts positions in double to floats: relative to the first obstacle or, if there is none, to the configuration's
// first body. Only differences of positions matter.
const std::byte* PairSieve::floats_of(std::size_t configuration, Vector<Quat>& to) const {
    const std::size_t bodies = all_.bodies.size(), first = configuration * bodies;
    const DVec3 origin = obstacles_.empty() ? poses_.position(first) : origin_;
    for (std::size_t i = 0; i < bodies; ++i) {
        const Vec3 at = difference(origin, poses_.position(first + i));
        to.push_back({at.x, at.y, at.z, 0});
    }
    return reinterpret_cast<const std::byte*>(to.data() + to.size() - bodies);
}

SieveChunk PairSieve::chunk_of(Scratch& scratch) const {
    SieveChunk chunk = {};
    chunk.bodies = bodies_.data(), chunk.body_count = std::uint32_t(bodies_.size());
    chunk.outlines = outlines_.data();
    chunk.pairs = pairs_.data(), chunk.pair_count = std::uint32_t(pairs_.size());
    chunk.rows = scratch.rows.data(), chunk.is_placed = scratch.is_placed.data();
    chunk.undecided = scratch.undecided.data();
    return chunk;
}

// The rows of obstacles stay valid for all blocks.
void PairSieve::load_obstacles(Scratch& scratch) const {
    grow(scratch.undecided, pairs_.size());
    grow(scratch.rows, (bodies_.size() + outlines_.size()) * kOutlineRows * lanes());
    scratch.is_placed.assign(outlines_.size(), 0);
    static constexpr Body kNone = {};
    const Body& body = obstacles_.empty() ? kNone : obstacles_[0];
    for (std::uint32_t lane = 0; lane < lanes(); ++lane)
        scratch.positions[lane] = reinterpret_cast<const std::byte*>(&body.position),
        scratch.orientations[lane] = reinterpret_cast<const std::byte*>(&body.orientation);
    const auto first = std::uint32_t(all_.bodies.size());
    SieveChunk chunk = chunk_of(scratch);
    kernels_->load_bodies(chunk, {first, first + std::uint32_t(obstacles_.size()), scratch.positions,
                                  scratch.orientations, false, sizeof(Body), sizeof(Body)});
    scratch.slack = chunk.slack;
}

// Lanes past the last configuration repeat it.
void PairSieve::load_block(const Block& block, SieveChunk& chunk, Scratch& scratch) const {
    const std::size_t bodies = all_.bodies.size();
    const bool has_floats = !all_.positions.empty(), has_matrices = all_.orientations.empty();
    scratch.positions_of_doubles.clear();
    scratch.positions_of_doubles.reserve(lanes() * bodies + 1);
    const SievePoses poses = {0,
                              std::uint32_t(bodies),
                              scratch.positions,
                              scratch.orientations,
                              has_matrices,
                              has_doubles_ ? sizeof(Quat)
                              : has_floats ? all_.positions.stride()
                                           : all_.transforms.stride(),
                              has_matrices ? all_.transforms.stride() : all_.orientations.stride()};
    for (std::uint32_t lane = 0; lane < lanes(); ++lane) {
        const std::size_t configuration = block.configuration(std::min(lane, block.count - 1)),
                          first = configuration * bodies;
        const void* const matrix = has_matrices ? all_.transforms.address(first) : nullptr;
        scratch.orientations[lane] =
            static_cast<const std::byte*>(has_matrices ? matrix : all_.orientations.address(first));
        const std::byte*& position = scratch.positions[lane];
        if (has_doubles_) {
            position = floats_of(configuration, scratch.positions_of_doubles);
        } else if (!has_floats) {
            position = static_cast<const std::byte*>(matrix) + 3 * sizeof(Quat);
        } else {
            position = all_.positions.address(first);
            if (first + bodies == all_.positions.size()) position = with_room(position, poses.position_stride, scratch);
        }
    }
    std::fill_n(scratch.is_placed.data(), moving_outlines_, std::uint8_t(0));
    chunk.lanes = (1u << block.count) - 1;
    chunk.slack = scratch.slack;
    kernels_->load_bodies(chunk, poses);
}

// Prefetches poses of paths, whose strides the processor does not predict.
void PairSieve::fetch_poses(const Block& block) const {
    const std::size_t bodies = all_.bodies.size();
    const auto fetch = [&](const auto& column, std::size_t first) {
        if (column.empty()) return;
        const std::byte* const end = column.address(first + bodies);
        for (const std::byte* at = column.address(first); at < end; at += kCacheLine) prefetch(at);
    };
    for (std::uint32_t lane = 0; lane < block.count; ++lane) {
        const std::size_t first = block.configuration(lane) * bodies;
        fetch(all_.positions, first), fetch(all_.double_positions, first);
        fetch(all_.orientations, first), fetch(all_.transforms, first);
    }
}

template <class Run>
void PairSieve::for_each_block(std::span<Block> blocks, const QueryContext& context, const Run& run) {
    const std::size_t tasks = std::min(context.tasks(), blocks.size());
    if (scratch_.size() < tasks) scratch_.resize(tasks);
    parallel_for(context.executor, tasks, [&](std::size_t task) {
        Scratch& scratch = scratch_[task];
        load_obstacles(scratch);
        for (std::size_t i = task; i < blocks.size(); i += tasks) {
            Block& block = blocks[i];
            SieveChunk chunk = chunk_of(scratch);
            load_block(block, chunk, scratch);
            if (i + tasks < blocks.size()) fetch_poses(blocks[i + tasks]);
            run(block, chunk, scratch);
            block.undecided.assign(chunk.undecided, chunk.undecided + chunk.undecided_count);
        }
    });
}

void PairSieve::find_overlaps(std::span<Block> blocks, const QueryContext& context) {
    for_each_block(blocks, context, [&](Block& block, SieveChunk& chunk, Scratch&) {
        std::fill_n(block.first_hit, kMostLanes, kNoPair);
        chunk.first = block.first_hit;
        chunk.ends_at_hit = block.path != kNoPath;
        kernels_->find_overlaps(chunk);
    });
}

void PairSieve::bound_distances(std::span<Block> blocks, const QueryContext& context, const DistanceOptions& options) {
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        pairs_[i].limit = options.max_distances.empty() ? options.max_distance : options.max_distances[i];
    for_each_block(blocks, context, [&](Block& block, SieveChunk& chunk, Scratch& scratch) {
        grow(scratch.low, pairs_.size() * lanes());
        chunk.high = block.high, chunk.low = scratch.low.data();
        chunk.has_depths = !options.separation_only;
        kernels_->bound_distances(chunk);
        block.low.assign(chunk.low, chunk.low + chunk.undecided_count * lanes());
    });
}

std::size_t PairSieve::bytes() const {
    std::size_t bytes = bytes_of(obstacles_, outlines_, bodies_, pairs_, scratch_) + fields_.bytes();
    for (const Scratch& one : scratch_)
        bytes += bytes_of(one.rows, one.is_placed, one.undecided, one.low, one.positions_of_doubles, one.last);
    return bytes;
}

}  // namespace abut
