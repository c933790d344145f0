/// @file
/// Strided columns: the caller's memory in place, an array or a member of the engine's own struct.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace abut {

/// `count` elements of T to read, the first at `data`, each `stride` bytes after the one before. Both `data` and
/// `stride` are multiples of 4 bytes.
template <class T>
class Strided {
public:
    constexpr Strided() = default;
    /// Elements at `data`, each `stride` bytes after the one before.
    constexpr Strided(const T* data, std::size_t count, std::size_t stride = sizeof(T))
        : data_(data), count_(count), stride_(stride) {}
    /// A vector, an array, a span.
    template <class Items>
    requires std::convertible_to<const Items&, std::span<const T>>
    constexpr Strided(const Items& items)
        : Strided(std::span<const T>(items).data(), std::span<const T>(items).size()) {}

    /// The number of elements.
    constexpr std::size_t size() const { return count_; }
    /// Whether there is no element.
    constexpr bool empty() const { return count_ == 0; }
    /// Bytes from one element to the next.
    constexpr std::size_t stride() const { return stride_; }
    /// Where element i is; nothing is read.
    const std::byte* address(std::size_t i) const { return reinterpret_cast<const std::byte*>(data_) + i * stride_; }
    /// `count` elements from `first` on.
    Strided subspan(std::size_t first, std::size_t count) const {
        return {reinterpret_cast<const T*>(address(first)), count, stride_};
    }
    /// A member of each T, `offset` bytes from its start. It reads nothing, so that any address is allowed.
    template <class Member>
    Strided<Member> member(std::size_t offset) const {
        return {reinterpret_cast<const Member*>(address(0) + offset), count_, stride_};
    }
    /// A copy of element i.
    T operator[](std::size_t i) const {
        T item;
        std::memcpy(static_cast<void*>(&item), address(i), sizeof(T));
        return item;
    }

private:
    const T* data_ = nullptr;
    std::size_t count_ = 0, stride_ = sizeof(T);
};

/// As Strided, but to read and to write.
template <class T>
class MutableStrided {
public:
    constexpr MutableStrided() = default;
    /// Elements at `data`, each `stride` bytes after the one before.
    constexpr MutableStrided(T* data, std::size_t count, std::size_t stride = sizeof(T))
        : data_(data), count_(count), stride_(stride) {}
    /// A span, a vector.
    constexpr MutableStrided(std::span<T> items) : MutableStrided(items.data(), items.size()) {}
    constexpr MutableStrided(std::vector<T>& items) : MutableStrided(items.data(), items.size()) {}

    /// The number of elements.
    constexpr std::size_t size() const { return count_; }
    /// Whether there is no element.
    constexpr bool empty() const { return count_ == 0; }
    /// Bytes from one element to the next.
    constexpr std::size_t stride() const { return stride_; }
    /// Where element i is; nothing is read.
    std::byte* address(std::size_t i) const { return reinterpret_cast<std::byte*>(data_) + i * stride_; }
    /// `count` elements from `first` on.
    MutableStrided subspan(std::size_t first, std::size_t count) const {
        return {reinterpret_cast<T*>(address(first)), count, stride_};
    }
    /// Element i.
    T& operator[](std::size_t i) const { return *reinterpret_cast<T*>(address(i)); }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0, stride_ = sizeof(T);
};

}  // namespace abut
