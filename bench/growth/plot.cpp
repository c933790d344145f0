// Written by hand, so that nothing is needed to make it and any browser shows it.
#include "growth/plot.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace abut::bench {
namespace {

constexpr double kWidth = 720, kHeight = 440, kLeft = 64, kRight = 560, kTop = 24, kBottom = 380;
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#888888", "#f0e442"};

struct Range {
    double low = HUGE_VAL, high = 0;

    void take(double value) { low = std::min(low, value), high = std::max(high, value); }
    double share(double value) const { return std::log(value / low) / std::log(high / low); }
};

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

class Plot {
public:
    explicit Plot(const std::vector<GrowthLine>& lines) : lines_(lines) {
        for (const GrowthLine& line : lines) {
            for (const double v : line.vertices) vertices_.take(v);
            for (const double ns : line.ns) ns_.take(ns);
        }
        ns_.low = std::pow(10, std::floor(std::log10(ns_.low)));
        ns_.high = std::pow(10, std::ceil(std::log10(ns_.high)));
    }

    std::string draw(const std::string& caption) {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n", kWidth, kHeight);
        add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        draw_grid();
        for (std::size_t i = 0; i < lines_.size(); ++i) draw_line(lines_[i], kColours[i % std::size(kColours)], i);
        add("<text x=\"{}\" y=\"{}\">vertices of each hull</text>\n", (kLeft + kRight) / 2 - 50, kBottom + 34);
        add("<text x=\"{}\" y=\"{}\">ns per pair</text>\n", kLeft - 56, kTop - 8);
        add("<text x=\"{}\" y=\"{}\" fill=\"#666666\" font-size=\"10\">{}</text>\n</svg>\n", kLeft - 56, kHeight - 8, escaped(caption));
        return out_;
    }

private:
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    }
    double x(double vertices) const { return kLeft + (kRight - kLeft) * vertices_.share(vertices); }
    double y(double ns) const { return kBottom - (kBottom - kTop) * ns_.share(ns); }

    void draw_grid() {
        for (double v = std::exp2(std::ceil(std::log2(vertices_.low))); v <= vertices_.high; v *= 2) {
            add("<path d=\"M{:.1f} {}V{}\" stroke=\"#e5e5e5\"/><text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>\n", x(v), kTop,
                kBottom, x(v), kBottom + 16, v);
        }
        for (double ns = ns_.low; ns <= ns_.high * 1.001; ns *= 10) {
            add("<path d=\"M{} {:.1f}H{}\" stroke=\"#bbbbbb\"/><text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.0f}</text>\n", kLeft, y(ns), kRight,
                kLeft - 6, y(ns) + 4, ns);
            for (int i = 2; i < 10 && ns * i < ns_.high; ++i) add("<path d=\"M{} {:.1f}H{}\" stroke=\"#eeeeee\"/>\n", kLeft, y(ns * i), kRight);
        }
    }

    void draw_line(const GrowthLine& line, const char* colour, std::size_t place) {
        add("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"", colour);
        for (std::size_t i = 0; i < line.ns.size(); ++i) add("{:.1f},{:.1f} ", x(line.vertices[i]), y(line.ns[i]));
        add("\"/>\n");
        for (std::size_t i = 0; i < line.ns.size(); ++i)
            add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(line.vertices[i]), y(line.ns[i]), colour);
        const double at = kTop + 12 + 18 * double(place);
        add("<path d=\"M{} {}h20\" stroke=\"{}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\">{}</text>\n", kRight + 12, at, colour, kRight + 38,
            at + 4, escaped(line.name));
    }

    const std::vector<GrowthLine>& lines_;
    Range vertices_, ns_;
    std::string out_;
};

}  // namespace

std::string growth_svg(const std::vector<GrowthLine>& lines, const std::string& caption) { return Plot(lines).draw(caption); }

}  // namespace abut::bench
