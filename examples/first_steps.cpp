// For everyone: three shapes, three bodies, their distances and contacts. README.md shows this program.

#include <abut/abut.hpp>
#include <cstdio>
#include <vector>

int main() {
    abut::ShapeStore shapes;
    const std::vector<abut::Vec3> points = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 0}};
    const auto crate = shapes.add_box({0.5f, 0.5f, 0.5f});  // an id, or why not
    const auto roof = shapes.add_hull(points);              // cooked once, shared by any number of bodies
    if (!crate || !roof) return 1;

    const std::vector<abut::Body> bodies = {
        {{0, 0, 0}, *crate, {}}, {{0, 0.375f, 0}, *roof, {}}, {{4, 0, 0}, *crate, {}}};
    const std::vector<abut::Pair> pairs = {{0, 1}, {0, 2}, {1, 2}};  // as the broad phase found them
    const abut::Frame frame{&shapes, bodies, pairs};

    abut::NarrowPhase narrow({.speculative_margin = 0.02f});
    abut::Distances d;
    abut::Manifolds m;
    if (!narrow.distance(frame, d) || !narrow.collide(frame, m)) return 1;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        std::printf("%u-%u: %+.3f m along (%.0f, %.0f, %.0f), %u manifolds\n", pairs[i].a, pairs[i].b,
                    double(d.signed_distance[i]), double(d.normal[i].x), double(d.normal[i].y), double(d.normal[i].z),
                    m.first_manifold[i + 1] - m.first_manifold[i]);
}
