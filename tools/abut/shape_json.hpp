// Shapes and rows of numbers as JSON, both ways.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "shape_spec.hpp"

namespace abut::tools {

enum class NumberRule {
    strict,    // a number past float's range is an error
    infinite,  // it is read as an infinity
    capture,   // it is an error, and the strings of append_number are numbers too
};

// Reads a list of exactly `skip` items and `out.size()` numbers after them. Returns what is wrong, or nothing.
std::string read_floats(const nlohmann::json& json, std::size_t skip, std::span<float> out, NumberRule rule);

// Reads a number, or a list of the numbers of a vector or quaternion. Returns what is wrong, or nothing.
std::string read_value(const nlohmann::json& json, float& out, NumberRule rule);
template <class Vector>
inline constexpr std::size_t kNumbers = sizeof(Vector) / sizeof(float);
template <class Vector>
std::string read_value(const nlohmann::json& json, Vector& out, NumberRule rule) {
    std::array<float, kNumbers<Vector>> numbers{};
    std::string problem = read_floats(json, 0, numbers, rule);
    out = std::bit_cast<Vector>(numbers);
    return problem;
}

// What the formats call a rotation: a quaternion, or in the plane an angle in radians.
constexpr const char* rotation_name(const Quat&) { return "quat"; }
constexpr const char* rotation_name(float) { return "angle"; }

// Every field is there, of the right type and within float's range, and none is unknown; whether values lie in their
// domain is the store's question. Errors name the field.
Expected<ShapeSpec> shape_from_json(const nlohmann::json& json, NumberRule rule);

void append_shape(std::string& out, const ShapeSpec& spec);

}  // namespace abut::tools
