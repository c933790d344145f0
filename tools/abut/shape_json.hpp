// Shapes and rows of numbers as JSON, both ways.
#pragma once

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

// Every field is there, of the right type and within float's range, and none is unknown; whether values lie in their
// domain is the store's question. Errors name the field.
Expected<ShapeSpec> shape_from_json(const nlohmann::json& json, NumberRule rule);

void append_shape(std::string& out, const ShapeSpec& spec);

}  // namespace abut::tools
