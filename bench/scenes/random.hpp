// Random numbers that are the same on every platform: splitmix64 [Steele, Lea, Flood 2014] and nothing but sqrt on top
// of it. Who draws twice draws in two statements, or between braces: compilers differ in which argument or operand
// comes first.
#pragma once

#include <cstdint>

#include <abut/math.hpp>

#include "support/oracle/vec.hpp"

namespace abut::scenes {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    // A stream of its own for item `index` of what `seed` makes: items may then be made in any order.
    Random(std::uint64_t seed, std::uint64_t index) : state_(Random(seed ^ index * 0xd1342543de82ef95ull).bits()) {}

    std::uint64_t bits() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        return z ^ z >> 31;
    }
    // Below `count`, which is small: the bias is far below what any scene could show.
    std::uint32_t below(std::uint32_t count) { return std::uint32_t((bits() >> 32) * count >> 32); }
    bool chance(double probability) { return uniform() < probability; }
    double uniform() { return double(bits() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    oracle::Vec3d direction() {
        for (;;) {
            const oracle::Vec3d v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double square = dot(v, v);
            if (square > 1e-4 && square <= 1) return v / std::sqrt(square);
        }
    }
    Quat orientation() {
        for (;;) {
            const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1), w = uniform(-1, 1);
            const double square = x * x + y * y + z * z + w * w;
            if (square < 1e-4 || square > 1) continue;
            const double s = 1 / std::sqrt(square);
            return {float(x * s), float(y * s), float(z * s), float(w * s)};
        }
    }

private:
    std::uint64_t state_;
};

}  // namespace abut::scenes
