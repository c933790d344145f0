// The scene under Bullet's rigid-body dynamics.
#pragma once

#include <memory>
#include <vector>

#include "scene.hpp"

namespace abut::tools {

class Simulation {
public:
    explicit Simulation(const Scene& scene);
    ~Simulation();

    void step(double seconds);
    // Every body's pose; shapes as in the scene.
    std::vector<CaptureBody> bodies() const;
    // How deep (metres) each pair overlaps that the engine itself found to touch in the last step, ascending.
    std::vector<double> overlaps() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut::tools
