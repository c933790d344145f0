// A ray and the sixteen boxes of a node [Kay, Kajiya 1986], one box per lane. The boxes are bytes; the ray is scaled to them once per node.
#include "geometry/mesh_geometry.hpp"
#include "rays/node_ray.hpp"
#include "wide/gather.hpp"
#include "wide/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

// Bytes as floats: below the point of 2^23.
ABUT_INLINE FloatW numbers(const std::uint8_t* bytes) { return float_of(load_bytes(bytes) | IntW(0x4b000000)) - FloatW(8388608.0f); }

// The ray's parameter at a cell of an axis is at + cell * step; `first` and `last`: the near and far ends of the boxes.
struct AxisRay {
    const std::uint8_t *first, *last;
    float step, at_first, at_last;
};

ABUT_INLINE AxisRay axis_ray(const MeshNode& node, const NodeRay& ray, int axis) {
    const float inverse = ray.inverse[axis], step = node.step[axis] * ray.scale[axis];
    const float low = node.low[axis] * ray.scale[axis] - ray.origin[axis];
    const bool is_along = (step < 0) == (inverse < 0);
    // Padding moves an end outwards, in either direction of the ray.
    const float out = inverse < 0 ? ray.pad : -ray.pad;
    AxisRay result;
    result.first = is_along ? node.low_cells[axis] : node.high_cells[axis];
    result.last = is_along ? node.high_cells[axis] : node.low_cells[axis];
    result.step = step * inverse;
    result.at_first = (low + out) * inverse;
    result.at_last = (low - out) * inverse;
    return result;
}

}  // namespace

std::uint32_t find_entries(const MeshNode& node, const NodeRay& ray, float* bounds) {
    const AxisRay x = axis_ray(node, ray, 0), y = axis_ray(node, ray, 1), z = axis_ray(node, ray, 2);
    const auto first = [](const AxisRay& axis, int lane) { return numbers(axis.first + lane) * FloatW(axis.step) + FloatW(axis.at_first); };
    const auto last = [](const AxisRay& axis, int lane) { return numbers(axis.last + lane) * FloatW(axis.step) + FloatW(axis.at_last); };
    std::uint32_t met = 0;
    for (int lane = 0; lane < int(MeshNode::kWidth); lane += kLanes) {
        const FloatW enters = max(max(first(x, lane), first(y, lane)), max(first(z, lane), FloatW(0.0f)));
        const FloatW leaves = min(min(last(x, lane), last(y, lane)), min(last(z, lane), FloatW(ray.length)));
        enters.store_unaligned(bounds + lane);
        met |= (enters <= leaves).bits() << lane;
    }
    return met & ((1u << node.count) - 1);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
