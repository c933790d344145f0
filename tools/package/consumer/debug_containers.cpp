// Compiled with _GLIBCXX_DEBUG, which gives std::vector another layout, against a library that was built without: no
// container crosses the border, so that every query and every report works.
#include <abut/abut.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
#error "to be compiled with _GLIBCXX_DEBUG"
#endif

namespace {

int failures = 0;

void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    ++failures;
}

}  // namespace

int main() {
    abut::ShapeStore shapes;
    const std::vector<abut::Vec3> points = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 0}, {0, 0.5f, 0}};
    const auto roof = shapes.add_hull(points);
    const auto box = shapes.add_box({0.5f, 0.5f, 0.5f});
    check(roof && box, "shapes");
    const std::vector<abut::CompoundChild> children = {{*box, {-2, 0, 0}, {}}, {*box, {2, 0, 0}, {}}};
    const auto pair_of_boxes = shapes.add_compound(children);
    check(bool(pair_of_boxes), "a compound");
    const abut::HullReport report = shapes.view(*roof).hull;
    check(report.vertices == 5 && report.faces == 5 && report.dropped_points == 1, "the hull's report");
    std::vector<abut::Vec3> vertices(report.vertices);
    check(shapes.hull_vertices(*roof, vertices) == 5, "the hull's vertices");
    const auto refused = shapes.add_sphere(-1.0f);
    check(!refused && refused.error().message.contains("radius") && refused.error().message.size() > 30,
          "a refusal's message");

    const std::vector<abut::Body> bodies = {
        {{0, 0, 0}, *box, {}}, {{0, 0.375f, 0}, *roof, {}}, {{4, 0, 0}, *box, {}}, {{0, 1, 0}, *pair_of_boxes, {}}};
    const std::vector<abut::Pair> pairs = {{0, 1}, {0, 2}, {1, 2}, {3, 2}};
    const abut::Frame frame{&shapes, bodies, pairs, {}, {}};
    abut::NarrowPhase narrow;
    abut::Overlaps overlaps;
    abut::Distances distances;
    abut::Manifolds manifolds;
    for (int i = 0; i < 2; ++i) {  // they grow, and are used again
        check(bool(narrow.overlap(frame, overlaps)) && overlaps.hits == std::vector<std::uint32_t>{0}, "overlaps");
        check(bool(narrow.distance(frame, distances)) && distances.status.size() == 4, "distances");
        check(std::abs(distances.signed_distance[0] + 0.125f) < 1e-6f &&
                  std::abs(distances.signed_distance[2] - 2.5f) < 1e-5f,
              "how far");
        check(
            bool(narrow.collide(frame, manifolds)) && manifolds.manifolds.size() == 1 && manifolds.contacts.size() == 4,
            "manifolds");
    }
    std::vector<abut::Bounds> bounds(bodies.size());
    check(bool(abut::world_bounds(shapes, bodies, bounds)) && bounds[3].max.x >= 2.5f && bounds[3].max.x < 2.51f,
          "bounds");
    std::printf("debug containers: %d wrong\n", failures);
    return failures;
}
