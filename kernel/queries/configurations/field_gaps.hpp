// Bounds on the signed distance between an outline and a compound of many children: by the compound's distance field,
// one configuration per lane; then, for single configurations, by a walk down the compound's tree, one child per lane.
#pragma once

#include "queries/configurations/outline_gaps.hpp"
#include "shapes/compound_geometry.hpp"
#include "simd/gather.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

// Bounds on the signed distance of a point in the compound's frame.
ABUT_INLINE GapW gap_at(const ManyChildren& children, Vec3W point) {
    const DistanceField& field = *children.field;
    constexpr float kMagic = 8388608.0f;  // 2^23: the low bits of the sum are the integer part
    const FloatW zero = 0.0f, edge = field.edge, per_edge = 1 / field.edge, half = 0.5f;
    FloatW index = 0.0f, off_squared = 0.0f, out_squared = 0.0f;
    const FloatW along[3] = {point.x, point.y, point.z};
    for (int axis = 2; axis >= 0; --axis) {
        const auto count = float(field.count[axis]);
        const FloatW at = (along[axis] - FloatW(field.low[axis])) * per_edge;
        const FloatW in = max(min(at, FloatW(count)), zero);  // NaN becomes `count`
        const FloatW rounded = (in - half + FloatW(kMagic)) - FloatW(kMagic);
        const FloatW cube = max(min(rounded, FloatW(count - 1)), zero), off = in - cube - half, out = at - in;
        off_squared += off * off, out_squared += out * out;
        index = index * FloatW(count) + cube;
    }
    const FloatW value = float_of(gather<4>(children.values, bits_of(index + FloatW(kMagic)) & IntW(0x7fffff)));
    const FloatW off = sqrt(off_squared) * edge, out = sqrt(out_squared) * edge, low = value - off,
                 outside = max(low, zero);
    // Outside the grid: the offset to the grid is at an angle of at least 90 degrees to the rest.
    return {select(out == zero, low, sqrt(out * out + outside * outside)), value + off + out};
}

// Bounds for an outline, by balls along its longest axis.
ABUT_INLINE GapW gap_by_balls(const ManyChildren& children, const Outline& shape, Vec3W centre, Vec3W axis) {
    GapW least = {HUGE_VALF, HUGE_VALF};
    const float step = 2 * shape.half[shape.long_axis] / float(shape.balls);
    for (std::uint32_t i = 0; i < shape.balls; ++i) {
        const float offset = step * (float(i) - 0.5f * float(shape.balls - 1));
        const GapW gap = gap_at(children, centre + axis * FloatW(offset));
        least = {min(least.low, gap.low), min(gap.high, least.high)};  // NaN stays in `low`
    }
    least.low = least.low - FloatW(shape.ball_radius), least.high = least.high - FloatW(shape.radius);
    if (!shape.is_exact || !children.field->are_balls) least.high = HUGE_VALF;
    return least;
}

// An outline in the compound's frame, in one configuration.
struct OutlineInField {
    const Outline& shape;
    float low[3], high[3];  // of the core
    alignas(64) float rows[kOutlineRows * kLanes];
};

// The least signed distance between an outline and the balls of a compound, if it is at most `enough`; otherwise
// infinity. Ends with the first distance below `stop`.
class NearestBall {
public:
    NearestBall(const ManyChildren& children, const OutlineInField& part) : children_(children), part_(part) {}

    float operator()(float enough, float stop) {
        stack_[size_++] = children_.node_count - 1;
        least_ = HUGE_VALF, enough_ = enough;
        while (size_ != 0 && !(least_ < stop)) {
            const CompoundNode& node = children_.nodes[stack_[--size_]];
            for (std::uint32_t first = 0; first < node.count; first += kLanes) visit(node, first);
        }
        return least_ <= enough_ ? least_ : HUGE_VALF;
    }

private:
    ABUT_INLINE void visit(const CompoundNode& node, std::uint32_t first) {
        FloatW low[3], high[3], squared = 0.0f;
        const FloatW zero = 0.0f;
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = FloatW::load_unaligned(node.low[axis] + first);
            high[axis] = FloatW::load_unaligned(node.high[axis] + first);
            const FloatW gap =
                max(max(low[axis] - FloatW(part_.high[axis]), FloatW(part_.low[axis]) - high[axis]), zero);
            squared += gap * gap;
        }
        const float limit = (least_ < enough_ ? least_ : enough_) + part_.shape.radius, within = limit > 0 ? limit : 0;
        const std::uint32_t near = (squared <= FloatW(within * within)).bits() & lane_bits(node.count - first);
        if (near == 0) return;
        if ((node.item[first] & CompoundNode::kInner) != 0) {
            for_each_lane(near, [&](int lane) { push(node.item[first + std::uint32_t(lane)]); });
            return;
        }
        const LaneArray<float> gaps = lanes_of(gap_of_balls(low, high));
        for_each_lane(near, [&](int lane) { least_ = gaps[lane] < least_ ? gaps[lane] : least_; });
    }
    void push(std::uint32_t item) { stack_[size_++] = item & ~CompoundNode::kInner; }

    // Bounds on the gap to the balls of a node, by their boxes.
    ABUT_INLINE FloatW gap_of_balls(const FloatW (&low)[3], const FloatW (&high)[3]) const {
        const FloatW half = 0.5f;
        const Vec3W centres = {(low[0] + high[0]) * half, (low[1] + high[1]) * half, (low[2] + high[2]) * half};
        const FloatW gap = gap_of_point(centres, {part_.shape, part_.rows});
        return gap - (high[0] - low[0]) * FloatW(0.5f) - FloatW(part_.shape.radius);
    }

    const ManyChildren& children_;
    const OutlineInField& part_;
    float least_ = 0, enough_ = 0;
    std::uint32_t size_ = 0;
    std::uint32_t stack_[ManyChildren::kMostLevels * CompoundNode::kWidth];
};

// An outline of one body in the frame of another body, the compound.
struct FieldOutline {
    const OutlineW& part;
    Vec3W centre, axes[3];

    FieldOutline(const OutlineW& of, const OutlineW& compound, const ManyChildren& children) : part(of) {
        const float* const m = children.field->middle;
        centre = compound.local(of.centre() - compound.centre()) + Vec3W{m[0], m[1], m[2]};
        for (std::uint32_t i = 0; i < 3; ++i)
            axes[i] = of.shape.kind == OutlineKind::ball ? splat(0) : compound.local(of.axis(i));
    }
    GapW gap(const ManyChildren& children) const {
        return gap_by_balls(children, part.shape, centre, axes[part.shape.long_axis]);
    }
    // The outline of one lane.
    OutlineInField in(int lane) const {
        OutlineInField out = {part.shape, {}, {}, {}};
        const auto put = [&](std::uint32_t row, FloatW value) {
            const float at = lanes_of(value)[lane];
            FloatW(at).store(out.rows + row * kLanes);
            return at;
        };
        const FloatW c[3] = {centre.x, centre.y, centre.z};
        for (std::uint32_t i = 0; i < 3; ++i) out.low[i] = out.high[i] = put(i, c[i]);
        if (part.shape.kind == OutlineKind::ball) return out;
        for (std::uint32_t k = 0; k < 3; ++k) {
            const FloatW a[3] = {axes[k].x, axes[k].y, axes[k].z};
            for (std::uint32_t i = 0; i < 3; ++i) {
                const float reach = abs_of(put(3 + 3 * k + i, a[i])) * part.shape.half[k];
                out.low[i] -= reach, out.high[i] += reach;
            }
        }
        return out;
    }
};

}  // namespace
}  // namespace abut::ABUT_ISA_NAMESPACE
