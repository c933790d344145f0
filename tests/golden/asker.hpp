// Asks every query of a frame and gives checksums of the answers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "result_bits.hpp"
#include "subjects.hpp"

namespace abut::golden {

using tools::Checksum;

inline void require(const CallResult& result, const std::string& subject) {
    if (result) return;
    std::fprintf(stderr, "%s: %s\n", subject.c_str(), result.error().message.c_str());
    std::exit(2);
}

// Every query of one frame.
class Asker {
public:
    Asker(const std::string& subject, const Settings& settings) : subject_(subject), narrow_(settings) {}

    std::uint64_t overlap(const Frame& frame) {
        require(narrow_.overlap(frame, results_.overlaps), subject_);
        return checksum(results_, tools::Query::overlap);
    }
    std::uint64_t distance(const Frame& frame, const DistanceOptions& options = {}) {
        require(narrow_.distance(frame, results_.distances, options), subject_);
        return checksum(results_, tools::Query::distance);
    }
    std::uint64_t collide(const Frame& frame) {
        require(narrow_.collide(frame, results_.manifolds), subject_);
        return checksum(results_, tools::Query::collide);
    }
    std::uint64_t cast(const Frame& frame, std::span<const Body> ends) {
        const Bodies all[] = {ends};
        require(narrow_.cast(frame, {all}, casts_), subject_);
        Checksum sum;
        const auto add = [&](const auto& column) { sum.add_column(std::as_bytes(std::span(column))); };
        add(casts_.bits), add(casts_.time), add(casts_.signed_distance), add(casts_.normal), add(casts_.point_a), add(casts_.point_b);
        add(casts_.child_a), add(casts_.child_b), add(casts_.status), add(casts_.hits);
        return sum.value();
    }
    std::uint64_t bounds(const Frame& frame) {
        std::vector<Bounds> bounds(frame.bodies.size());
        require(world_bounds(*frame.shapes, frame.bodies, bounds), subject_);
        Checksum sum;
        sum.add_column(std::as_bytes(std::span(bounds)));
        return sum.value();
    }

private:
    const std::string& subject_;
    NarrowPhase narrow_;
    tools::QueryResults results_;
    Casts casts_;
};

inline std::vector<Line> ask_all(const std::string& name, const Frame& frame, const Settings& settings) {
    Settings exact = settings;
    exact.depth = DepthPath::exact;
    Asker asker(name, settings), exactly(name, exact);
    return {{name, "overlap", asker.overlap(frame)},
            {name, "distance", asker.distance(frame)},
            {name, "separation", asker.distance(frame, {.separation_only = true})},
            {name, "collide", asker.collide(frame)},
            {name, "exact", exactly.distance(frame)},
            {name, "bounds", asker.bounds(frame)}};
}

}  // namespace abut::golden
