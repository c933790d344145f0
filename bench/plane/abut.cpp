// abut as a contestant in the plane: one query on one frame, everything allocated beforehand.
#include <utility>

#include "harness/abut_runner.hpp"
#include "plane/row.hpp"

namespace abut::bench {
namespace {

struct Runner {
    const PlaneRow& row;
    d2::NarrowPhase narrow;
    std::vector<d2::Body> ends;
    std::vector<d2::Vec2> origins;
    std::vector<Pair> ray_pairs;
    d2::Overlaps overlaps;
    d2::Distances distances;
    d2::Manifolds manifolds;
    d2::Casts casts;
    d2::RayHits rays;
    bool refused = false;

    Runner(const PlaneRow& of, Isa isa) : row(of), narrow(on_one_core(isa)) {
        const std::size_t count = row.pairs.size();
        distances.normal.resize(count), distances.point_a.resize(count), distances.point_b.resize(count);
        casts.normal.resize(count), casts.point_a.resize(count);
        rays.point.resize(count), rays.normal.resize(count);
        ends = row.bodies;
        for (std::uint32_t i = 0; i < row.ways.size(); ++i) {
            d2::Vec2& end = ends[row.pairs[i].b].position;
            end = {end.x + row.ways[i].x, end.y + row.ways[i].y};
            origins.push_back(row.position_of_b(i));
            ray_pairs.push_back({i, row.pairs[i].a});
        }
    }

    CallResult ask(PlaneQuery query) {
        switch (query) {
            case PlaneQuery::overlap: return narrow.overlap(row.frame(), overlaps);
            case PlaneQuery::distance: return narrow.distance(row.frame(), distances);
            case PlaneQuery::collide: return narrow.collide(row.frame(), manifolds);
            case PlaneQuery::cast: return narrow.cast(row.frame(), {.ends = ends}, casts);
            default: break;
        }
        d2::Frame frame = row.frame();
        frame.pairs = ray_pairs;
        return narrow.raycast(frame, {.origins = origins, .directions = row.ways}, rays);
    }

    bool is_hit(PlaneQuery query, std::size_t i) const {
        switch (query) {
            case PlaneQuery::overlap: return overlaps.hit(i);
            case PlaneQuery::distance: return distances.signed_distance[i] <= 0;
            case PlaneQuery::cast: return casts.hit(i);
            case PlaneQuery::ray: return rays.hit(i);
            default: break;
        }
        for (std::uint32_t m = manifolds.first_manifold[i]; m < manifolds.first_manifold[i + 1]; ++m)
            if (manifolds.manifolds[m].contacts[0].separation <= 0) return true;
        return false;
    }
};

}  // namespace

PlaneContestant abut_contestant(const PlaneRow& row, PlaneQuery query, Isa isa) {
    auto runner = std::make_shared<Runner>(row, isa);
    PlaneContestant out = {"abut", to_string(isa), [runner, query] { runner->refused |= !runner->ask(query); }, {}};
    out.answers = [runner, query] {
        PlaneAnswers answers;
        if (runner->refused) return answers;
        for (std::size_t i = 0; i < runner->row.pairs.size(); ++i) answers.hit.push_back(runner->is_hit(query, i));
        if (query == PlaneQuery::distance) answers.signed_distance = runner->distances.signed_distance;
        return answers;
    };
    return out;
}

}  // namespace abut::bench
