#include "drawing/svg.hpp"

#include <cmath>

namespace abut::bench {
namespace {

// Okabe and Ito's colours, which colour-blind readers can tell apart; lighter ones on dark pages. currentColor lets one
// class serve fills and strokes.
constexpr const char* kStyle = R"(<style>
text{fill:#1f2328}.back{fill:#ffffff}.faint{fill:#59636e}.grid{stroke:#c3cad1}.weak{stroke:#eaedf0}
.middle{text-anchor:middle}.end{text-anchor:end}.bold{font-weight:bold}.small{font-size:10px}
.s0{color:#0072b2}.s1{color:#d55e00}.s2{color:#009e73}.s3{color:#cc79a7}.s4{color:#e69f00}.s5{color:#56b4e9}.s6{color:#1f2328}.s7{color:#888888}
.s8{color:#882255}.s9{color:#a6a61e}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.back{fill:#0d1117}.faint{fill:#9198a1}.grid{stroke:#4a525b}.weak{stroke:#21262d}
.s0{color:#3d9bd6}.s1{color:#f0813a}.s2{color:#22bf92}.s6{color:#e6edf3}.s8{color:#c2568c}}
</style>
)";
constexpr std::size_t kColours = 10;

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

std::string class_of(std::size_t series) { return fmt::format("s{}", series % kColours); }

}  // namespace

Svg::Svg(double width, double height, const std::string& title) {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\" "
        "role=\"img\">\n",
        width, height);
    add("<title>{}</title>\n{}<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n", escaped(title), kStyle);
}

void Svg::text(Point at, const std::string& words, const std::string& look) {
    add("<text {}x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", look.empty() ? "" : fmt::format("class=\"{}\" ", look), at.x,
        at.y, escaped(words));
}

void Svg::line(Point from, Point to, const std::string& look) {
    add("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", look, from.x, from.y, to.x, to.y);
}

void Svg::bar(Point corner, double width, double height, std::size_t series) {
    add("<rect class=\"{}\" fill=\"currentColor\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        class_of(series), corner.x, corner.y, width, height);
}

void Svg::key(Point from, double length, std::size_t series) {
    add("<path class=\"{}\" stroke=\"currentColor\" stroke-width=\"2\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n",
        class_of(series), from.x, from.y, length);
}

void Svg::polyline(const std::vector<Point>& points, std::size_t series) {
    add("<g class=\"{}\" fill=\"currentColor\"><polyline fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" "
        "points=\"",
        class_of(series));
    for (const Point& p : points) add("{:.1f},{:.1f} ", p.x, p.y);
    add("\"/>\n");
    for (const Point& p : points) add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n", p.x, p.y);
    add("</g>\n");
}

std::string Svg::finish() && {
    add("</svg>\n");
    return std::move(out_);
}

double decade_below(double value) { return std::pow(10, std::floor(std::log10(value))); }
double decade_above(double value) { return std::pow(10, std::ceil(std::log10(value))); }

double LogScale::operator()(double value) const {
    return from_ + (to_ - from_) * std::log(value / low_) / std::log(high_ / low_);
}

}  // namespace abut::bench
