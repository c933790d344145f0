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

// Short enough that making it allocates nothing.
inline Error out_of_memory() { return {ErrorCode::out_of_memory, "out of memory"}; }

inline Error bad_shape(std::string message) { return {ErrorCode::bad_shape, std::move(message)}; }

// Nothing where `value` may be a length.
inline std::optional<Error> check_length(const char* field, float value) {
    if (std::isfinite(value) && value >= 0.0f) return std::nullopt;
    return bad_shape(std::string(field) + " must be finite and at least 0, but is " + to_digits(value));
}

inline std::optional<Error> check_positive(const char* field, float value) {
    if (std::isfinite(value) && value > 0.0f) return std::nullopt;
    return bad_shape(std::string(field) + " must be finite and above 0, but is " + to_digits(value));
}

inline std::optional<Error> check_finite(const char* field, float value) {
    if (std::isfinite(value)) return std::nullopt;
    return bad_shape(std::string(field) + " must be finite, but is " + to_digits(value));
}

// The same of a vector's components, named field.x and so on.
inline std::optional<Error> check_each(const char* field, Vec3 v, std::optional<Error> (*check)(const char*, float)) {
    if (auto error = check((std::string(field) + ".x").c_str(), v.x)) return error;
    if (auto error = check((std::string(field) + ".y").c_str(), v.y)) return error;
    return check((std::string(field) + ".z").c_str(), v.z);
}

}  // namespace abut
