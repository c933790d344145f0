// What a shape's numbers must satisfy before they get into a table. A refusal names the field and its value.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

namespace abut {

// Shortest digits that read back as the same float, whatever the host's locale.
inline std::string to_digits(float value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return std::string(digits, end);
}

inline Error bad_shape(std::string message) { return {ErrorCode::bad_shape, std::move(message)}; }

// Nothing where `value` may be a length.
inline std::optional<Error> check_length(const char* field, float value) {
    if (std::isfinite(value) && value >= 0.0f) return std::nullopt;
    return bad_shape(std::string(field) + " must be finite and at least 0, but is " + to_digits(value));
}

inline std::optional<Error> check_options(const InstanceOptions& options) {
    if (auto error = check_length("rounding", options.rounding)) return error;
    const Vec3 s = options.scale;
    const std::string text = "(" + to_digits(s.x) + ", " + to_digits(s.y) + ", " + to_digits(s.z) + ")";
    if (!std::isfinite(s.x) || !std::isfinite(s.y) || !std::isfinite(s.z))
        return bad_shape("scale must be finite, but is " + text);
    if (s == Vec3{1.0f, 1.0f, 1.0f}) return std::nullopt;
    return Error{ErrorCode::unsupported, "scale other than (1, 1, 1) is not supported in this version, but is " + text};
}

}  // namespace abut
