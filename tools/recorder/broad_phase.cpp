// Sweep along x, in double precision.
#include "broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace abut::tools {
namespace {

struct Box {
    double low[3], high[3];
};

struct Rotation {
    double row[3][3];

    explicit Rotation(Quat q) {
        const double x = q.x, y = q.y, z = q.z, w = q.w;
        const double s = 2.0 / (x * x + y * y + z * z + w * w);
        const double values[3][3] = {{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                                     {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
                                     {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}};
        std::copy(&values[0][0], &values[0][0] + 9, &row[0][0]);
    }
};

// The extent of a rotated shape along world axis `axis`, relative to the body.
void extent(const ShapeSpec& shape, const Rotation& rotation, int axis, double& low, double& high) {
    const double* r = rotation.row[axis];
    if (shape.kind == ShapeKind::hull) {
        low = std::numeric_limits<double>::infinity();
        high = -low;
        for (const Vec3& v : shape.vertices) {
            const double along = r[0] * v.x + r[1] * v.y + r[2] * v.z;
            low = std::min(low, along);
            high = std::max(high, along);
        }
        return;
    }
    const Vec3 e = shape.kind == ShapeKind::box ? shape.extents : Vec3{0.0f, shape.half_height, 0.0f};
    high = std::fabs(r[0]) * e.x + std::fabs(r[1]) * e.y + std::fabs(r[2]) * e.z + shape.radius;
    low = -high;
}

Box world_box(const ShapeSpec& shape, const CaptureBody& body, double widening) {
    const Rotation rotation(body.orientation);
    const double position[3] = {body.position.x, body.position.y, body.position.z};
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
        extent(shape, rotation, axis, box.low[axis], box.high[axis]);
        box.low[axis] += position[axis] - widening;
        box.high[axis] += position[axis] + widening;
    }
    return box;
}

bool overlap(const Box& a, const Box& b, int axis) { return a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis]; }

}  // namespace

std::vector<Pair> candidate_pairs(std::span<const ShapeSpec> shapes, std::span<const CaptureBody> bodies, std::uint32_t fixed, double widening) {
    std::vector<Box> boxes;
    boxes.reserve(bodies.size());
    for (const CaptureBody& body : bodies) boxes.push_back(world_box(shapes[body.shape], body, widening));

    std::vector<std::uint32_t> order(bodies.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return boxes[i].low[0] < boxes[j].low[0]; });

    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].low[0] <= boxes[order[i]].high[0]; ++j) {
            const auto [a, b] = std::minmax(order[i], order[j]);
            if (b >= fixed && overlap(boxes[a], boxes[b], 1) && overlap(boxes[a], boxes[b], 2)) pairs.push_back({a, b});
        }
    }
    std::sort(pairs.begin(), pairs.end(), [](Pair p, Pair q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
    return pairs;
}

}  // namespace abut::tools
