// Numbers as the formats write them: the shortest text that reads back to the same bits.
#pragma once

#include <string>

namespace abut::tools {

// Reads back exactly as a float, also by way of a double. What JSON has no number for is a string: "NaN", "Infinity",
// "-Infinity", "NaN:7fc00001" (another NaN's bits). Captures hold such values; answers of `abut query` never do.
void append_number(std::string& out, float value);
void append_number(std::string& out, double value);

// The nearest float, infinite past its range.
float to_float(double value);

// Reads the strings of append_number; false where `text` is none of its spellings.
bool parse_non_finite(const std::string& text, float& value);

}  // namespace abut::tools
