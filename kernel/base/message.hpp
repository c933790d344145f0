// Error messages, composed without heap memory.
#pragma once

#include <charconv>
#include <concepts>
#include <string_view>

#include <abut/status.hpp>

namespace abut {

inline void append(Message& message, std::string_view part) { message.append(part); }

// Appends the shortest digits that read back as the same value, in any locale.
template <class Number>
requires(std::integral<Number> || std::floating_point<Number>) void append(Message& message, Number value) {
    char digits[32];
    message.append({digits, std::size_t(std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
}

// Concatenates texts and numbers.
template <class... Part>
Message message_of(const Part&... parts) {
    Message message;
    (append(message, parts), ...);
    return message;
}

// "name[i]"
inline Message numbered(const char* name, std::size_t i) { return message_of(name, "[", i, "]"); }

inline Error out_of_memory() { return {ErrorCode::out_of_memory, "out of memory"}; }
inline Error bad_shape(const Message& message) { return {ErrorCode::bad_shape, message}; }
inline Error bad_argument(const Message& message) { return {ErrorCode::bad_argument, message}; }

}  // namespace abut
