#include "nearest_name.hpp"

#include <algorithm>
#include <vector>

namespace abut::tools {
namespace {

std::size_t changes_between(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> table((a.size() + 1) * width);
    const auto at = [&](std::size_t i, std::size_t k) -> std::size_t& { return table[i * width + k]; };
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t k = 0; k <= b.size(); ++k) {
            if (i == 0 || k == 0) {
                at(i, k) = i + k;
                continue;
            }
            const std::size_t other = a[i - 1] == b[k - 1] ? 0 : 1;
            at(i, k) = std::min({at(i - 1, k) + 1, at(i, k - 1) + 1, at(i - 1, k - 1) + other});
            const bool are_swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
            if (are_swapped) at(i, k) = std::min(at(i, k), at(i - 2, k - 2) + 1);
        }
    }
    return table.back();
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> names) {
    constexpr std::size_t kLongest = 64;  // no name is as long
    if (word.size() > kLongest) return "";
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string nearest;
    for (const std::string& name : names) {
        const std::size_t changes = changes_between(word, name);
        if (changes < least) least = changes, nearest = name;
    }
    return nearest;
}

}  // namespace abut::tools
