// UTF-8, a character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace abut::tools {

struct Utf8Character {
    std::uint32_t code = 0;
    std::size_t length = 0;  // bytes; 0: not UTF-8
};

// The first character of `text`, which is not empty. Overlong forms, surrogates and codes past U+10FFFF are not UTF-8.
inline Utf8Character first_character(std::string_view text) {
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x80) return {first, 1};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc0 || first >= 0xf8 || text.size() < length) return {};
    std::uint32_t code = first & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0) != 0x80) return {};
        code = code << 6 | (next & 0x3f);
    }
    const bool valid = code >= kLeast[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? Utf8Character{code, length} : Utf8Character{};
}

inline bool is_valid_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = first_character(text).length;
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace abut::tools
