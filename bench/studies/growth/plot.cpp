#include "studies/growth/plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "drawing/svg.hpp"

namespace abut::bench {
namespace {

constexpr double kWidth = 740, kHeight = 440, kLeft = 64, kRight = 560, kTop = 24, kBottom = 380;

struct Range {
    double low = HUGE_VAL, high = 0;

    void take(double value) { low = std::min(low, value), high = std::max(high, value); }
    double share(double value) const { return std::log(value / low) / std::log(high / low); }
};

Range range_of(const std::vector<GrowthLine>& lines, std::vector<double> GrowthLine::*values) {
    Range range;
    for (const GrowthLine& line : lines) {
        for (const double value : line.*values) range.take(value);
    }
    return range;
}

class Plot {
public:
    explicit Plot(const std::vector<GrowthLine>& lines)
        : lines_(lines),
          vertices_(range_of(lines, &GrowthLine::vertices)),
          ns_(range_of(lines, &GrowthLine::ns)),
          y_(decade_below(ns_.low), decade_above(ns_.high), kBottom, kTop),
          svg_(kWidth, kHeight, "nanoseconds per pair against the vertices of each hull") {}

    std::string draw(const std::string& caption) && {
        draw_grid();
        for (std::size_t i = 0; i < lines_.size(); ++i) draw_line(lines_[i], i);
        svg_.text({(kLeft + kRight) / 2, kBottom + 34}, "vertices of each hull", "middle");
        svg_.text({kLeft - 56, kTop - 8}, "ns per pair");
        svg_.text({kLeft - 56, kHeight - 8}, caption, "faint small");
        return std::move(svg_).finish();
    }

private:
    double x(double vertices) const { return kLeft + (kRight - kLeft) * vertices_.share(vertices); }

    void draw_grid() {
        for (double v = std::exp2(std::ceil(std::log2(vertices_.low))); v <= vertices_.high; v *= 2) {
            svg_.line({x(v), kTop}, {x(v), kBottom}, "weak");
            svg_.text({x(v), kBottom + 16}, fmt::format("{:.0f}", v), "middle");
        }
        for (double ns = y_.low(); ns <= y_.high() * 1.001; ns *= 10) {
            for (int i = 2; i < 10 && ns * i < y_.high(); ++i)
                svg_.line({kLeft, y_(ns * i)}, {kRight, y_(ns * i)}, "weak");
            svg_.line({kLeft, y_(ns)}, {kRight, y_(ns)}, "grid");
            svg_.text({kLeft - 6, y_(ns) + 4}, fmt::format("{:.0f}", ns), "end");
        }
    }

    void draw_line(const GrowthLine& line, std::size_t place) {
        std::vector<Point> points;
        for (std::size_t i = 0; i < line.ns.size(); ++i) points.push_back({x(line.vertices[i]), y_(line.ns[i])});
        svg_.polyline(points, place);
        const double at = kTop + 12 + 18 * double(place);
        svg_.key({kRight + 12, at}, 20, place);
        svg_.text({kRight + 38, at + 4}, line.name);
    }

    const std::vector<GrowthLine>& lines_;
    Range vertices_, ns_;
    LogScale y_;
    Svg svg_;
};

}  // namespace

std::string growth_svg(const std::vector<GrowthLine>& lines, const std::string& caption) {
    return Plot(lines).draw(caption);
}

}  // namespace abut::bench
