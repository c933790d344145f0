// A hash of a shape's bits, the same on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace abut {

// Words one after the other [MurmurHash3's finaliser].
class ContentHash {
public:
    void add(std::uint32_t word) {
        value_ = (value_ ^ word) * 0xff51afd7ed558ccdu;
        value_ ^= value_ >> 33;
    }
    void add(double number) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        add(static_cast<std::uint32_t>(bits)), add(static_cast<std::uint32_t>(bits >> 32));
    }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
    std::uint32_t value() const { return static_cast<std::uint32_t>((value_ * 0xc4ceb9fe1a85ec53u) >> 32); }

private:
    std::uint64_t value_ = 0x9e3779b97f4a7c15u;
};

}  // namespace abut
