// A text's lines, and a line's words.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "output_file.hpp"

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
        const std::size_t begin = first_of(rest_, false);
        if (begin == rest_.size()) return rest_ = {};
        rest_.remove_prefix(begin);
        const std::string_view word = rest_.substr(0, first_of(rest_, true));
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
    // What is left of the line, without blanks around it.
    std::string_view rest() {
        rest_.remove_prefix(first_of(rest_, false));
        while (!rest_.empty() && is_blank(rest_.back())) rest_.remove_suffix(1);
        return rest_;
    }
    void skip_line() { rest_ = {}; }
    std::string_view line() const { return whole_; }
    std::size_t line_number() const { return number_; }  // from 1
    std::size_t offset() const { return at_; }           // of the next line

    // An InputError that shows the line.
    [[noreturn]] void fail(const std::string& name, const std::string& what) const {
        throw InputError(name + ": line " + std::to_string(number_) + ": " + what + ": \"" +
                         std::string(whole_.substr(0, 80)) + "\"");
    }

private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
    static std::size_t first_of(std::string_view text, bool blank) {
        std::size_t i = 0;
        while (i < text.size() && is_blank(text[i]) != blank) ++i;
        return i;
    }

    std::string_view text_, whole_, rest_;
    std::size_t at_ = 0, number_ = 0;
};

// Whether a word is a number that float32 holds, and which.
inline bool read_number(std::string_view word, double& value) {
    if (!word.empty() && word[0] == '+') word.remove_prefix(1);
    value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range && std::fabs(value) < 1.0) {  // an underflow
        value = 0;
        return true;
    }
    return error == std::errc() && end == word.data() + word.size() &&
           std::fabs(value) <= double(std::numeric_limits<float>::max());
}

// A whole number, and nothing after it.
template <class T>
bool read_whole(std::string_view word, T& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
}

}  // namespace abut::tools
