// How figures are written.
#pragma once

#include <string>

namespace abut::bench {

// Three digits that matter, so that 2.31 and 11972 both read well: for columns of figures.
std::string figure(double ns);
// The same with a comma in thousands and no digits that nobody compares: for pages.
std::string page_figure(double ns);

}  // namespace abut::bench
