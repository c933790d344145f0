// Checks the numbers of a shape before they are stored. Errors name the field and its value.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

#include "base/message.hpp"

namespace abut {

// An error for a null pointer with a count.
template <class T>
std::optional<Error> check_data(const char* name, std::span<const T> items) {
    if (items.data() != nullptr || items.empty()) return std::nullopt;
    return bad_argument(message_of(name, " is null, with a count of ", items.size()));
}

// No error if `value` may be a length.
inline std::optional<Error> check_length(const char* field, float value) {
    if (std::isfinite(value) && value >= 0.0f) return std::nullopt;
    return bad_shape(message_of(field, " must be finite and at least 0, but is ", value));
}

inline std::optional<Error> check_positive(const char* field, float value) {
    if (std::isfinite(value) && value > 0.0f) return std::nullopt;
    return bad_shape(message_of(field, " must be finite and above 0, but is ", value));
}

inline std::optional<Error> check_finite(const char* field, float value) {
    if (std::isfinite(value)) return std::nullopt;
    return bad_shape(message_of(field, " must be finite, but is ", value));
}

inline std::optional<Error> check_sides(MeshSides sides) {
    if (sides == MeshSides::front || sides == MeshSides::both) return std::nullopt;
    return Error{ErrorCode::bad_argument, message_of("sides is ", unsigned(sides), ", which is no MeshSides")};
}

// Checks each component of a vector by `check`. Messages name field.x, field.y or field.z.
inline std::optional<Error> check_each(const char* field, Vec3 v, std::optional<Error> (*check)(const char*, float)) {
    if (auto error = check(message_of(field, ".x").c_str(), v.x)) return error;
    if (auto error = check(message_of(field, ".y").c_str(), v.y)) return error;
    return check(message_of(field, ".z").c_str(), v.z);
}

}  // namespace abut
