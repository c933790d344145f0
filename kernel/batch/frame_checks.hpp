// Checks of columns, bodies and frames. An error names the argument and the value. The checks of each query are in
// api/call_checks.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include <abut/frame.hpp>
#include <abut/status.hpp>

namespace abut {

// The error messages are out of line, because the checks are a visible cost of small calls.
CallResult bad_room(const char* name, std::size_t room, std::size_t wanted);
CallResult bad_data(const char* name, const void* data, std::size_t count, std::size_t alignment);
CallResult bad_stride(const char* name, std::size_t stride, std::size_t item);

// `alignment`: a power of two.
inline bool is_good_data(const void* data, std::size_t count, std::size_t alignment) {
    return (data != nullptr || count == 0) && (reinterpret_cast<std::uintptr_t>(data) & (alignment - 1)) == 0;
}

inline CallResult check_room(const char* name, std::size_t room, std::size_t wanted) {
    return room >= wanted ? CallResult{} : bad_room(name, room, wanted);
}
inline CallResult check_column(const char* name, const void* data, std::size_t alignment, std::size_t room,
                               std::size_t wanted) {
    return is_good_data(data, room, alignment) ? check_room(name, room, wanted) : bad_data(name, data, room, alignment);
}

// An optional column may be empty.
template <class T>
CallResult check_size(const char* name, std::span<T> span, std::size_t wanted, bool optional) {
    return optional && span.empty() ? CallResult{} : check_column(name, span.data(), alignof(T), span.size(), wanted);
}

inline CallResult check_strided(const char* name, const std::byte* data, std::size_t count, std::size_t stride,
                                std::size_t item) {
    if (count == 0) return {};
    const std::size_t alignment = item < 4 ? item : 4;
    if (!is_good_data(data, count, alignment)) return bad_data(name, data, count, alignment);
    return stride >= item && stride % alignment == 0 ? CallResult{} : bad_stride(name, stride, item);
}

template <class T>
CallResult check_strided(const char* name, const Strided<T>& items) {
    return check_strided(name, items.address(0), items.size(), items.stride(), sizeof(T));
}

// Checks an optional column, which has at least `wanted` items if it is not empty.
template <class Column>
CallResult check_column(const char* name, const Column& items, std::size_t wanted) {
    if (items.empty()) return {};
    using Item = std::remove_cvref_t<decltype(items[0])>;
    if (const CallResult r = check_strided(name, items.address(0), items.size(), items.stride(), sizeof(Item)); !r)
        return r;
    return check_room(name, items.size(), wanted);
}

inline constexpr const char* kExpectedMargin = "0 or more, finite";
inline bool is_margin(float value) { return value >= 0.0f && value <= std::numeric_limits<float>::max(); }
CallResult check_margin(const char* name, float value);

// Checks the columns of an answer. A good column costs no CallResult.
template <class Columns>
CallResult check_columns(const detail::AnswerSize& size, const Columns& out) {
    CallResult result;
    const auto check = [&](detail::ColumnKind kind, const char* name, auto column) {
        using enum detail::ColumnKind;
        if (column.empty() && kind != one_each && kind != bit_words && kind != first_list) return true;
        // first_manifold may be empty if there are no pairs.
        const std::size_t wanted = kind == first_list && size.answers == 0 ? 0 : detail::elements(kind, size);
        constexpr std::size_t kAlignment = alignof(typename decltype(column)::element_type);
        if (is_good_data(column.data(), column.size(), kAlignment) && column.size() >= wanted) return true;
        result = check_size(name, column, wanted, false);
        return false;
    };
    Columns::each(check, out);
    return result;
}

// Poses are not read if the pairs have their own.
CallResult check_bodies(const char* name, const Bodies& bodies, bool pairs_have_poses);
// Checks what all queries need of a frame.
CallResult check_arguments(const Frame& frame);

}  // namespace abut
