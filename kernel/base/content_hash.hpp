// A hash of numbers' bits, the same on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <abut/math.hpp>

namespace abut {

// Hashes one word after the other [MurmurHash3's finaliser].
class ContentHash {
public:
    explicit ContentHash(std::uint64_t start = 0x9e3779b97f4a7c15u) : value_(start) {}
    void add(std::uint64_t word) {
        value_ = (value_ ^ word) * 0xff51afd7ed558ccdu;
        value_ ^= value_ >> 33;
    }
    void add(std::uint32_t word) { add(std::uint64_t(word)); }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
    void add(Vec3 v) { add(v.x), add(v.y), add(v.z); }
    void add(const Quat& q) {
        for (const std::uint64_t word : std::bit_cast<std::array<std::uint64_t, 2>>(q)) add(word);
    }
    std::uint32_t value() const { return static_cast<std::uint32_t>((value_ * 0xc4ceb9fe1a85ec53u) >> 32); }
    std::uint64_t long_value() const { return value_; }

private:
    std::uint64_t value_;
};

}  // namespace abut
