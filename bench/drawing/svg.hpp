// SVG pictures without scripts, for light and dark pages: any browser shows them, and nothing is needed to make them.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace abut::bench {

struct Point {
    double x = 0, y = 0;
};

// `look` is any of the words "middle", "end", "faint", "bold", "small" for texts, "grid" or "weak" for lines; "" is
// plain.
class Svg {
public:
    // The title is what a screen reader says.
    Svg(double width, double height, const std::string& title);

    void text(Point at, const std::string& words, const std::string& look = "");
    void line(Point from, Point to, const std::string& look);
    // In the colour of the series: so many differ, then they repeat.
    void bar(Point corner, double width, double height, std::size_t series);
    void key(Point from, double length, std::size_t series);
    void polyline(const std::vector<Point>& points, std::size_t series);
    std::string finish() &&;

private:
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    }

    std::string out_;
};

// The power of ten at or below, and at or above.
double decade_below(double value);
double decade_above(double value);

// A logarithmic axis.
class LogScale {
public:
    // `from` and `to` are the screen positions of its ends. Precondition: 0 < low < high.
    LogScale(double low, double high, double from, double to) : low_(low), high_(high), from_(from), to_(to) {}
    double low() const { return low_; }
    double high() const { return high_; }
    double operator()(double value) const;

private:
    double low_, high_, from_, to_;
};

}  // namespace abut::bench
