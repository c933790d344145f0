// Shortest round-trip printing by std::to_chars [Adams, Ryu, 2018], mended where a detour through double would round
// twice.
#include "numbers.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace abut::tools {
namespace {

constexpr std::uint32_t kPlainNan = 0x7fc00000;

// JSON readers take "-0" for an integer and lose its sign.
void append_text(std::string& out, const char* first, const char* last) {
    out.append(first, last);
    if (last - first == 2 && first[0] == '-' && first[1] == '0') out.append(".0");
}

void append_non_finite(std::string& out, float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if (std::isinf(value))
        out.append(value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else if (bits == kPlainNan)
        out.append("\"NaN\"");
    else
        fmt::format_to(std::back_inserter(out), "\"NaN:{:08x}\"", bits);
}

}  // namespace

void append_number(std::string& out, float value) {
    if (!std::isfinite(value)) return append_non_finite(out, value);
    char text[32];
    char* last = std::to_chars(text, text + sizeof text, value).ptr;
    // The shortest decimal may lie so close to the middle of two floats that a double rounds onto it.
    double read_back = 0;
    std::from_chars(text, last, read_back);
    if (float(read_back) != value) {
        last = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 9).ptr;
    }
    append_text(out, text, last);
}

void append_number(std::string& out, double value) {
    if (!std::isfinite(value)) return append_non_finite(out, float(value));
    char text[40];
    append_text(out, text, std::to_chars(text, text + sizeof text, value).ptr);
}

float to_float(double value) {
    constexpr double kPastFloat = 0x1.ffffffp127;  // halfway from the largest float to the next power of two
    if (std::fabs(value) >= kPastFloat)
        return std::copysign(std::numeric_limits<float>::infinity(), float(std::copysign(1.0, value)));
    return float(value);
}

bool parse_non_finite(const std::string& text, float& value) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (text == "Infinity")
        value = kInfinity;
    else if (text == "-Infinity")
        value = -kInfinity;
    else if (text == "NaN")
        value = std::bit_cast<float>(kPlainNan);
    else if (text.size() == 12 && text.starts_with("NaN:")) {
        std::uint32_t bits = 0;
        const auto [end, error] = std::from_chars(text.data() + 4, text.data() + 12, bits, 16);
        if (error != std::errc{} || end != text.data() + 12 || !std::isnan(std::bit_cast<float>(bits))) return false;
        value = std::bit_cast<float>(bits);
    } else {
        return false;
    }
    return true;
}

}  // namespace abut::tools
