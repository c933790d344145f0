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
        add(casts_.bits), add(casts_.time), add(casts_.signed_distance), add(casts_.normal), add(casts_.point_a),
            add(casts_.point_b);
        add(casts_.child_a), add(casts_.child_b), add(casts_.status), add(casts_.hits);
        return sum.value();
    }
    // One ray for each pair: from the position of A past that of B, at B.
    std::uint64_t rays(const Frame& frame) {
        std::vector<Vec3> origins, directions;
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
            const Pair pair = frame.pairs[i];
            const Vec3 a = frame.bodies[pair.a].position, b = frame.bodies[pair.b].position;
            origins.push_back({a.x - (b.z - a.z), a.y + 0.25f * (b.x - a.x), a.z + 0.5f * (b.y - a.y)});
            const Vec3 from = origins.back();
            directions.push_back({1.75f * (b.x - from.x), 1.75f * (b.y - from.y), 1.75f * (b.z - from.z)});
            pairs.push_back({std::uint32_t(i), pair.b});
        }
        require(
            narrow_.raycast({frame.shapes, frame.bodies, pairs}, {.origins = origins, .directions = directions}, rays_),
            subject_);
        Checksum sum;
        const auto add = [&](const auto& column) { sum.add_column(std::as_bytes(std::span(column))); };
        add(rays_.bits), add(rays_.fraction), add(rays_.point), add(rays_.normal), add(rays_.child), add(rays_.inside),
            add(rays_.status);
        add(rays_.hits);
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
    RayHits rays_;
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
            {name, "rays", asker.rays(frame)},
            {name, "bounds", asker.bounds(frame)}};
}

}  // namespace abut::golden
