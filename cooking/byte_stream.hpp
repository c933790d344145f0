// Little-endian numbers in bytes, on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <abut/math.hpp>

namespace abut::cooking {

class ByteWriter {
public:
    explicit ByteWriter(std::byte* at) : at_(at) {}
    template <class Unsigned>
    void put(Unsigned value) {
        for (std::size_t i = 0; i < sizeof value; ++i) *at_++ = std::byte(value >> 8 * i & 0xff);
    }
    void put(float value) { put(std::bit_cast<std::uint32_t>(value)); }
    void put(Vec3 v) { put(v.x), put(v.y), put(v.z); }

private:
    std::byte* at_;
};

// The caller has checked that there are so many bytes.
class ByteReader {
public:
    explicit ByteReader(const std::byte* at) : at_(at) {}
    template <class Unsigned>
    Unsigned take() {
        Unsigned value = 0;
        for (std::size_t i = 0; i < sizeof value; ++i) value = Unsigned(value | Unsigned(std::uint64_t(*at_++) << 8 * i));
        return value;
    }
    float take_float() { return std::bit_cast<float>(take<std::uint32_t>()); }
    Vec3 take_vec3() {
        const float x = take_float(), y = take_float(), z = take_float();
        return {x, y, z};
    }

private:
    const std::byte* at_;
};

}  // namespace abut::cooking
