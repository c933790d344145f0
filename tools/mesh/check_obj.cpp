// OBJ: nothing in it says how long it is; each line that matters must be whole.
#include <fmt/format.h>

#include "checks.hpp"
#include "files.hpp"
#include "words.hpp"

namespace abut::tools {

void check_obj(std::string_view text, const std::string& name) {
    Words words(text);
    std::size_t vertices = 0, faces = 0;
    while (words.next_line()) {
        const auto fail = [&](const char* what) {
            throw InputError(
                fmt::format("{}: line {}: {}: \"{}\"", name, words.line_number(), what, words.line().substr(0, 80)));
        };
        if (words.line().find('\0') != std::string_view::npos) fail("is no text");
        const std::string_view word = words.next();
        if (word == "v") {
            ++vertices;
            for (int i = 0; i < 3; ++i)
                if (!is_number(words.next())) fail("a vertex needs three finite numbers");
        } else if (word == "f") {
            ++faces;
            for (int i = 0; i < 3; ++i) {
                long index = 0;
                const std::string_view corner = words.next();
                if (std::from_chars(corner.data(), corner.data() + corner.size(), index).ec != std::errc() ||
                    index == 0)
                    fail("a face needs three corners or more, each a vertex's number");
                if (index > 0 ? std::size_t(index) > vertices : std::size_t(-index) > vertices)
                    fail("a face of a vertex that is not there");
            }
        }
    }
    if (faces == 0) throw InputError(fmt::format("{}: has no faces ({} vertices)", name, vertices));
}

}  // namespace abut::tools
