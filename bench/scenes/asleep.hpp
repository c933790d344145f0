// When bodies would fall asleep: an engine lets a body sleep that has been slow for half a second. Here none sleeps, so
// that what goes on moving is seen.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace abut::scenes {

class Asleep {
public:
    // `step`: seconds.
    Asleep(std::size_t bodies, double step)
        : bodies_(bodies), step_(step), slow_steps_(std::size_t(std::lround(kSlowTime / step))) {}

    // Once for each body in each step, which `next_step` ends. m/s and rad/s; a body that has left the scene sleeps.
    void look(std::size_t body, double speed, double spin, bool has_left = false) {
        Body& b = bodies_[body];
        const bool is_slow = speed < kSlowSpeed && spin < kSlowSpin;
        b.slow = has_left ? slow_steps_ : is_slow ? b.slow + 1 : 0;
        if (b.slow >= slow_steps_ && !(b.asleep_at < kNever)) b.asleep_at = double(steps_ + 1) * step_;
    }
    void next_step() { ++steps_; }

    // Bodies that have not been slow for half a second now.
    std::size_t awake() const {
        return std::size_t(
            std::count_if(bodies_.begin(), bodies_.end(), [this](const Body& b) { return b.slow < slow_steps_; }));
    }
    // Seconds until each body had once been slow for half a second; infinite where one never was.
    double all_asleep() const {
        double last = 0;
        for (const Body& b : bodies_) last = std::max(last, b.asleep_at);
        return last;
    }

private:
    static constexpr double kSlowTime = 0.5, kSlowSpeed = 0.05, kSlowSpin = 0.1,
                            kNever = std::numeric_limits<double>::infinity();
    struct Body {
        std::size_t slow = 0;  // steps on end
        double asleep_at = kNever;
    };
    std::vector<Body> bodies_;
    double step_;
    std::size_t slow_steps_, steps_ = 0;
};

}  // namespace abut::scenes
