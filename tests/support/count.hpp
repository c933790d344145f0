// A count of cases that are wrong. A failing CHECK(wrong == 0) says which was the first.
#pragma once

#include <concepts>
#include <cstddef>
#include <ostream>

namespace abut::test {

class Count {
public:
    // One more case; `wrong`: whether it is, or how many of its parts are.
    template <std::integral T>
    Count& operator+=(T wrong) {
        if (wrong != 0 && wrong_ == 0) first_ = cases_;
        wrong_ += std::size_t(wrong);
        ++cases_;
        return *this;
    }
    Count& operator++() { return *this += 1; }

    operator std::size_t() const { return wrong_; }
    template <std::integral T>
    friend bool operator==(const Count& count, T number) {
        return count.wrong_ == std::size_t(number);
    }
    friend std::ostream& operator<<(std::ostream& out, const Count& count) {
        out << count.wrong_;
        if (count.wrong_ != 0) out << " wrong of " << count.cases_ << " cases, the first is case " << count.first_;
        return out;
    }

private:
    std::size_t wrong_ = 0, cases_ = 0, first_ = 0;
};

}  // namespace abut::test
