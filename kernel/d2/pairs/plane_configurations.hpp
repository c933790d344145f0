// One list of pairs in many configurations, block by block, by the queries on pairs.
#pragma once

#include <abut/d2/configurations_2d.hpp>

#include "d2/pairs/plane_queries.hpp"
#include "d2/pairs/plane_reductions.hpp"

namespace abut::d2 {

struct ConfigurationQueries {
    PlaneQueries& queries;
    // Of a block: bodies, the obstacles last; their positions where some are doubles; pairs, answers.
    Vector<Body> bodies;
    Vector<DVec2> positions;
    Vector<Pair> pairs;
    Vector<std::uint32_t> undecided, bits;
    Vector<float> reach, distance;
    Vector<Vec2> normal, point_a, point_b;

    explicit ConfigurationQueries(PlaneQueries& of_pairs) : queries(of_pairs) {}

    void answer(AnyOverlapColumns& out, const Configurations& all);
    void answer(LeastDistanceColumns& out, const Configurations& all, const DistanceOptions& options);

private:
    template <class Visit>
    void for_each_frame(const Configurations& all, Visit&& visit);
    Frame frame_of(const Configurations& all, std::span<const std::uint32_t> some, PairRange range);
    void put(std::size_t at, const Bodies& from, std::size_t i);
};

}  // namespace abut::d2
