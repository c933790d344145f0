#include "harness/row.hpp"

#include <algorithm>

#include <abut/narrow_phase.hpp>

namespace abut::bench {

namespace {

struct Sizes {
    double a, b;
};
Sizes sizes_of(const Row& row, std::size_t pair) {
    const auto size_of = [&](std::uint32_t body) { return double(row.shapes->view(row.bodies[body].shape).size); };
    return {size_of(row.pairs[pair].a), size_of(row.pairs[pair].b)};
}

}  // namespace

Row Row::first(std::size_t count) const {
    Row part = *this;
    if (count >= pairs.size()) return part;
    part.pairs.resize(count);
    part.exact.resize(count);
    return part;
}

double Row::tolerance(std::size_t pair) const {
    const auto [a, b] = sizes_of(*this, pair);
    return 1e-5 * std::min(a, b) + 1e-6 * std::max(std::max(a, b), exact[pair]);
}

double Row::slack(std::size_t pair) const {
    const auto [a, b] = sizes_of(*this, pair);
    return std::min<double>(Settings().contact_slack, 0.004 * (std::min(a, b) > 0 ? std::min(a, b) : std::max(a, b)));
}

}  // namespace abut::bench
