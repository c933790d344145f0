// A row of the table: one frame, and for each of its pairs the exact signed distance.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <abut/frame.hpp>
#include <abut/shape_store.hpp>

namespace abut::bench {

struct Row {
    std::string name;  // e.g. "hull32-hull32"
    std::shared_ptr<const ShapeStore> shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<double> exact;  // signed distance, from a solver that shares nothing with the kernel

    Frame frame() const {
        Frame frame;
        frame.shapes = shapes.get();
        frame.bodies = bodies;
        frame.pairs = pairs;
        return frame;
    }
    // The first so many pairs, with all the bodies.
    Row first(std::size_t count) const;
    // Promise 1's: 1e-5 of the smaller size plus 1e-6 of the larger of (larger size, separation).
    double tolerance(std::size_t pair) const;
    // What contacts may be off by on top: the contact slack (Settings::contact_slack).
    double slack(std::size_t pair) const;
};

}  // namespace abut::bench
