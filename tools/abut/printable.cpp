#include "printable.hpp"

#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "utf8.hpp"

namespace abut::tools {
namespace {

bool is_printable(std::uint32_t code) {
    const auto within = [&](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
    return !(code < 0x20 || within(0x7f, 0x9f) || within(0x200e, 0x200f) || within(0x2028, 0x202e) ||
             within(0x2066, 0x2069));
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Utf8Character next = first_character(text);
        const std::size_t length = next.length > 0 ? next.length : 1;
        if (next.length > 0 && is_printable(next.code)) {
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
