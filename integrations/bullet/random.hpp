// Random numbers that are the same everywhere: SplitMix64 [Steele, Lea, Flood 2014] (the standard library's
// distributions differ).
#pragma once

#include <cstdint>

namespace abut::tools {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    double uniform(double low, double high) { return low + (high - low) * (double(next() >> 11) * 0x1p-53); }
    std::uint32_t below(std::uint32_t count) { return std::uint32_t((next() >> 32) * count >> 32); }

private:
    std::uint64_t state_;
};

}  // namespace abut::tools
