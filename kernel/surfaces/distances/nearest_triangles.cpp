// See nearest_triangles.hpp. A step opens the larger of two nodes; if both are leaves, it compares all their triangles.
// All arithmetic is in double, so neither the surfaces' sizes nor their distance cost precision. The answer is the
// minimum over all pairs of triangles and does not depend on the pairs that the walk skips: it has the same bits for
// any sufficient reach.
#include "surfaces/distances/nearest_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/surface_walk.hpp"
#include "surfaces/distances/box_bounds.hpp"
#include "surfaces/distances/leaf_triangles.hpp"
#include "surfaces/distances/triangle_pairs.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr std::uint32_t kWidth = SixteenBoxes::kWidth;
constexpr std::uint32_t kMostLevels = std::max(MeshGeometry::kMostLevels, HeightfieldGeometry::kMostLevels);

// A part of one surface, and its box and slab in the surface's own frame.
struct Part {
    SurfaceItem item;
    CentredBox box;
    Slab slab;

    Part() = default;
    Part(SurfaceItem of, const Vec3d& low, const Vec3d& high) : item(of) {
        for (int axis = 0; axis < 3; ++axis) {
            const double from = component(low, axis), to = component(high, axis);
            box.centre[axis] = (to + from) * 0.5, box.half[axis] = (to - from) * 0.5;
        }
    }
    // Makes a slab of the thinnest extent of its box, for a part without a slab of its own.
    void make_slab() {
        int thinnest = box.half[1] < box.half[0] ? 1 : 0;
        if (box.half[2] < box.half[thinnest]) thinnest = 2;
        slab = {{}, box.centre[thinnest], box.half[thinnest]};
        slab.axis[thinnest] = 1;
    }

    double size() const { return box.half[0] + box.half[1] + box.half[2]; }
};

struct PartPair {
    Part parts[2];
    double bound;
};

bool is_scaled(const Surface& surface) { return surface.scale.x != 1 || surface.scale.y != 1 || surface.scale.z != 1; }

// The children of a part.
struct OpenedPart {
    SixteenBoxes boxes = {};
    SurfaceChildren children;
    const ChildSlabs* slabs = nullptr;  // null if the children are triangles or cells

    OpenedPart(const Surface& surface, SurfaceItem item) {
        children_of(surface, item, boxes, children);
        if (item.level == 0) return;
        if (surface.mesh != nullptr)
            take_slabs(*surface.mesh, item, surface);
        else
            make_level_slabs();
    }
    OpenedPart(const OpenedPart&) = delete;
    OpenedPart& operator=(const OpenedPart&) = delete;
    Part operator[](std::uint32_t lane) const {
        Part part(children.items[lane], {boxes.low[0][lane], boxes.low[1][lane], boxes.low[2][lane]},
                  {boxes.high[0][lane], boxes.high[1][lane], boxes.high[2][lane]});
        if (slabs == nullptr)
            part.make_slab();
        else
            part.slab = {{slabs->axis[0][lane], slabs->axis[1][lane], slabs->axis[2][lane]},
                         slabs->middle[lane],
                         slabs->half[lane]};
        return part;
    }

private:
    // Uses slabs with axis Y, because the blocks of a height field are mostly level.
    void make_level_slabs() {
        made_ = {};
        for (std::uint32_t lane = 0; lane < children.count; ++lane) {
            made_.axis[0][lane] = made_.axis[2][lane] = 0, made_.axis[1][lane] = 1;
            made_.middle[lane] = 0.5f * (boxes.low[1][lane] + boxes.high[1][lane]);
            made_.half[lane] = round_up(maths::max(boxes.high[1][lane] - double(made_.middle[lane]),
                                                   made_.middle[lane] - double(boxes.low[1][lane])));
        }
        slabs = &made_;
    }

    void take_slabs(const MeshGeometry& mesh, SurfaceItem item, const Surface& surface) {
        slabs = &mesh.slabs[mesh.level_first[item.level] - mesh.level_first[1] + item.index];
        if (is_scaled(surface)) scale_slabs(surface.scale);
    }

    // A plane's normal is divided by the scale.
    void scale_slabs(Vec3 scale) {
        made_ = {};
        for (std::uint32_t lane = 0; lane < children.count; ++lane) {
            const Vec3d axis = {slabs->axis[0][lane] / double(scale.x), slabs->axis[1][lane] / double(scale.y),
                                slabs->axis[2][lane] / double(scale.z)};
            const double by = ChildSlabs::kBelowUnit / maths::norm(axis);
            const Vec3d unit = axis * by;
            for (int i = 0; i < 3; ++i) made_.axis[i][lane] = static_cast<float>(component(unit, i));
            made_.middle[lane] = static_cast<float>(slabs->middle[lane] * by),
            made_.half[lane] = round_up(slabs->half[lane] * by / ChildSlabs::kBelowUnit);
        }
        slabs = &made_;
    }

    ChildSlabs made_;
};

FrameChange frame_change(const maths::Mat3& axes, const Vec3d& offset) {
    const Vec3d rows[3] = {axes.row_x, axes.row_y, axes.row_z};
    FrameChange change;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) change.axes[i][k] = component(rows[i], k);
    for (int i = 0; i < 3; ++i) change.offset[i] = component(offset, i);
    return change;
}

// The box, along the axes of another frame, around a given box.
CentredBox seen(const CentredBox& box, const FrameChange& to) {
    CentredBox around;
    for (int i = 0; i < 3; ++i) {
        around.centre[i] = to.offset[i], around.half[i] = 0;
        for (int k = 0; k < 3; ++k) {
            around.centre[i] += to.axes[i][k] * box.centre[k];
            around.half[i] += std::fabs(to.axes[i][k]) * box.half[k];
        }
    }
    return around;
}

Slab seen(const Slab& slab, const FrameChange& to) {
    Slab around = {{}, slab.middle, slab.half};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) around.axis[i] += to.axes[i][k] * slab.axis[k];
        around.middle += around.axis[i] * to.offset[i];
    }
    return around;
}

// Enough for all leaves of one node, because a walk returns to these: 5 kB each.
constexpr std::uint32_t kLeavesKept = kWidth;
constexpr std::uint32_t kNone = ~0u;
constexpr std::ptrdiff_t kFirstBatch = 16;
constexpr std::uint32_t kMostInLeaf = LeafTriangles::kMost;

void put(const Vec3& corner, int k, std::uint32_t i, LeafTask& task) {
    task.corners[k][0][i] = corner.x, task.corners[k][1][i] = corner.y, task.corners[k][2][i] = corner.z;
}

// Both functions write a leaf's triangle numbers to the leaf, and the corners, as from corners_at, to the task.
void list_leaf(const MeshGeometry& mesh, const Surface& surface, SurfaceItem item, LeafTask& task,
               LeafTriangles& leaf) {
    const MeshNode& node = mesh.nodes[item.index];
    const std::uint32_t first = kWidth * item.index, second = surface.is_mirrored() ? 2 : 1,
                        own[3] = {0, second, 3 - second};
    leaf.count = node.count;
    for (std::uint32_t i = 0; i < node.count; ++i) {
        leaf.number[i] = first + i;
        for (int k = 0; k < 3; ++k) {
            const Vec3 v = mesh.vertices[mesh.corners.at(3 * (first + i) + own[k], node.first_vertex)],
                       by = surface.scale;
            put({v.x * by.x, v.y * by.y, v.z * by.z}, k, i, task);
        }
    }
}
void list_leaf(const Surface& surface, SurfaceItem item, LeafTask& task, LeafTriangles& leaf) {
    SixteenBoxes boxes;
    SurfaceChildren cells;
    children_of(surface, item, boxes, cells);
    leaf.count = 0;
    for (std::uint32_t i = 0; i < 2 * cells.count; ++i) {
        const std::uint32_t triangle = 2 * cells.items[i / 2].index + i % 2;
        if (!has_triangle(surface, triangle)) continue;
        const SurfaceCorners corners = corners_at(surface, triangle);
        for (int k = 0; k < 3; ++k) put(corners.at[k], k, leaf.count, task);
        leaf.number[leaf.count++] = triangle;
    }
}

// Repeats the last triangle up to a multiple of any number of lanes.
void fill_lanes(const LeafTriangles& leaf, LeafTask& task) {
    for (std::uint32_t i = leaf.count; leaf.count != 0 && i % kWidth != 0; ++i)
        for (auto& corner : task.corners)
            for (auto& column : corner) column[i] = column[leaf.count - 1];
}

class Descent {
public:
    Descent(const ShapeTables& tables, const SurfaceKernels& kernels, const Body& a, const Body& b,
            const NearestTask& task)
        : kernels_(kernels), task_(task), surfaces_{surface_of(tables, a.shape), surface_of(tables, b.shape)} {
        // Equal orientations give the identity, to the bit.
        const maths::Mat3 b_to_a =
            maths::rotation(maths::relative(maths::to_double(a.orientation), maths::to_double(b.orientation)));
        const Vec3d between = maths::to_double(b.position) - maths::to_double(a.position);
        const Vec3d offset = transposed_times(maths::rotation(maths::to_double(a.orientation)), between);
        to_other_[1] = frame_change(b_to_a, offset);
        to_other_[0] = frame_change(maths::transposed(b_to_a), -transposed_times(b_to_a, offset));
        for (auto& kept : kept_) std::fill(kept, kept + kLeavesKept, kNone);
        rounding_ = kDescentRounding * maths::norm(offset);
        extent_ = 0;
        for (const Surface& surface : surfaces_) {
            const double largest = largest_coordinate(surface);
            extent_ += largest, rounding_ += kDescentRounding * largest + (is_scaled(surface) ? box_slack(surface) : 0);
        }
    }

    NearestTriangles run() {
        roots_[0] = root_part(surfaces_[0]), roots_[1] = root_part(surfaces_[1]);
        push({{roots_[0], roots_[1]}, -std::numeric_limits<double>::infinity()});
        while (size_ != 0 && !is_found()) step();
        if (!is_found()) return best_;
        improve();
        size_ = 0;
        push({{roots_[0], roots_[1]}, -std::numeric_limits<double>::infinity()});
        walk();
        return best_;
    }

private:
    bool is_found() const { return best_.distance < std::numeric_limits<double>::infinity(); }
    // If surfaces are very far apart, any pair of triangles is accurate enough.
    bool is_enough() const {
        return best_.distance <= task_.enough || (is_found() && best_.distance > kFarExtents * extent_) ||
               best_.status != Status::ok;
    }
    // Parts and triangles that are farther apart do not matter.
    double limit() const { return maths::min(best_.distance, task_.reach) + rounding_; }

    // With a bad limit, a walk would explore the wrong parts completely. Therefore the nearest leaf of each surface in
    // turn is first compared with the whole other surface, as long as that finds a nearer pair.
    void improve() {
        for (double before = std::numeric_limits<double>::infinity(); best_.distance < before && !is_enough();) {
            before = best_.distance;
            for (int side = 0; side < 2; ++side) {
                PartPair next = {{nearest_leaves_[0], nearest_leaves_[1]}, -std::numeric_limits<double>::infinity()};
                next.parts[1 - side] = roots_[1 - side];
                size_ = 0;
                push(next);
                walk();
            }
        }
    }

    void push(const PartPair& pair) { stack_[size_++] = pair; }
    void walk() {
        while (size_ != 0 && !is_enough()) step();
    }
    void step() {
        const PartPair top = stack_[--size_];
        if (top.bound > limit()) return;
        const Part &a = top.parts[0], &b = top.parts[1];
        if (a.item.level == 0 && b.item.level == 0) return measure_leaves(top);
        open(top, a.item.level == 0 || (b.item.level != 0 && b.size() > a.size()) ? 1 : 0);
    }

    static Part root_part(const Surface& surface) {
        const maths::BoxD bounds = bounds_of(surface);
        Part root(root_of(surface), bounds.low, bounds.high);
        root.make_slab();
        return root;
    }

    // Lower bounds on the signed distances of a part's children (surface `which`) from a part of the other surface.
    // Bounds above `most` need not be tight.
    void bound(const OpenedPart& opened, int which, const Part& other, double most, double (&bounds)[kWidth]) const {
        BoxTask task;
        for (int axis = 0; axis < 3; ++axis)
            task.low[axis] = opened.boxes.low[axis], task.high[axis] = opened.boxes.high[axis];
        task.count = opened.children.count, task.to_other = to_other_[which];
        task.other = other.box, task.other_seen = seen(other.box, to_other_[1 - which]);
        task.slabs = opened.slabs;
        if (opened.slabs != nullptr) task.other_slab = seen(other.slab, to_other_[1 - which]);
        task.limit = most;
        kernels_.bound_boxes(task, bounds);
    }

    // Pushes the pairs of the children of one part with the other part, the nearest on top.
    void open(const PartPair& top, int which) {
        const OpenedPart opened(surfaces_[which], top.parts[which].item);
        const double most = limit();
        double bounds[kWidth];
        bound(opened, which, top.parts[1 - which], most, bounds);
        std::uint8_t order[kWidth];
        std::uint32_t count = 0;
        for (std::uint32_t lane = 0; lane < opened.children.count; ++lane) {
            if (bounds[lane] > most) continue;
            std::uint32_t at = count++;
            for (; at > 0 && bounds[order[at - 1]] <= bounds[lane]; --at) order[at] = order[at - 1];
            order[at] = std::uint8_t(lane);
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            PartPair& next = stack_[size_++];
            next.parts[which] = opened[order[i]], next.parts[1 - which] = top.parts[1 - which];
            next.bound = bounds[order[i]];
        }
    }

    void measure_leaves(const PartPair& top) {
        const std::uint32_t count = list_triangles(top);
        if (count > task_.most_pairs - walked_) {
            best_.status = Status::not_converged;
            return;
        }
        walked_ += count;
        const double before = best_.distance;
        for (LeafPair *next = listed_, *end = listed_ + count; next != end && !is_enough();) {
            LeafPair* const some = next;
            next = end - some > batch() ? some + batch() : end;
            if (next != end)
                std::nth_element(some, next, end, [](const LeafPair& x, const LeafPair& y) {
                    return std::tie(x.bound, x.a, x.b) < std::tie(y.bound, y.a, y.b);
                });
            measure(top, some, std::uint32_t(next - some));
            end = std::remove_if(next, end, [most = limit()](const LeafPair& pair) { return pair.bound > most; });
        }
        if (best_.distance < before) nearest_leaves_[0] = top.parts[0], nearest_leaves_[1] = top.parts[1];
    }

    // The first batch is small, because the distances of the nearest pairs exclude most other pairs.
    std::ptrdiff_t batch() const { return is_found() ? TrianglePairs::kMost : kFirstBatch; }

    LeafTriangles& placed(const PartPair& top, int which) {
        const SurfaceItem item = top.parts[which].item;
        LeafTriangles& leaf = leaves_[which][item.index % kLeavesKept];
        std::uint32_t& kept = kept_[which][item.index % kLeavesKept];
        if (kept == item.index) return leaf;
        kept = item.index;
        LeafTask task;
        task.to_a = which == 0 ? nullptr : &to_other_[1];
        const Surface& surface = surfaces_[which];
        surface.mesh != nullptr ? list_leaf(*surface.mesh, surface, item, task, leaf)
                                : list_leaf(surface, item, task, leaf);
        fill_lanes(leaf, task);
        kernels_.place_leaf(task, leaf);
        return leaf;
    }

    // Lists the pairs of two leaves' triangles that are within the limit along the axes of A's frame and the axis
    // between the boxes' centres.
    std::uint32_t list_triangles(const PartPair& top) {
        LeafTriangles &a = placed(top, 0), &b = placed(top, 1);
        const double most = limit();
        for (int axis = 0; axis < 3; ++axis)
            if (b.all_low[axis] - a.all_high[axis] > most || a.all_low[axis] - b.all_high[axis] > most) return 0;
        const CentredBox from = top.parts[0].box, to = seen(top.parts[1].box, to_other_[1]);
        const Vec3d between = {to.centre[0] - from.centre[0], to.centre[1] - from.centre[1],
                               to.centre[2] - from.centre[2]};
        const Vec3d axis = maths::is_zero(between) ? Vec3d{1, 0, 0} : maths::unit(between);
        return kernels_.list_leaf_pairs({&a, &b, {axis.x, axis.y, axis.z}, most, listed_});
    }

    void measure(const PartPair& top, const LeafPair* some, std::uint32_t count) {
        const LeafTriangles &leaf_of_a = placed(top, 0), &leaf_of_b = placed(top, 1);
        TrianglePairs pairs;
        pairs.count = count;
        for (std::uint32_t i = 0; i < count; ++i)
            pairs.a[i] = &leaf_of_a.at[some[i].a], pairs.b[i] = &leaf_of_b.at[some[i].b];
        double distances[TrianglePairs::kMost];
        pairs.limit = limit(), pairs.rounding = rounding_;
        kernels_.measure_triangles(pairs, distances);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (distances[i] > task_.reach) continue;
            const std::uint32_t a = leaf_of_a.number[some[i].a], b = leaf_of_b.number[some[i].b];
            if (std::tie(distances[i], a, b) < std::tie(best_.distance, best_.a, best_.b))
                best_.distance = distances[i], best_.a = a, best_.b = b;
        }
    }

    const SurfaceKernels& kernels_;
    const NearestTask& task_;
    Surface surfaces_[2];
    FrameChange to_other_[2];  // from A's frame to B's, and from B's to A's
    double rounding_;          // the error of bounds, metres
    double extent_;            // metres; no corner is farther than twice this from its body's position
    Part roots_[2], nearest_leaves_[2];
    NearestTriangles best_ = {std::numeric_limits<double>::infinity(), 0, 0, Status::ok};
    std::uint32_t walked_ = 0, size_ = 0;
    PartPair stack_[2 * kMostLevels * kWidth + 1];
    LeafTriangles leaves_[2][kLeavesKept];
    std::uint32_t kept_[2][kLeavesKept];  // the indices of the kept leaves; kNone at first
    LeafPair listed_[kMostInLeaf * kMostInLeaf];
};

// A ball around a surface, whose centre is relative to the body's position.
struct Ball {
    Vec3d centre;
    double radius;
};

Ball ball_around(const Surface& surface, const Body& body) {
    const maths::BoxD bounds = bounds_of(surface);
    const Vec3d centre = (bounds.low + bounds.high) * 0.5;
    double radius = maths::norm(bounds.high - centre);
    if (surface.mesh != nullptr) {
        const double scale = maths::max_abs(maths::to_double(surface.scale));
        radius =
            maths::min(radius, scale * surface.mesh->radius + (is_scaled(surface) ? double(box_slack(surface)) : 0.0));
    }
    const maths::Mat3 turn = maths::rotation(maths::to_double(body.orientation));
    return {turn * centre, radius + kDescentRounding * (maths::norm(centre) + radius)};
}

}  // namespace

NearestTriangles find_nearest(const ShapeTables& tables, const SurfaceKernels& kernels, const Body& a, const Body& b,
                              const NearestTask& task) {
    const Ball of_a = ball_around(surface_of(tables, a.shape), a), of_b = ball_around(surface_of(tables, b.shape), b);
    const Vec3d between = maths::to_double(b.position) - maths::to_double(a.position) + (of_b.centre - of_a.centre);
    const double reach = (of_a.radius + of_b.radius + task.reach) * (1 + kDescentRounding);
    if (maths::dot(between, between) > reach * reach)
        return {std::numeric_limits<double>::infinity(), 0, 0, Status::ok};
    return Descent(tables, kernels, a, b, task).run();
}

}  // namespace abut
