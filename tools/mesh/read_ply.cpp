// PLY: the header says what follows, row by row; all of it must be there. Read are x, y and z of element vertex, the
// corners of element face and the strips of element tristrips.
#include <algorithm>
#include <cstring>

#include "triangle_file.hpp"
#include "words.hpp"

namespace abut::tools {
namespace {

enum class Type { none, i8, u8, i16, u16, i32, u32, f32, f64 };

struct TypeName {
    std::string_view name;
    Type type;
    unsigned size;
};
constexpr TypeName kTypes[] = {
    {"char", Type::i8, 1},   {"int8", Type::i8, 1},     {"uchar", Type::u8, 1},   {"uint8", Type::u8, 1},
    {"short", Type::i16, 2}, {"int16", Type::i16, 2},   {"ushort", Type::u16, 2}, {"uint16", Type::u16, 2},
    {"int", Type::i32, 4},   {"int32", Type::i32, 4},   {"uint", Type::u32, 4},   {"uint32", Type::u32, 4},
    {"float", Type::f32, 4}, {"float32", Type::f32, 4}, {"double", Type::f64, 8}, {"float64", Type::f64, 8},
};

struct Property {
    std::string_view name;
    TypeName count{"", Type::none, 0};  // of a list
    TypeName item{"", Type::none, 0};
};

struct Element {
    std::string_view name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

class PlyReader {
public:
    PlyReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name), words_(bytes) {}

    TriangleFile run() {
        read_header();
        for (const Element& element : elements_) {
            for (std::uint64_t row = 0; row < element.count; ++row) {
                row_.clear();
                for (const Property& property : element.properties)
                    if (!(is_text_ ? read_words(property) : read_bytes(property)))
                        fail("is cut short: it ends in row " + std::to_string(row + 1) + " of " +
                             std::to_string(element.count) + " of element " + std::string(element.name));
                use_row(element);
            }
        }
        for (const Corners& triangle : file_.triangles)
            for (const std::uint32_t corner : triangle)
                if (corner >= file_.positions.size())
                    fail("a face names vertex " + std::to_string(corner) + ", but there are " +
                         std::to_string(file_.positions.size()));
        return std::move(file_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw InputError(name_ + ": " + what); }

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
            else if (word != "comment" && word != "obj_info" && !word.empty())
                words_.fail(name_, "is no line of a PLY header");
        }
        at_ = words_.offset();
        for (const Element& element : elements_)
            if (element.properties.empty() && element.count > 0)
                fail("element " + std::string(element.name) + " has no properties");
    }

    void read_format() {
        const std::string_view format = words_.next();
        is_text_ = format == "ascii";
        is_big_endian_ = format == "binary_big_endian";
        if (!is_text_ && !is_big_endian_ && format != "binary_little_endian")
            words_.fail(name_, "is no format of a PLY file");
    }

    void read_element() {
        Element element;
        element.name = words_.next();
        if (!read_whole(words_.next(), element.count)) words_.fail(name_, "has no count");
        // A row is a byte at least. Told here, before room is made for that many.
        if (element.count > bytes_.size())
            fail("promises " + std::to_string(element.count) + " rows of element " + std::string(element.name) +
                 ", but is " + std::to_string(bytes_.size()) + " bytes long");
        elements_.push_back(element);
    }

    void read_property() {
        if (elements_.empty()) words_.fail(name_, "is a property of no element");
        Property property;
        std::string_view type = words_.next();
        if (type == "list") {
            property.count = type_of(words_.next());
            if (property.count.type >= Type::f32) words_.fail(name_, "counts with fractions");
            type = words_.next();
        }
        property.item = type_of(type);
        property.name = words_.next();
        elements_.back().properties.push_back(property);
    }

    TypeName type_of(std::string_view word) const {
        const auto* const found =
            std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeName& type) { return type.name == word; });
        if (found == std::end(kTypes)) words_.fail(name_, "has a type that is none");
        return *found;
    }

    // Each appends the property's items to the row, a list's after their count. False at the end of the file.
    bool read_words(const Property& property) {
        std::uint64_t items = 1;
        if (property.count.size > 0) {
            const std::string_view word = words_.next_anywhere();
            if (word.empty()) return false;
            if (!read_whole(word, items)) words_.fail(name_, "a list without a count");
            row_.push_back(double(items));
        }
        for (std::uint64_t i = 0; i < items; ++i) {
            const std::string_view word = words_.next_anywhere();
            if (word.empty()) return false;
            row_.emplace_back();
            if (!read_number(word, row_.back())) words_.fail(name_, "a number that is none, or not finite");
        }
        return true;
    }

    bool read_bytes(const Property& property) {
        std::uint64_t items = 1;
        if (property.count.size > 0) {
            if (bytes_.size() - at_ < property.count.size) return false;
            const double count = take(property.count);
            if (count < 0) fail("a list has " + std::to_string(count) + " items");
            items = std::uint64_t(count);
            row_.push_back(count);
        }
        if ((bytes_.size() - at_) / property.item.size < items) return false;
        for (std::uint64_t i = 0; i < items; ++i) row_.push_back(take(property.item));
        return true;
    }

    template <class T>
    double taken() {
        char raw[sizeof(T)];
        std::memcpy(raw, bytes_.data() + at_, sizeof raw);
        at_ += sizeof raw;
        if (is_big_endian_) std::reverse(std::begin(raw), std::end(raw));
        T value;
        std::memcpy(&value, raw, sizeof raw);
        return double(value);
    }
    double take(const TypeName& type) {
        switch (type.type) {
            case Type::i8: return taken<std::int8_t>();
            case Type::u8: return taken<std::uint8_t>();
            case Type::i16: return taken<std::int16_t>();
            case Type::u16: return taken<std::uint16_t>();
            case Type::i32: return taken<std::int32_t>();
            case Type::u32: return taken<std::uint32_t>();
            case Type::f32: return taken<float>();
            default: return taken<double>();
        }
    }

    void use_row(const Element& element) {
        std::size_t at = 0;
        Position p{};
        for (const Property& property : element.properties) {
            const std::size_t items = property.count.size > 0 ? std::size_t(row_[at++]) : 1;
            const bool is_corners = property.name == "vertex_indices" || property.name == "vertex_index";
            if (element.name == "vertex" && property.count.size == 0 && property.name.size() == 1) {
                const std::size_t axis = std::string_view("xyz").find(property.name);
                if (axis < 3) p[axis] = row_[at];
            } else if (element.name == "face" && is_corners) {
                corners_.clear();
                for (std::size_t i = 0; i < items; ++i) corners_.push_back(index_of(row_[at + i]));
                file_.add_fan(corners_);
            } else if (element.name == "tristrips" && is_corners) {
                add_strips(at, items);
            }
            at += items;
        }
        if (element.name == "vertex") file_.positions.push_back(p);
    }

    // -1 ends a strip. Every other triangle is the other way round.
    void add_strips(std::size_t at, std::size_t items) {
        std::size_t first = at;
        for (std::size_t i = at; i < at + items; ++i) {
            if (row_[i] < 0) first = i + 1;
            if (i < first + 2) continue;
            const bool is_odd = (i - first) % 2 != 0;
            file_.add_fan({index_of(row_[i - 2 + is_odd]), index_of(row_[i - 1 - is_odd]), index_of(row_[i])});
        }
    }

    std::uint32_t index_of(double value) const {
        if (!(value >= 0 && value < 4294967295.0) || value != double(std::uint32_t(value)))
            fail("a face names vertex " + std::to_string(value) + ", which is none");
        return std::uint32_t(value);
    }

    std::string_view bytes_;
    const std::string& name_;
    Words words_;
    bool is_text_ = false, is_big_endian_ = false;
    std::vector<Element> elements_;
    std::vector<double> row_;
    std::vector<std::uint32_t> corners_;
    TriangleFile file_;
    std::size_t at_ = 0;  // of the next byte of a binary body
};

}  // namespace

TriangleFile read_ply(std::string_view bytes, const std::string& name) {
    if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
    return PlyReader(bytes, name).run();
}

}  // namespace abut::tools
