// OFF: the counts of vertices, faces and edges, then a vertex or a face per line; what follows on a line are normals
// and colours. (assimp 5.2 takes an index past the end for the last vertex and half a file for a whole one, and refuses
// comments among the vertices and COFF.)
#include "triangle_file.hpp"
#include "words.hpp"

namespace abut::tools {
namespace {

class OffReader {
public:
    OffReader(std::string_view text, const std::string& name) : name_(name), words_(text) {}

    TriangleFile run() {
        std::string_view word = next_line_word();
        if (word.size() < 3 || word.substr(word.size() - 3) != "OFF")
            throw InputError(name_ + ": is no OFF file: the first word is not \"OFF\"");
        if (word = words_.next(); word.empty() || word[0] == '#') word = next_line_word();
        const std::size_t vertices = whole(word), faces = whole(words_.next());
        for (std::size_t i = 0; i < vertices; ++i) {
            Position p;
            word = next_line_word();
            for (double& x : p) {
                if (!read_number(word, x)) words_.fail(name_, "a vertex needs three finite numbers");
                word = words_.next();
            }
            file_.positions.push_back(p);
        }
        std::vector<std::uint32_t> corners;
        for (std::size_t f = 0; f < faces; ++f) {
            corners.clear();
            for (std::size_t count = whole(next_line_word()); count > 0; --count) {
                corners.push_back(std::uint32_t(whole(words_.next())));
                if (corners.back() >= vertices) words_.fail(name_, "a face of a vertex that is not there");
            }
            file_.add_fan(corners);
        }
        return std::move(file_);
    }

private:
    // The first word of the next line that has one.
    std::string_view next_line_word() {
        while (words_.next_line())
            if (const std::string_view word = words_.next(); !word.empty() && word[0] != '#') return word;
        throw InputError(name_ + ": is cut short: it ends in line " + std::to_string(words_.line_number()));
    }
    std::size_t whole(std::string_view word) const {
        std::uint32_t value = 0;
        if (!read_whole(word, value)) words_.fail(name_, "a whole number is missing");
        return value;
    }

    const std::string& name_;
    Words words_;
    TriangleFile file_;
};

}  // namespace

TriangleFile read_off(std::string_view text, const std::string& name) { return OffReader(text, name).run(); }

}  // namespace abut::tools
