// A sphere of radius 1 and a box of half extent 1, their centres 2.5 m apart: 0.5 m between them along +x.
#include <abut/abut.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

int fail(const char* what, const abut::Error& error) {
    std::fprintf(stderr, "%s: %s\n", what, error.message.c_str());
    return 1;
}

}  // namespace

int main() {
    abut::ShapeStore shapes;
    const auto ball = shapes.add_sphere(1.0f);
    const auto box = shapes.add_box({1.0f, 1.0f, 1.0f});
    if (!ball) return fail("add_sphere", ball.error());
    if (!box) return fail("add_box", box.error());

    const std::vector<abut::Body> bodies = {{{0.0f, 0.0f, 0.0f}, *ball, {}}, {{2.5f, 0.0f, 0.0f}, *box, {}}};
    const std::vector<abut::Pair> pairs = {{0, 1}};
    const abut::Frame frame{&shapes, bodies, pairs};

    abut::NarrowPhase narrow;
    abut::Distances distances;
    if (const auto result = narrow.distance(frame, distances); !result) return fail("distance", result.error());

    const float distance = distances.signed_distance[0];
    const abut::Vec3 normal = distances.normal[0];
    std::printf("abut %s on %s: distance %.7g m along (%g, %g, %g)\n", ABUT_VERSION, abut::to_string(narrow.isa()),
                double(distance), double(normal.x), double(normal.y), double(normal.z));
    return distances.status[0] == abut::Status::ok && std::abs(distance - 0.5f) < 1e-5f &&
                   std::abs(normal.x - 1.0f) < 1e-5f
               ? 0
               : 1;
}
