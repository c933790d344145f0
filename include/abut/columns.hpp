/// @file
/// Columns: the caller's memory in place, an array or a member of the engine's own struct, to read and to write
/// (Strided); containers that grow.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include <abut/status.hpp>

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

// --- Containers that grow ---

/// std::vector, or an engine's container with its own allocator.
template <class Column, class Item>
concept GrowingColumn = requires(Column& column, std::size_t count) {
    { column.capacity() } -> std::convertible_to<std::size_t>;
    column.reserve(count);
    column.resize(count);
    std::span<Item>(column);
};

namespace detail {

// Calls f and returns an error if it runs out of memory. Without exceptions this ends the program, as everywhere.
template <class F>
CallResult within_memory(F&& f) {
#if defined(__cpp_exceptions)
    try {
        f();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "out of memory"};
    } catch (const std::length_error&) {
        return Error{ErrorCode::out_of_memory, "out of memory"};
    }
#else
    f();
#endif
    return {};
}

// Capacity grows by half at least, because frames grow in small steps.
template <class Column>
void make_room(Column& column, std::size_t count) {
    if (count > column.capacity())
        column.reserve(count - column.capacity() < column.capacity() / 2 ? column.capacity() / 2 * 3 : count);
}

// Resizes all columns or, if there is no memory, none.
template <class... Column>
CallResult resize(std::size_t count, Column&... column) {
    const CallResult result = within_memory([&] { (make_room(column, count), ...); });
    if (result) (column.resize(count), ...);
    return result;
}

// As resize, and resizes `bits` to one bit per element.
template <class Bits, class... Column>
CallResult resize_with_bits(std::size_t count, Bits& bits, Column&... column) {
    if (const CallResult room = within_memory([&] { make_room(bits, (count + 31) / 32); }); !room) return room;
    const CallResult result = resize(count, column...);
    if (result) bits.resize((count + 31) / 32);
    return result;
}

}  // namespace detail

}  // namespace abut
