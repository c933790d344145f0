// Little-endian numbers in bytes, on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <abut/math.hpp>

namespace abut::cooking {

// Counts bytes, and writes them if it has memory.
class ByteOutput {
public:
    explicit ByteOutput(std::byte* at) : at_(at) {}
    std::size_t count() const { return count_; }

    template <class Unsigned>
    void put(Unsigned value) {
        for (std::size_t i = 0; at_ != nullptr && i < sizeof value; ++i)
            at_[count_ + i] = std::byte(value >> 8 * i & 0xff);
        count_ += sizeof value;
    }
    void put(float value) { put(std::bit_cast<std::uint32_t>(value)); }
    void put(double value) { put(std::bit_cast<std::uint64_t>(value)); }
    void put(Vec3 v) { put(v.x), put(v.y), put(v.z); }
    void put_magic(const char* eight) {
        for (std::size_t i = 0; i < 8; ++i) put(std::uint8_t(eight[i]));
    }
    // Puts `size` and, if there is memory, lets write(span) fill the next `size` bytes.
    template <class Write>
    void put_block(std::size_t size, Write&& write) {
        put(std::uint64_t(size));
        if (at_ != nullptr) write(std::span(at_ + count_, size));
        count_ += size;
    }
    // Puts the number of items, then the items as they are in the memory of a little-endian machine.
    template <class T>
    void put_items(std::span<const T> items) {
        static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
        put(std::uint32_t(items.size()));
        if (at_ != nullptr && !items.empty()) std::memcpy(at_ + count_, items.data(), items.size_bytes());
        count_ += items.size_bytes();
    }

private:
    std::byte* at_;
    std::size_t count_ = 0;
};

// Reads numbers with a check: after the end of the bytes, has_failed() is true and all numbers are 0.
class ByteInput {
public:
    explicit ByteInput(std::span<const std::byte> bytes) : rest_(bytes) {}
    bool has_failed() const { return has_failed_; }
    bool is_at_end() const { return rest_.empty(); }

    template <class Unsigned>
    Unsigned take() {
        const auto bytes = take_bytes(sizeof(Unsigned));
        if (bytes.empty()) return 0;
        Unsigned value = 0;
        for (std::size_t i = 0; i < sizeof value; ++i)
            value = Unsigned(value | Unsigned(std::uint64_t(bytes[i]) << 8 * i));
        return value;
    }
    std::uint32_t take_word() { return take<std::uint32_t>(); }
    float take_float() { return std::bit_cast<float>(take_word()); }
    double take_double() { return std::bit_cast<double>(take<std::uint64_t>()); }
    Vec3 take_vec3() {
        const float x = take_float(), y = take_float(), z = take_float();
        return {x, y, z};
    }
    std::span<const std::byte> take_bytes(std::uint64_t size) {
        if (size > rest_.size()) has_failed_ = true;
        if (has_failed_) return {};
        const auto taken = rest_.first(std::size_t(size));
        rest_ = rest_.subspan(std::size_t(size));
        return taken;
    }
    // The length of a list whose items have at least `least` bytes. Fails if the remaining bytes are too few for the
    // list.
    std::uint32_t take_length(std::size_t least) {
        const std::uint32_t length = take_word();
        if (length > rest_.size() / least) has_failed_ = true;
        return has_failed_ ? 0 : length;
    }
    // Reads a list that put_items wrote.
    template <class Items>
    void take_items(Items& items) {
        using T = typename Items::value_type;
        items.resize(take_length(sizeof(T)));
        const auto bytes = take_bytes(items.size() * sizeof(T));
        if (!bytes.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
    }

private:
    std::span<const std::byte> rest_;
    bool has_failed_ = false;
};

// A checksum of all bytes except the eight at `own`, its own position. FNV-1a, because any change of a single byte
// changes it.
inline std::uint64_t byte_checksum(std::span<const std::byte> bytes, std::size_t own) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (i < own || i >= own + sizeof sum) sum = (sum ^ std::uint64_t(bytes[i])) * 0x100000001b3u;
    return sum;
}

}  // namespace abut::cooking
