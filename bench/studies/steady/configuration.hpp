// Configurations: a resting pair each, one shape on another with a yaw, an offset and a depth; and the poses of its
// frames under noise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <abut/frame.hpp>

#include "scenes/random.hpp"
#include "studies/steady/form.hpp"

namespace abut::steady {

inline constexpr double kNoises[] = {0, 1e-6, 1e-5, 1e-4, 1e-3};  // radians, and as much of the size
inline constexpr std::size_t kNoiseCount = std::size(kNoises);
inline constexpr double kSizes[] = {0.01, 1, 10};  // metres
inline constexpr double kMarginShare = 0.02;       // speculative margin, of the size
inline constexpr double kBreakingShare = 0.02;     // of the size: how far matching by distance looks

struct Configuration {
    std::string name;         // "prism12 on box, 1 m, yaw 22.5, half over, 5e-3 deep, swapped"
    std::uint32_t index = 0;  // in the row, whatever is left out
    double size = 1;
    Form lower, upper;            // of that size
    bool swapped = false;         // the pair lists the upper body first
    oracle::Vec3d up;             // world
    Body lower_body, upper_body;  // at rest; without shapes
    float margin() const { return float(kMarginShare * size); }
};

// One kind on another: a row of the table.
struct Row {
    std::string name;  // "prism12 on box"
    std::uint32_t index = 0;
    std::vector<Configuration> configurations;
};

// All rows with all configurations. `seed` chooses random yaws, offsets and orientations of the world.
std::vector<Row> make_rows(std::uint64_t seed);
// What is left of `rows` where row names contain `kind`, configuration names `only`, and sizes are `size` (0: all).
std::vector<Row> choose(const std::vector<Row>& rows, std::string_view kind, std::string_view only, double size);

// The upper body, frame after frame. Independent: every frame's noise is its own. Walk: it adds up, to ten times its
// size at most.
enum class NoiseMode : bool { independent, walk };
class Noise {
public:
    Noise(const Row& row, const Configuration& configuration, std::size_t level, NoiseMode mode, std::uint64_t seed);
    Body next();  // without a shape

private:
    scenes::Random random_;
    Body rest_;
    double noise_, size_;
    NoiseMode mode_;
    oracle::Vec3d turn_, shift_;
};

}  // namespace abut::steady
