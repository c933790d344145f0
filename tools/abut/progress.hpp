// A line on a terminal's standard error for what takes more than two seconds; silent everywhere else.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace abut::tools {

class Progress {
public:
    explicit Progress(std::string what, std::size_t total = 0);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void step(std::size_t count = 1);

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    std::size_t done_ = 0, total_ = 0;
    bool terminal_ = false, shown_ = false;
    Clock::time_point next_;
};

}  // namespace abut::tools
