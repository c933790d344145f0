// PLY: the header says what follows, row by row; all of it must be there.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "checks.hpp"
#include "files.hpp"
#include "words.hpp"

namespace abut::tools {
namespace {

struct Property {
    unsigned list_size = 0;  // bytes of a list's count; 0: no list
    unsigned size = 0;       // bytes of an item
    bool real = false;
};

struct Element {
    std::string_view name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

struct Header {
    bool text = false, big_endian = false;
    std::vector<Element> elements;
};

class PlyChecker {
public:
    PlyChecker(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name), words_(bytes) {}

    void run() {
        read_header();
        for (const Element& element : header_.elements) {
            for (std::uint64_t row = 0; row < element.count; ++row) {
                for (const Property& property : element.properties) {
                    if (header_.text ? skip_words(property) : skip_bytes(property)) continue;
                    fail(fmt::format("is cut short: it ends in row {} of {} of element {}", row + 1, element.count,
                                     element.name));
                }
            }
        }
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", name_, what)); }
    [[noreturn]] void fail_line(const char* what) const {
        fail(fmt::format("line {}: {}: \"{}\"", words_.line_number(), what, words_.line().substr(0, 80)));
    }

    void read_header() {
        if (!words_.next_line() || words_.next() != "ply") fail("is no PLY file: the first line is not \"ply\"");
        for (;;) {
            if (!words_.next_line()) fail("is cut short: the header has no \"end_header\"");
            const std::string_view word = words_.next();
            if (word == "end_header") break;
            if (word == "format")
                read_format();
            else if (word == "element")
                read_element();
            else if (word == "property")
                read_property();
            else if (word != "comment" && word != "obj_info")
                fail_line("is no line of a PLY header");
        }
        at_ = words_.offset();
        const auto is_face = [](const Element& e) { return e.name == "face" && e.count > 0; };
        if (std::none_of(header_.elements.begin(), header_.elements.end(), is_face)) fail("has no faces");
        for (const Element& element : header_.elements)
            if (element.properties.empty()) fail(fmt::format("element {} has no properties", element.name));
    }

    void read_format() {
        const std::string_view format = words_.next();
        header_.text = format == "ascii";
        header_.big_endian = format == "binary_big_endian";
        if (!header_.text && !header_.big_endian && format != "binary_little_endian")
            fail_line("is no format of a PLY file");
    }

    void read_element() {
        Element element;
        element.name = words_.next();
        const std::string_view count = words_.next();
        if (std::from_chars(count.data(), count.data() + count.size(), element.count).ec != std::errc())
            fail_line("has no count");
        // A row is a byte at least. Told here, before a reader makes room for that many.
        if (element.count > bytes_.size())
            fail(fmt::format("promises {} rows of element {}, but is {} bytes long", element.count, element.name,
                             bytes_.size()));
        header_.elements.push_back(element);
    }

    void read_property() {
        if (header_.elements.empty()) fail_line("is a property of no element");
        Property property;
        std::string_view type = words_.next();
        if (type == "list") {
            bool real = false;
            property.list_size = size_of(words_.next(), real);
            if (real) fail_line("counts with fractions");
            type = words_.next();
        }
        property.size = size_of(type, property.real);
        header_.elements.back().properties.push_back(property);
    }

    unsigned size_of(std::string_view type, bool& real) const {
        const auto is = [&](std::string_view a, std::string_view b) { return type == a || type == b; };
        real = is("float", "float32") || is("double", "float64");
        if (is("char", "int8") || is("uchar", "uint8")) return 1;
        if (is("short", "int16") || is("ushort", "uint16")) return 2;
        if (is("int", "int32") || is("uint", "uint32") || is("float", "float32")) return 4;
        if (is("double", "float64")) return 8;
        fail_line("has a type that is none");
    }

    bool skip_words(const Property& property) {
        std::uint64_t items = 1;
        if (property.list_size > 0) {
            const std::string_view word = words_.next_anywhere();
            if (word.empty()) return false;
            if (std::from_chars(word.data(), word.data() + word.size(), items).ec != std::errc())
                fail_line("a list without a count");
        }
        for (std::uint64_t i = 0; i < items; ++i) {
            const std::string_view word = words_.next_anywhere();
            if (word.empty()) return false;
            if (!is_number(word)) fail_line("a number that is none, or not finite");
        }
        return true;
    }

    bool skip_bytes(const Property& property) {
        std::uint64_t items = 1;
        if (property.list_size > 0) {
            if (bytes_.size() - at_ < property.list_size) return false;
            items = count_at(property.list_size);
            at_ += property.list_size;
        }
        if ((bytes_.size() - at_) / property.size < items) return false;
        at_ += std::size_t(items) * property.size;
        return true;
    }

    std::uint64_t count_at(unsigned size) const {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < size; ++i)
            value |= std::uint64_t(std::uint8_t(bytes_[at_ + (header_.big_endian ? size - 1 - i : i)])) << (8 * i);
        return value;
    }

    std::string_view bytes_;
    const std::string& name_;
    Words words_;
    Header header_;
    std::size_t at_ = 0;  // of the next byte of a binary body
};

}  // namespace

void check_ply(std::string_view bytes, const std::string& name) { PlyChecker(bytes, name).run(); }

}  // namespace abut::tools
