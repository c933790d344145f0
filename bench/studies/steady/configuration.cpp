// See configuration.hpp.
#include "studies/steady/configuration.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "scenes/turning.hpp"

namespace abut::steady {
namespace {

using oracle::Vec3d;
using scenes::Random;

constexpr double kYaws[] = {0, 1e-6, 0.01, 0.1, 15, 22.5, 30, 44.99, 45, 60, 90};  // degrees; two random ones follow
constexpr std::size_t kRandomYaws = 2, kYawCount = std::size(kYaws) + kRandomYaws;
constexpr const char* kOffsets[] = {"centred", "half over", "anywhere"};
constexpr double kDepths[] = {5e-3, 1e-3};  // of the size

Quat about_y(double degrees) {
    const double half = degrees * std::numbers::pi / 360;
    return scenes::to_float(0, std::sin(half), 0, std::cos(half));
}

// Where the upper body's axis stands on the lower form.
Vec3d offset_of(const Form& lower, std::size_t offset, Random& random) {
    if (offset == 0) return {};
    if (offset == 1) return {lower.reach_x, 0, 0};
    return {random.uniform(-0.9, 0.9) * lower.reach_x, 0, random.uniform(-0.9, 0.9) * lower.reach_z};
}

Body body_at(const Vec3d& position, const Quat& orientation) {
    return {{float(position.x), float(position.y), float(position.z)}, {}, orientation};
}

// One of each size, yaw and offset. Depth, order and the world's orientation take turns: their periods share no factor
// with the numbers of yaws and offsets, so that each meets each.
Configuration configure(const Row& row, const Form& lower, const Form& upper, std::uint32_t index, std::uint64_t seed) {
    Random random(seed, std::uint64_t(row.index) << 32 | index);
    const std::size_t offset = index % std::size(kOffsets), yaw_index = index / std::size(kOffsets) % kYawCount;
    Configuration c;
    c.index = index;
    c.size = kSizes[index / std::size(kOffsets) / kYawCount];
    c.lower = scaled(lower, c.size);
    c.upper = scaled(upper, c.size);
    const double depth = kDepths[index % 2];
    c.swapped = index / 2 % 2;
    const bool turned = index / 4 % 2;
    const double random_yaw = random.uniform(0, 360),
                 yaw = yaw_index < std::size(kYaws) ? kYaws[yaw_index] : random_yaw;
    const Quat world = turned ? random.orientation() : Quat{};
    const Vec3d origin = turned ? random.direction() * (3 * c.size) : Vec3d{};
    const oracle::Rotation rotation = oracle::rotation_of(world);
    c.up = rotation * Vec3d{0, 1, 0};
    const Vec3d centre =
        offset_of(c.lower, offset, random) + Vec3d{0, c.lower.above + c.upper.below - depth * c.size, 0};
    c.lower_body = body_at(origin, scenes::product(world, lower.rest));
    c.upper_body = body_at(Vec3d(c.lower_body.position) + rotation * centre,
                           scenes::product(world, scenes::product(about_y(yaw), upper.rest)));
    c.name = fmt::format("{}, {} m, yaw {:.6g}, {}, {:g} deep{}{}", row.name, c.size, yaw, kOffsets[offset], depth,
                         turned ? ", world turned" : "", c.swapped ? ", swapped" : "");
    return c;
}

void add_row(std::vector<Row>& rows, const Form& upper, const Form& lower, std::uint64_t seed) {
    Row row;
    row.name = upper.name + " on " + lower.name;
    row.index = std::uint32_t(rows.size());
    for (std::uint32_t i = 0; i < std::size(kSizes) * kYawCount * std::size(kOffsets); ++i)
        row.configurations.push_back(configure(row, lower, upper, i, seed));
    rows.push_back(std::move(row));
}

}  // namespace

std::vector<Row> make_rows(std::uint64_t seed) {
    std::vector<Row> rows;
    for (const Form& upper : resting_forms()) {
        for (const char* lower : {"ground", "halfspace", "box"}) add_row(rows, upper, form(lower), seed);
        if (upper.name != "box") add_row(rows, upper, upper.flat_above ? upper : upside_down(upper), seed);
    }
    constexpr const char* kMore[][2] = {
        {"box", "cylinder"},      {"box", "prism12"},        {"box", "plank"},        {"box", "two-boxes"},
        {"box", "lying-capsule"}, {"box", "lying-cylinder"}, {"prism12", "cylinder"}, {"cylinder", "prism12"},
        {"cone", "cylinder"},     {"cylinder", "frustum8"},  {"prism6", "prism5"},    {"lying-capsule", "cylinder"}};
    for (const auto& [upper, lower] : kMore) add_row(rows, form(upper), form(lower), seed);
    add_row(rows, form("frustum4"), upside_down(form("frustum4")), seed);
    return rows;
}

std::vector<Row> choose(const std::vector<Row>& rows, std::string_view kind, std::string_view only, double size) {
    std::vector<Row> chosen;
    for (const Row& row : rows) {
        if (row.name.find(kind) == std::string::npos) continue;
        Row some{row.name, row.index, {}};
        for (const Configuration& c : row.configurations)
            if ((size == 0 || c.size == size) && c.name.find(only) != std::string::npos)
                some.configurations.push_back(c);
        if (!some.configurations.empty()) chosen.push_back(std::move(some));
    }
    return chosen;
}

Noise::Noise(const Row& row, const Configuration& configuration, std::size_t level, NoiseMode mode, std::uint64_t seed)
    : random_(seed + 1 + level, std::uint64_t(row.index) << 32 | configuration.index),
      rest_(configuration.upper_body),
      noise_(kNoises[level]),
      size_(configuration.size),
      mode_(mode) {}

Body Noise::next() {
    constexpr double kFarthest = 10;
    const auto step = [&](const Vec3d& from) {
        const Vec3d moved = (mode_ == NoiseMode::walk ? from : Vec3d{}) + random_.direction() * noise_;
        const double far = length(moved) / kFarthest;
        return far > noise_ ? moved * (noise_ / far) : moved;
    };
    turn_ = step(turn_);
    shift_ = step(shift_);
    return body_at(Vec3d(rest_.position) + shift_ * size_, scenes::slightly_turned(rest_.orientation, turn_));
}

}  // namespace abut::steady
