// A text's lines, and a line's words.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

namespace abut::tools {

class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}

    // To the next line; false at the text's end.
    bool next_line() {
        if (at_ >= text_.size()) return false;
        const std::size_t end = text_.find('\n', at_);
        whole_ = rest_ = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 1;
        ++number_;
        return true;
    }
    // The line's next word, empty where there is none.
    std::string_view next() {
        const std::size_t begin = rest_.find_first_not_of(kBlanks);
        if (begin == std::string_view::npos) return rest_ = {};
        rest_.remove_prefix(begin);
        const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlanks));
        rest_.remove_prefix(word.size());
        return word;
    }
    // The next word of this line or of those after it, empty at the text's end.
    std::string_view next_anywhere() {
        for (;;) {
            if (const std::string_view word = next(); !word.empty()) return word;
            if (!next_line()) return {};
        }
    }
    std::string_view line() const { return whole_; }
    std::size_t line_number() const { return number_; }  // from 1
    std::size_t offset() const { return at_; }           // of the next line

private:
    static constexpr const char* kBlanks = " \t\r\v\f";

    std::string_view text_, whole_, rest_;
    std::size_t at_ = 0, number_ = 0;
};

// Whether a word is a number that float32 holds.
inline bool is_number(std::string_view word) {
    if (!word.empty() && word[0] == '+') word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range) return std::fabs(value) < 1.0;  // an underflow
    return error == std::errc() && end == word.data() + word.size() &&
           std::fabs(value) <= double(std::numeric_limits<float>::max());
}

}  // namespace abut::tools
