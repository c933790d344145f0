// Frame: one batch as the caller's engine already has it. abut reads it in place and keeps no pointer past the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/trace.hpp>

namespace abut {

// 32 bytes: one fetch a body, two in a cache line.
struct Body {
    Vec3 position;
    ShapeId shape;
    Quat orientation;
};
static_assert(sizeof(Body) == 32 && alignof(Body) == 4);

// Indices into the frame's bodies. (i, i) is allowed.
struct Pair {
    std::uint32_t a = 0, b = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
};
static_assert(sizeof(Pair) == 8);

// `count` T's, the first at `data`, each `stride` bytes after the one before: a column of its own or a member of the engine's own
// struct. Both `data` and `stride` are multiples of 4 bytes.
template <class T>
class Strided {
public:
    constexpr Strided() = default;
    constexpr Strided(const T* data, std::size_t count, std::size_t stride = sizeof(T))
        : data_(reinterpret_cast<const std::byte*>(data)), count_(count), stride_(stride) {}
    constexpr Strided(std::span<const T> items) : Strided(items.data(), items.size()) {}
    constexpr Strided(const std::vector<T>& items) : Strided(items.data(), items.size()) {}

    constexpr std::size_t size() const { return count_; }
    constexpr std::size_t stride() const { return stride_; }
    const std::byte* address(std::size_t i) const { return data_ + i * stride_; }
    T operator[](std::size_t i) const {
        T item;
        std::memcpy(static_cast<void*>(&item), address(i), sizeof(T));
        return item;
    }

private:
    const std::byte* data_ = nullptr;
    std::size_t count_ = 0, stride_ = sizeof(T);
};

// What abut remembers of a pair from one frame to the next: opaque, owned by the caller, trivially copyable. Zero bytes are an empty cache.
// Whatever abut wrote is safe, of any pair, frame or store, and so are damaged and random bytes (but for a chance of 2^-48); only a cache of the
// same pair saves work. No content reads or writes out of bounds. What abut did not write can be forged so that a pair that overlaps is far: a
// host takes caches only from where it takes poses (docs/numerics.md, "Warm starts").
struct alignas(4) WarmCache {
    std::byte opaque[32] = {};
};

class ShapeStore;

struct Frame {
    const ShapeStore* shapes = nullptr;
    Strided<Body> bodies;
    Strided<Pair> pairs;
    // Optional, one value per pair: the speculative margin of `collide` in metres, instead of Settings::speculative_margin.
    std::span<const float> margins = {};
    // Optional, one cache per pair, read and written by all three queries; empty ones in a pair's first frame. Those of
    // pairs with a compound, which always start cold, are left alone. See warm_table.hpp.
    std::span<WarmCache> caches = {};
    // Optional, one trace per pair, written by all three queries: what the pair went through. It costs some time.
    std::span<PairTrace> traces = {};
};

}  // namespace abut
