// OBJ: lines of v, f, o and g; everything else is left out. Nothing in it says how long it is, so each line that
// matters must be whole.
#include <map>

#include "triangle_file.hpp"
#include "words.hpp"

namespace abut::tools {
namespace {

class ObjReader {
public:
    ObjReader(std::string_view text, const std::string& name) : name_(name), words_(text) {}

    TriangleFile run() {
        while (words_.next_line()) {
            const std::string_view word = words_.next();
            if (word == "v")
                read_vertex();
            else if (word == "f")
                read_face();
            else if (word == "o" || word == "g")
                begin_group(words_.rest());
            else if (word.find('\0') != std::string_view::npos)
                words_.fail(name_, "is no text");
        }
        if (highest_ > file_.positions.size()) {
            highest_at_.fail(
                name_, "a face of a vertex that is not there; there are " + std::to_string(file_.positions.size()));
        }
        return std::move(file_);
    }

private:
    void read_vertex() {
        Position p;
        for (double& x : p)
            if (!read_number(words_.next(), x)) words_.fail(name_, "a vertex needs three finite numbers");
        file_.positions.push_back(p);
    }

    // Corners are v, v/vt, v/vt/vn or v//vn. A negative index counts from the last vertex.
    void read_face() {
        corners_.clear();
        for (std::string_view word = words_.next(); !word.empty() && word[0] != '#'; word = words_.next()) {
            long index = 0;
            const std::string_view vertex = word.substr(0, word.find('/'));
            if (!read_whole(vertex, index) || index == 0 || index > 0xffffffffL)
                words_.fail(name_, "a face needs three corners or more, each a vertex's number");
            if (index < 0) index += long(file_.positions.size()) + 1;
            if (index <= 0) words_.fail(name_, "a face of a vertex that is not there");
            if (std::size_t(index) > highest_) highest_ = std::size_t(index), highest_at_ = words_;
            corners_.push_back(std::uint32_t(index - 1));
        }
        if (corners_.size() < 3) words_.fail(name_, "a face needs three corners or more, each a vertex's number");
        if (file_.objects.empty()) begin_group({});
        for (std::size_t i = 2; i < corners_.size(); ++i) {
            file_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
            file_.object_of.push_back(group_);
        }
    }

    // A group may be continued further down.
    void begin_group(std::string_view name) {
        const auto [place, is_new] = groups_.try_emplace(std::string(name), std::uint32_t(file_.objects.size()));
        if (is_new) file_.begin_object(name);
        group_ = place->second;
    }

    const std::string& name_;
    Words words_, highest_at_{{}};
    TriangleFile file_;
    std::vector<std::uint32_t> corners_;
    std::map<std::string, std::uint32_t> groups_;
    std::uint32_t group_ = 0;
    std::size_t highest_ = 0;
};

// A line that ends with a backslash is continued by the next one. Lines keep their number: the blanks go to their end.
std::string joined(std::string_view text) {
    std::string out;
    std::size_t owed = 0;  // line ends that were taken out
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t next = i + 1 + (text.substr(i + 1, 1) == "\r");
        if (text[i] == '\\' && text.substr(next, 1) == "\n") {
            out += ' ';
            ++owed;
            i = next;
        } else if (text[i] == '\n') {
            out.append(owed + 1, '\n');
            owed = 0;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace

TriangleFile read_obj(std::string_view text, const std::string& name) {
    std::string changed;
    if (text.find('\\') != std::string_view::npos) text = changed = joined(text);
    if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) {
        changed = text;
        for (char& c : changed) c = c == '\r' ? '\n' : c;
        text = changed;
    }
    return ObjReader(text, name).run();
}

}  // namespace abut::tools
