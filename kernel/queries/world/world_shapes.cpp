// See world_shapes.hpp.
#include "queries/world/world_shapes.hpp"

#include <algorithm>
#include <tuple>

#include <abut/properties.hpp>

#include "base/scratch_columns.hpp"
#include "convex/contract/valid_pose.hpp"
#include "queries/boxes/swept_lines.hpp"
#include "queries/boxes/world_boxes.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

// The least number of nodes and of lines per task, as in the broad phase.
constexpr std::size_t kLeastNodes = 8, kLeastLines = 64;
// A cast may report a hit up to four times promise 1's bound earlier (CastOptions::tolerance).
constexpr double kCastGrowth = 5e-5;

BoxFilter filter_of(const WorldFilter& filter) { return {filter.groups, filter.masks, filter.ignored}; }

// A pair without an answer gives its status to its shape, so that it is not left out silently.
void note_status(Status of_pair, Status& of_shape) {
    if (of_shape == Status::ok) of_shape = of_pair;
}

}  // namespace

void WorldShapes::begin_statuses(const WorldBodies& world, const Bodies& shapes) {
    const ShapeTables& tables = tables_of(*world.shapes);
    status_.resize(shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Body body = shapes[i];
        status_[i] = !tables.lives(body.shape) ? Status::bad_index
                     : is_valid_pose(body)     ? Status::ok
                                               : Status::bad_pose;
    }
}

// --- Overlaps ---

std::span<const Pair> WorldShapes::find_overlaps(const WorldBodies& world, const Bodies& shapes,
                                                 const WorldFilter& filter) {
    const WorldBoxes& boxes = *boxes_of(*world.tree);
    const std::size_t count = shapes.size();
    grow(bounds_, count), grow(margins_, count);
    // World bounds without an error check, because the arguments have been checked.
    (void)world_bounds(*world.shapes, shapes, {bounds_.data(), count}, boxes.origin);
    for (std::size_t i = 0; i < count; ++i) margins_[i] = growth_of(bounds_[i], kShapeGrowth);
    Boxes grown;
    grown.bounds = Strided<Bounds>(bounds_.data(), count), grown.margins = Strided<float>(margins_.data(), count);
    boxes_.build(BoxReader(grown), false, *kernels_, workers());
    const BoxTree &from = boxes_.tree(), &in = boxes.blocks.tree();
    return search_.collect(workers(), in.counts[0] == 0 ? 0 : from.counts[1], kLeastNodes, count, boxes.count,
                           filter_of(filter), boxes.filter(),
                           [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
        kernels_->find_box_pairs({&from, &in, first, end}, out);
    });
}

std::span<const Pair> WorldShapes::overlap(const WorldBodies& world, const Bodies& shapes, const WorldFilter& filter) {
    begin_statuses(world, shapes);
    found_.clear();
    if (shapes.empty()) return {};
    const std::span<const Pair> all = find_overlaps(world, shapes, filter);
    if (all.empty()) return {};
    joined_.join(shapes, world.bodies, all);
    grow(bits_, (all.size() + 31) / 32), grow(pair_status_, all.size());
    OverlapColumns out;
    out.bits = {bits_.data(), (all.size() + 31) / 32}, out.status = {pair_status_.data(), all.size()};
    Frame frame;
    frame.shapes = world.shapes, frame.bodies = joined_.bodies(), frame.pairs = joined_.pairs();
    pair_queries_.answer(out, frame);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (bits_[i / 32] >> (i % 32) & 1) found_.push_back(all[i]);
        note_status(pair_status_[i], status_[all[i].a]);
    }
    return found_;
}

// --- Casts ---

CastColumns WorldShapes::Casts::columns(std::size_t pairs) {
    const auto column = [&](auto& of) {
        grow(of, pairs);
        return std::span(of.data(), pairs);
    };
    CastColumns out;
    grow(bits, (pairs + 31) / 32);
    out.bits = {bits.data(), (pairs + 31) / 32};
    out.time = column(time), out.signed_distance = column(distance);
    out.normal = column(normal), out.point_a = column(point_a), out.point_b = column(point_b);
    out.child_a = column(child_a), out.child_b = column(child_b), out.status = column(status);
    return out;
}

std::span<const Pair> WorldShapes::find_swept(const WorldBodies& world, const Bodies& shapes, const Motions& motions,
                                              const WorldCastOptions& options) {
    const WorldBoxes& boxes = *boxes_of(*world.tree);
    const BoxTree& in = boxes.blocks.tree();
    const std::size_t count = shapes.size();
    grow(lines_, count), grow(bad_, count);
    found_.clear();
    for (std::size_t part = 0; part < motions.ends.size() && in.counts[0] != 0; ++part) {
        Bodies from = shapes;
        if (part != 0) {
            BodyColumns poses = motions.ends[part - 1].columns();
            poses.shapes = shapes.columns().shapes;
            from = poses;
        }
        (void)swept_lines(*world.shapes, from, motions.ends[part], boxes.origin, motions.centers,
                          double(options.tolerance) + kCastGrowth, options.target, {lines_.data(), count},
                          {bad_.data(), count});
        line_ids_.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            if (bad_[i] != 0) note_status(Status::bad_pose, status_[i]);
            if (status_[i] == Status::ok) lines_[line_ids_.size()] = lines_[i], line_ids_.push_back(i);
        }
        const std::span<const Pair> some =
            search_.collect(workers(), line_ids_.size(), kLeastLines, count, boxes.count, filter_of(options.filter),
                            boxes.filter(), [&](std::uint32_t first, std::uint32_t end, PairBuffer& out) {
                                kernels_->find_ray_pairs({lines_.data(), line_ids_.data(), &in, first, end}, out);
                            });
        found_.insert(found_.end(), some.begin(), some.end());
    }
    if (motions.ends.size() > 1) {
        std::sort(found_.begin(), found_.end(),
                  [](const Pair& x, const Pair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        std::erase_if(found_, [&](const Pair& pair) { return status_[pair.a] != Status::ok; });
    }
    return found_;
}

void WorldShapes::answer(WorldCastColumns& out, const WorldBodies& world, const Bodies& shapes, const Motions& motions,
                         const WorldCastOptions& options) {
    begin_statuses(world, shapes);
    const std::size_t count = shapes.size(), parts = motions.ends.size();
    const std::span<const Pair> all = find_swept(world, shapes, motions, options);
    CastColumns of_pairs = casts_.columns(all.size());
    if (!all.empty()) {
        joined_.join(shapes, world.bodies, all);
        if (ends_.size() < parts) ends_.resize(parts);
        all_ends_.clear();
        for (std::size_t part = 0; part < parts; ++part) {
            ends_[part].join_ends(joined_, motions.ends[part]);
            all_ends_.push_back(ends_[part].bodies());
        }
        Motions joined;
        joined.ends = all_ends_;
        if (!motions.centers.empty()) {
            centers_.assign(joined_.bodies().size(), Vec3{});
            for (std::size_t i = 0; i < count; ++i) centers_[i] = motions.centers[i];
            joined.centers = centers_;
        }
        Frame frame;
        frame.shapes = world.shapes, frame.bodies = joined_.bodies(), frame.pairs = joined_.pairs();
        CastOptions wanted;
        wanted.target = options.target, wanted.tolerance = options.tolerance, wanted.start = options.start;
        wanted.sides = options.sides, wanted.reduction = CastReduction::first_of_body;
        cast_runs_.answer(of_pairs, frame, joined, wanted);
    }
    const auto put = [](auto column, std::size_t at, const auto& value) {
        if (!column.empty()) column[at] = value;
    };
    const float infinite = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0, pair = 0; i < count; ++i) {
        std::size_t hit = all.size();
        for (; pair < all.size() && all[pair].a == i; ++pair) {
            if (of_pairs.bits[pair / 32] >> (pair % 32) & 1)
                hit = pair;
            else
                note_status(of_pairs.status[pair], status_[i]);
        }
        const bool hits = hit < all.size();
        const bool is_answered = status_[i] != Status::bad_index && status_[i] != Status::bad_pose;
        if (hits) note_status(of_pairs.status[hit], status_[i]);
        out.body[i] = hits ? all[hit].b : kNoBody;
        put(out.time, i, hits ? of_pairs.time[hit] : is_answered ? 1.0 : 0.0);
        put(out.signed_distance, i, hits ? of_pairs.signed_distance[hit] : is_answered ? infinite : 0.0f);
        put(out.normal, i, hits ? of_pairs.normal[hit] : Vec3{});
        put(out.point_a, i, hits ? of_pairs.point_a[hit] : Vec3{});
        put(out.point_b, i, hits ? of_pairs.point_b[hit] : Vec3{});
        put(out.child_a, i, hits ? of_pairs.child_a[hit] : 0u);
        put(out.child_b, i, hits ? of_pairs.child_b[hit] : 0u);
        put(out.status, i, status_[i]);
    }
}

}  // namespace abut
