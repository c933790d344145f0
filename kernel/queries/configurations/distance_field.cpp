// See distance_field.hpp. The values of adjacent cubes differ by at most a cube's edge, which bounds each walk down the
// tree.
#include "queries/configurations/distance_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/scratch_columns.hpp"
#include "shapes/compound_tree.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// Cubes per child, and the least and the largest number of cubes: larger tables leave the caches, smaller ones decide
// less.
constexpr std::size_t kCubesPerChild = 8, kLeastCubes = 1 << 12, kMostCubes = 1 << 18;
constexpr std::size_t kMostKept = 16;
constexpr float kEdgeGrowth = 1.08f;
// Lengths in metres whose squares are floats. Compounds with lengths beyond these limits have no field.
constexpr float kShortest = 1e-12f, kLongest = 1e12f;

// Sets a grid of at most `most` equal cubes.
void set_grid(DistanceField& field, Vec3 low, Vec3 high, std::size_t most) {
    const float lengths[3] = {high.x - low.x, high.y - low.y, high.z - low.z}, lows[3] = {low.x, low.y, low.z};
    const float longest = std::max({lengths[0], lengths[1], lengths[2]});
    const auto cubes = [&] {
        for (int axis = 0; axis < 3; ++axis) field.count[axis] = std::uint32_t(lengths[axis] / field.edge) + 1;
        return std::size_t(field.count[0]) * field.count[1] * field.count[2];
    };
    for (field.edge = longest / 512; cubes() > most;) field.edge *= kEdgeGrowth;
    for (int axis = 0; axis < 3; ++axis) {
        field.low[axis] = lows[axis];
        field.middle[axis] = float((double(lows[axis]) + lows[axis] + lengths[axis]) * 0.5);
    }
}

class FieldValues {
public:
    FieldValues(const ShapeTables& tables, const CompoundGeometry& compound, bool are_balls)
        : tables_(tables), compound_(compound), are_balls_(are_balls) {}

    // The value at a point, if it is at most `most`.
    float at(const Vec3d& point, double most) const {
        const Volume volume = box_volume({point, point});
        double least = most;
        descend(
            compound_.nodes, [&] { return limit_of(volume, least); },
            [&](const SixteenBoxes& boxes, float* bounds) { lower_bounds(boxes, volume, bounds); },
            [&](std::uint32_t child, float squared) {
            least = std::min(least, distance(point, child, squared));
            return true;
            });
        return float(least);
    }

private:
    double distance(const Vec3d& point, std::uint32_t child, float squared) const {
        if (!are_balls_) return std::sqrt(double(squared));
        const CompoundPart& part = compound_.parts[child];
        return maths::norm(point - part.centre) - tables_.record(part.instance).radius;
    }

    const ShapeTables& tables_;
    const CompoundGeometry& compound_;
    const bool are_balls_;
};

}  // namespace

void build_field(const ShapeTables& tables, const CompoundGeometry& compound, DistanceField& field) {
    field = {};
    const Vec3 low = compound.bounds_min, high = compound.bounds_max;
    const float longest = std::max({high.x - low.x, high.y - low.y, high.z - low.z}),
                farthest = std::max({-low.x, -low.y, -low.z, high.x, high.y, high.z});
    if (compound.parts.size() <= kMostWithoutField || !(longest > kShortest) || !(farthest < kLongest)) return;
    field.are_balls = std::all_of(compound.parts.begin(), compound.parts.end(),
                                  [](const CompoundPart& part) { return part.instance.kind() == ShapeKind::sphere; });
    set_grid(field, low, high, std::clamp(kCubesPerChild * compound.parts.size(), kLeastCubes, kMostCubes));
    field.values.reserve(std::size_t(field.count[0]) * field.count[1] * field.count[2]);
    const FieldValues values(tables, compound, field.are_balls);
    const double edge = field.edge;
    const auto middle = [&](int axis, std::uint32_t i) { return field.low[axis] + (i + 0.5) * edge; };
    double near = INFINITY;
    for (std::uint32_t z = 0; z < field.count[2]; ++z) {
        for (std::uint32_t y = 0; y < field.count[1]; ++y) {
            for (std::uint32_t x = 0; x < field.count[0]; ++x) {
                // The cube before this one in the row; at the start of a row, the first cube of the row before.
                if (x == 0 && y + z != 0)
                    near = field.values[field.values.size() - (y != 0 ? 1 : field.count[1]) * field.count[0]];
                near = values.at({middle(0, x), middle(1, y), middle(2, z)}, near + edge * 1.001);
                field.values.push_back(float(near));
            }
        }
    }
}

const DistanceField* DistanceFields::of(const ShapeTables& tables, ShapeId compound) {
    const CompoundGeometry& geometry = tables.compound(compound);
    if (geometry.parts.size() <= kMostWithoutField) return nullptr;
    const std::uint64_t content = tables.identity(compound).content;
    auto found = std::find_if(known_.begin(), known_.end(), [&](const std::unique_ptr<Known>& one) {
        return one->content == content && one->children == geometry.parts.size();
    });
    if (found == known_.end()) {
        auto made = std::make_unique<Known>();
        made->content = content, made->children = geometry.parts.size();
        build_field(tables, geometry, made->field);
        known_.push_back(std::move(made));
        found = known_.end() - 1;
    }
    (*found)->is_asked = true;
    return (*found)->field.values.empty() ? nullptr : &(*found)->field;
}

void DistanceFields::trim() {
    if (known_.size() > kMostKept)
        std::erase_if(known_, [](const std::unique_ptr<Known>& one) { return !one->is_asked; });
    for (const std::unique_ptr<Known>& one : known_) one->is_asked = false;
}

std::size_t DistanceFields::bytes() const {
    std::size_t bytes = bytes_of(known_);
    for (const std::unique_ptr<Known>& one : known_) bytes += sizeof *one + bytes_of(one->field.values);
    return bytes;
}

}  // namespace abut
