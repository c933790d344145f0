// Numbers as the formats write them: the shortest text that reads back to the same bits.
#pragma once

#include <string>

namespace abut::tools {

// How a number that JSON has no spelling for is written.
enum class NonFinite {
    null,    // results: a reader gets JSON whatever happens
    string,  // captures: "NaN", "Infinity", "-Infinity", "NaN:7fc00001" (another NaN's bits), so that they survive a round trip
};

// Reads back exactly as a float, also by way of a double.
void append_number(std::string& out, float value, NonFinite non_finite = NonFinite::null);
void append_number(std::string& out, double value);

// The nearest float, infinite past its range.
float to_float(double value);

// The inverse of NonFinite::string; false where `text` is none of its spellings.
bool parse_non_finite(const std::string& text, float& value);

}  // namespace abut::tools
