// See world_boxes.hpp.
#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/rounding.hpp"
#include "base/scratch_columns.hpp"
#include "queries/boxes/broad_setup.hpp"
#include "queries/boxes/world_boxes.hpp"

namespace abut {

namespace {

constexpr double kCoordinateRounding = 0x1p-40;

void copy_bits(const Strided<std::uint32_t>& from, std::size_t count, Vector<std::uint32_t>& to) {
    to.resize(from.empty() ? 0 : count);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i];
}

}  // namespace

float growth_of(const Bounds& box, double part) {
    double edge = 0, farthest = 0;
    const auto add = [&](float low, float high) {
        const double all = double(high) - low;
        if (all < kInfinity) edge = std::max(edge, all);
        for (const double at : {std::abs(double(low)), std::abs(double(high))})
            if (at < kInfinity) farthest = std::max(farthest, at);
    };
    add(box.min.x, box.max.x), add(box.min.y, box.max.y), add(box.min.z, box.max.z);
    return round_up(part * edge + kCoordinateRounding * farthest);
}

struct WorldTree::Impl : HostAllocated<WorldTree::Impl> {
    BroadSetup setup;
    WorldBoxes boxes;
    Vector<float> margins;

    explicit Impl(const BroadSettings& wanted) : setup(wanted) {}

    void build(const Boxes& given, const DVec3& origin) {
        const std::size_t count = given.bounds.size();
        grow(margins, count);
        for (std::size_t i = 0; i < count; ++i) {
            const float margin = given.margins.empty() ? given.margin : given.margins[i];
            margins[i] = round_up(double(margin) + growth_of(given.bounds[i], kWorldGrowth));
        }
        copy_bits(given.groups, count, boxes.groups), copy_bits(given.masks, count, boxes.masks);
        Boxes grown;
        grown.bounds = given.bounds, grown.margins = Strided<float>(margins.data(), count);
        boxes.blocks.build(BoxReader(grown), false, *setup.kernels, setup.workers);
        boxes.origin = origin, boxes.count = count;
    }
};

WorldTree::WorldTree(const BroadSettings& settings) noexcept {
    // A tree that stays empty refuses to build.
    (void)guarded_call([&]() -> CallResult {
        impl_ = std::make_unique<Impl>(settings);
        return {};
    });
}
WorldTree::~WorldTree() = default;
WorldTree::WorldTree(WorldTree&&) noexcept = default;
WorldTree& WorldTree::operator=(WorldTree&&) noexcept = default;

CallResult WorldTree::build(const Boxes& boxes, const DVec3& origin) {
    if (!impl_) return out_of_memory();
    if (!impl_->setup.result) return impl_->setup.result;
    if (CallResult r = check_boxes("", boxes); !r) return r;
    if (!(std::isfinite(origin.x) && std::isfinite(origin.y) && std::isfinite(origin.z)))
        return bad_argument("WorldTree::build: origin is not finite");
    impl_->boxes.count = 0;
    const CallResult result = guarded_call([&]() -> CallResult {
        impl_->build(boxes, origin);
        return {};
    });
    if (!result) impl_->boxes.blocks.clear();
    return result;
}

std::size_t WorldTree::size() const { return impl_ ? impl_->boxes.count : 0; }
std::span<const std::uint32_t> WorldTree::bad() const {
    return impl_ && impl_->boxes.count != 0 ? impl_->boxes.blocks.bad() : std::span<const std::uint32_t>{};
}

const WorldBoxes* boxes_of(const WorldTree& tree) { return tree.impl_ ? &tree.impl_->boxes : nullptr; }

}  // namespace abut
