#include "harness/row.hpp"

#include <algorithm>

#include <abut/narrow_phase.hpp>

namespace abut::bench {

Row Row::first(std::size_t count) const {
    Row part = *this;
    if (count >= pairs.size()) return part;
    part.pairs.resize(count);
    part.exact.resize(count);
    return part;
}

double Row::tolerance(std::size_t pair) const {
    const double a = shapes->view(bodies[pairs[pair].a].shape).size, b = shapes->view(bodies[pairs[pair].b].shape).size;
    return 1e-5 * std::min(a, b) + 1e-6 * std::max(std::max(a, b), exact[pair]);
}

double Row::slack(std::size_t pair) const {
    const double a = shapes->view(bodies[pairs[pair].a].shape).size, b = shapes->view(bodies[pairs[pair].b].shape).size;
    return std::min<double>(Settings().contact_slack, 0.004 * (std::min(a, b) > 0 ? std::min(a, b) : std::max(a, b)));
}

}  // namespace abut::bench
