// Drawn over itself at most five times a second, and wiped at the end.
#include "progress.hpp"

#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

namespace abut::tools {

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::step(std::size_t count) {
    done_ += count;
    if (!terminal_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(200);
    shown_ = true;
    fmt::print(stderr, "\r\033[K{}: {}{}", what_, done_, total_ > 0 ? fmt::format(" of {}", total_) : "");
    std::fflush(stderr);
}

}  // namespace abut::tools
