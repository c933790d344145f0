// STL: binary where the size is what the header's count makes it, else text.
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "checks.hpp"
#include "files.hpp"
#include "words.hpp"

namespace abut::tools {
namespace {

constexpr std::size_t kHeader = 84, kTriangle = 50;

// As a binary header has it; 0 where there is none.
std::uint32_t triangles_of(std::string_view bytes) {
    std::uint32_t count = 0;
    if (bytes.size() >= kHeader) std::memcpy(&count, bytes.data() + kHeader - sizeof count, sizeof count);
    return count;
}

void check_text(std::string_view text, const std::string& name) {
    Words words(text);
    std::size_t facets = 0, corners = 0;
    bool open = false;
    while (words.next_line()) {
        const std::string_view word = words.next();
        const auto fail = [&](const char* what) {
            throw InputError(
                fmt::format("{}: line {}: {}: \"{}\"", name, words.line_number(), what, words.line().substr(0, 80)));
        };
        if (words.line().find('\0') != std::string_view::npos) fail("is no text");
        if (word == "solid") {
            open = true;
        } else if (word == "endsolid") {
            open = false;
        } else if (word == "facet") {
            corners = 0;
        } else if (word == "vertex") {
            ++corners;
            for (int i = 0; i < 3; ++i)
                if (!is_number(words.next())) fail("a vertex needs three finite numbers");
        } else if (word == "endfacet") {
            if (corners != 3) fail("a facet that has not three vertices");
            ++facets;
        } else if (word != "outer" && word != "endloop" && !word.empty()) {
            fail("is no line of an STL text");
        }
    }
    if (open)
        throw InputError(
            fmt::format("{}: is cut short: it ends in line {} without \"endsolid\"", name, words.line_number()));
    if (facets == 0) throw InputError(fmt::format("{}: has no triangles", name));
}

}  // namespace

bool is_binary_stl(std::string_view bytes) {
    const std::uint32_t count = triangles_of(bytes);
    return count > 0 && bytes.size() == kHeader + kTriangle * std::size_t(count);
}

void check_stl(std::string_view bytes, const std::string& name) {
    if (is_binary_stl(bytes)) return;
    if (bytes.substr(0, 5) == "solid") return check_text(bytes, name);
    if (bytes.size() < kHeader)
        throw InputError(
            fmt::format("{}: {} bytes are no STL file, which has {} at least", name, bytes.size(), kHeader));
    const std::uint32_t count = triangles_of(bytes);
    if (count == 0) throw InputError(fmt::format("{}: has no triangles", name));
    const std::size_t size = kHeader + kTriangle * std::size_t(count);
    throw InputError(fmt::format("{}: is {}: a header of {} triangles makes {} bytes, but there are {}", name,
                                 bytes.size() < size ? "cut short" : "no STL file", count, size, bytes.size()));
}

}  // namespace abut::tools
