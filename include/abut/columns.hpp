/// @file
/// Columns: the caller's memory in place, an array or a member of the engine's own struct, to read and to write
/// (Strided); containers that grow.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include <abut/status.hpp>

namespace abut {

/// `count` elements of T to read, the first at `data`, each `stride` bytes after the one before. Both `data` and
/// `stride` are multiples of 4 bytes; of bytes, they may be any.
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

// How many elements a column of an answer has. An answer is that of a pair or a configuration.
enum class ColumnKind : std::uint8_t {
    one_each,         // one per answer
    optional,         // likewise, or none
    bit_words,        // one bit per answer
    hit_list,         // as many as there are hits, or fewer
    first_list,       // one per answer, and one
    manifold_list,    // as many as there are manifolds, or fewer
    contact_list,     // as many as there are contacts, or fewer
    one_per_contact,  // as long as the list of contacts, or none
};
struct AnswerSize {
    std::size_t answers = 0, manifolds = 0, contacts = 0;
};
// None for hits: their number is not known before the answer.
constexpr std::size_t elements(ColumnKind kind, const AnswerSize& size) {
    switch (kind) {
        case ColumnKind::one_each:
        case ColumnKind::optional: return size.answers;
        case ColumnKind::bit_words: return (size.answers + 31) / 32;
        case ColumnKind::hit_list: return 0;
        case ColumnKind::first_list: return size.answers + 1;
        case ColumnKind::manifold_list: return size.manifolds;
        case ColumnKind::contact_list:
        case ColumnKind::one_per_contact: return size.contacts;
    }
    return 0;
}

// Resizes all columns of `out` for an answer and sets `columns` to them. If there is no memory, nothing changes.
template <class Columns, class Out>
CallResult grow(Out& out, Columns& columns, const AnswerSize& size) {
    const auto make = [&](ColumnKind kind, const char*, auto& column) {
        make_room(column, elements(kind, size));
        return true;
    };
    const auto resize = [&](ColumnKind kind, const char*, auto& column, auto& view) {
        column.resize(elements(kind, size));
        view = column;
        return true;
    };
    const CallResult result = within_memory([&] { Columns::each(make, out); });
    if (result) Columns::each(resize, out, columns);
    return result;
}

}  // namespace detail

}  // namespace abut
