// STL: binary where the size is what the header's count makes it, else text.
#include <cstring>

#include "triangle_file.hpp"
#include "words.hpp"

namespace abut::tools {
namespace {

constexpr std::size_t kHeader = 84, kTriangle = 50;

std::string lower(std::string_view word) {
    std::string out(word);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return out;
}

class StlText {
public:
    StlText(std::string_view text, const std::string& name) : name_(name), words_(text) {}

    TriangleFile run() {
        for (std::string_view word = words_.next_anywhere(); !word.empty(); word = words_.next_anywhere()) {
            if (word.find('\0') != std::string_view::npos) words_.fail(name_, "is no text");
            read(lower(word));
        }
        if (in_facet_)
            throw InputError(name_ + ": is cut short: it ends in line " + std::to_string(words_.line_number()) +
                             " within a facet");
        if (file_.triangles.empty()) throw InputError(name_ + ": has no triangles");
        if (in_solid_) file_.remarks.emplace_back("ends without \"endsolid\"; it may be cut short");
        return std::move(file_);
    }

private:
    void read(const std::string& word) {
        if (word == "solid" || word == "endsolid") {
            in_solid_ = word == "solid";
            if (in_solid_) file_.begin_object(words_.rest());
            words_.skip_line();
        } else if (word == "facet") {
            in_facet_ = true;
            corners_.clear();
            for (int i = 0; i < 4; ++i) words_.next_anywhere();  // normal x y z, which may be no numbers
        } else if (word == "vertex") {
            Position p;
            for (double& x : p)
                if (!read_number(words_.next_anywhere(), x)) words_.fail(name_, "a vertex needs three finite numbers");
            corners_.push_back(std::uint32_t(file_.positions.size()));
            file_.positions.push_back(p);
        } else if (word == "endfacet") {
            if (corners_.size() != 3) words_.fail(name_, "a facet that has not three vertices");
            file_.add_fan(corners_);
            in_facet_ = false;
        } else if (word != "outer" && word != "loop" && word != "endloop") {
            words_.fail(name_, "is no line of an STL text");
        }
    }

    const std::string& name_;
    Words words_;
    TriangleFile file_;
    std::vector<std::uint32_t> corners_;
    bool in_solid_ = false, in_facet_ = false;
};

TriangleFile read_binary(std::string_view bytes, std::uint32_t count) {
    TriangleFile file;
    file.begin_object({});
    file.positions.reserve(3 * std::size_t(count));
    for (std::uint32_t t = 0; t < count; ++t) {
        float corners[9];
        std::memcpy(corners, bytes.data() + kHeader + kTriangle * t + 12, sizeof corners);
        for (int i = 0; i < 3; ++i) file.positions.push_back({corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]});
        file.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    file.object_of.resize(count, 0);
    return file;
}

}  // namespace

TriangleFile read_stl(std::string_view bytes, const std::string& name) {
    std::uint32_t count = 0;
    if (bytes.size() >= kHeader) std::memcpy(&count, bytes.data() + kHeader - sizeof count, sizeof count);
    const std::size_t size = kHeader + kTriangle * std::size_t(count);
    if (count > 0 && bytes.size() == size && count < 0xffffffffu / 3) return read_binary(bytes, count);
    std::string owner;
    const std::string_view text = utf8_of(bytes, owner);
    if (text.empty()) throw InputError(name + ": is empty");
    if (lower(text.substr(0, 5)) == "solid" && text.substr(0, kHeader).find('\0') == std::string_view::npos)
        return StlText(text, name).run();
    if (bytes.size() < kHeader)
        throw InputError(name + ": " + std::to_string(bytes.size()) + " bytes are no STL file, which has " +
                         std::to_string(kHeader) + " at least");
    if (count == 0) throw InputError(name + ": has no triangles");
    // Some exporters put a few bytes behind the last triangle. More of them would be triangles that the count forgot.
    if (bytes.size() > size && bytes.size() - size < kTriangle && count < 0xffffffffu / 3) {
        TriangleFile file = read_binary(bytes, count);
        file.remarks.push_back(std::to_string(bytes.size() - size) + " bytes after the last triangle are not read");
        return file;
    }
    throw InputError(name + ": is " + (bytes.size() < size ? "cut short" : "no STL file") + ": a header of " +
                     std::to_string(count) + " triangles makes " + std::to_string(size) + " bytes, but there are " +
                     std::to_string(bytes.size()));
}

}  // namespace abut::tools
