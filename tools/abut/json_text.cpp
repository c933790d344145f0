// A SAX handler that builds the tree itself, because only there can depth, repeated keys and overflow be seen.
#include "json_text.hpp"

#include <vector>

#include <fmt/format.h>

#include "json_string.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 64;    // compounds of depth kMaxCompoundDepth need 3 levels each
constexpr int kMaxOverflows = 64;        // each costs a fresh start
constexpr std::size_t kMaxDetail = 200;  // bytes of the parser's own words
constexpr int kNumberOverflow = 406;     // nlohmann's out_of_range.406
constexpr std::string_view kHuge = "1e308";

class TreeBuilder final : public json::json_sax_t {
public:
    explicit TreeBuilder(json& root) : root_(root) {}

    std::string error;
    std::size_t overflow_begin = 0, overflow_end = 0;  // of the number past double's range, where that ended the parse

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        auto& members = open_.back()->get_ref<json::object_t&>();
        const auto [member, inserted] = members.try_emplace(std::move(name));
        member_ = &member->second;
        if (!inserted) error = fmt::format("key {} is given twice", json_string(member->first));
        return inserted;
    }

    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& why) override {
        if (why.id == kNumberOverflow && token.size() <= position) {
            overflow_begin = position - token.size();
            overflow_end = position;
        }
        std::string_view detail = why.what();
        if (const std::size_t end = detail.find(": "); end != detail.npos) detail.remove_prefix(end + 2);
        error = fmt::format("not JSON: byte {}: {}", position, detail.substr(0, kMaxDetail));
        return false;
    }

private:
    // Pointers to open containers stay valid: a container does not grow while one inside it is open.
    json* place(json&& value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (open_.back()->is_object()) {
            *member_ = std::move(value);
            return member_;
        }
        return &open_.back()->get_ref<json::array_t&>().emplace_back(std::move(value));
    }
    template <class T>
    bool add(T&& value) {
        place(json(std::forward<T>(value)));
        return true;
    }
    bool open(json&& container) {
        if (open_.size() == kMaxDepth) {
            error = fmt::format("nested deeper than {} levels", kMaxDepth);
            return false;
        }
        open_.push_back(place(std::move(container)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    json& root_;
    std::vector<json*> open_;
    json* member_ = nullptr;  // where the value of the key just read goes
};

// Puts +-1e308 over a number past double's range (which has at least as many characters); the lexer has vouched for its
// form.
void tame(std::string& text, std::size_t begin, std::size_t end) {
    const bool negative = text[begin] == '-';
    std::string number = negative ? "-" : "";
    number += kHuge;
    number.resize(end - begin, ' ');
    text.replace(begin, end - begin, number);
}

}  // namespace

// From the leaves up; as deep as kMaxDepth.
void JsonText::take_apart(json& value) noexcept {
    if (value.is_array()) {
        for (auto& items = value.get_ref<json::array_t&>(); !items.empty(); items.pop_back()) take_apart(items.back());
    } else if (value.is_object()) {
        auto& members = value.get_ref<json::object_t&>();
        for (auto& member : members) take_apart(member.second);
        members.clear();
    }
}

JsonText parse_json(std::string& text) {
    for (int overflows = 0;; ++overflows) {
        JsonText result;
        TreeBuilder builder(result.value);
        if (json::sax_parse(text, &builder)) return result;
        result.error = std::move(builder.error);
        const bool overflowed = builder.overflow_end > builder.overflow_begin + kHuge.size() - 1;
        if (!overflowed || overflows == kMaxOverflows) return result;
        tame(text, builder.overflow_begin, builder.overflow_end);
    }
}

std::string json_string(std::string_view text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_utf8(std::string_view text) {
    try {
        (void)json(text).dump();
        return true;
    } catch (const json::type_error&) {
        return false;
    }
}

}  // namespace abut::tools
