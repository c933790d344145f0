#include "table/chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "drawing/svg.hpp"
#include "table/figures.hpp"

namespace abut::bench {
namespace {

constexpr double kWidth = 800, kLeft = 132, kRight = 650, kRatio = 788, kTop = 52, kFoot = 40;
constexpr double kPitch = 11, kThickness = 9, kGap = 8;  // of bars; between rows

struct BarOf {
    double ns = 0;
    std::string label;
    std::size_t series = 0;  // the same colour for the same contestant in every row
};

struct Group {
    const Cell* cell = nullptr;
    std::vector<BarOf> bars;

    double height() const { return kPitch * double(bars.size()) + kGap; }
};

Group group_of(const Report& report, const Cell& cell) {
    Group group{&cell, {}};
    std::size_t series = 0;
    for (const Isa isa : report.isas) {
        if (const Contestant* c = cell.abut_on(isa))
            group.bars.push_back({c->ns_min, fmt::format("{} {}", figure(c->ns_min), spelled(isa)), series});
        ++series;
    }
    for (const std::string& library : report.libraries) {
        if (const Contestant* c = cell.best_rival(library)) {
            group.bars.push_back(
                {c->ns_min, fmt::format("{} {}{}", figure(c->ns_min), library, c->error_p99 > kRoughError ? " ~" : ""),
                 series});
        }
        ++series;
    }
    return group;
}

std::vector<Group> groups_of(const Report& report, Query query) {
    std::vector<Group> groups;
    for (const Cell& cell : report.cells) {
        if (cell.query != query) continue;
        Group group = group_of(report, cell);
        if (!group.bars.empty()) groups.push_back(std::move(group));
    }
    return groups;
}

// Begins at a power of ten, in such a way that the shortest bar has some length too; ends with the longest bar.
LogScale scale_of(const std::vector<Group>& groups) {
    double low = HUGE_VAL, high = 0;
    for (const Group& group : groups) {
        for (const BarOf& bar : group.bars) low = std::min(low, bar.ns / 1.2), high = std::max(high, bar.ns);
    }
    return groups.empty() ? LogScale(1, 10, kLeft, kRight) : LogScale(decade_below(low), high, kLeft, kRight);
}

void draw_axis(Svg& svg, const LogScale& x, double bottom) {
    for (double ns = x.low(); ns <= x.high(); ns *= 10) {
        for (int i = 2; i < 10 && ns * i < x.high(); ++i) svg.line({x(ns * i), kTop}, {x(ns * i), bottom}, "weak");
        svg.line({x(ns), kTop}, {x(ns), bottom}, "grid");
        svg.text({x(ns), kTop - 6}, fmt::format("{:g}", ns), "middle faint small");
    }
}

void draw_group(Svg& svg, const LogScale& x, const Report& report, const Group& group, double top) {
    const double middle = top + group.height() / 2;
    svg.text({kLeft - 8, middle + 4}, group.cell->row, "end");
    double y = top + kGap / 2;
    for (const BarOf& bar : group.bars) {
        svg.bar({kLeft, y}, x(bar.ns) - kLeft, kThickness, bar.series);
        svg.text({x(bar.ns) + 4, y + kThickness - 0.5}, bar.label, "small");
        y += kPitch;
    }
    if (const double ratio = ahead_of_first(report, *group.cell); ratio > 0)
        svg.text({kRatio, middle + 4}, fmt::format("{:.1f}x", ratio), "end bold");
}

}  // namespace

std::string chart_svg(const Report& report, Query query) {
    const std::vector<Group> groups = groups_of(report, query);
    double bottom = kTop;
    for (const Group& group : groups) bottom += group.height();
    const std::string title = fmt::format("{}: nanoseconds per pair, logarithmic", spelled(query));
    Svg svg(kWidth, bottom + kFoot, title);
    svg.text({8, 20}, title, "bold");
    if (!report.isas.empty() && !report.libraries.empty())
        svg.text({kRatio, 20}, fmt::format("best rival / abut on {}", spelled(report.isas.front())), "end faint");
    const LogScale x = scale_of(groups);
    draw_axis(svg, x, bottom);
    double top = kTop;
    for (const Group& group : groups) {
        draw_group(svg, x, report, group, top);
        top += group.height();
    }
    svg.text({8, bottom + kFoot - 14},
             fmt::format("{}; {}; {}", report.machine.cpu, report.machine.compiler, report.machine.date),
             "faint small");
    return std::move(svg).finish();
}

}  // namespace abut::bench
