#include "printable.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace abut::tools {
namespace {

struct Decoded {
    std::uint32_t code = 0;
    std::size_t length = 0;  // bytes; 0: not UTF-8
};

// The first character of `text`, which has one at least. Overlong forms, surrogates and codes past U+10FFFF are not UTF-8.
Decoded decode(std::string_view text) {
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
    return valid ? Decoded{code, length} : Decoded{};
}

bool is_printable(std::uint32_t code) {
    const auto within = [&](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
    return !(code < 0x20 || within(0x7f, 0x9f) || within(0x200e, 0x200f) || within(0x2028, 0x202e) || within(0x2066, 0x2069));
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Decoded decoded = decode(text);
        const std::size_t length = decoded.length > 0 ? decoded.length : 1;
        if (decoded.length > 0 && is_printable(decoded.code)) {
            out.append(text.substr(0, length));
        } else {
            for (const char byte : text.substr(0, length)) {
                fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte));
            }
        }
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace abut::tools
