// What a user may have meant by a word that is no name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace abut::tools {

// The name that fewest changes make of the word, the first of equal ones; empty where none is near. A change is a
// letter more, less or other, or two neighbours swapped [Damerau 1964]; at most one in three letters.
std::string nearest_name(std::string_view word, std::span<const std::string> names);

}  // namespace abut::tools
