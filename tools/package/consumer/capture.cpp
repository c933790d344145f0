// Records two frames of a crate on a table into the file that is named.
#include <abut/abut.hpp>
#include <abut/capture.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    abut::ShapeStore shapes;
    const std::vector<abut::Vec3> points = {{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1}, {0, 1, 0}};
    const auto crate = shapes.add_box({0.5f, 0.5f, 0.5f});
    const auto roof = shapes.add_hull(points);
    if (!crate || !roof) return 1;
    const std::vector<abut::CompoundChild> legs = {{*crate, {-2, 0, 0}, {}}, {*crate, {2, 0, 0}, {}}};
    const auto table = shapes.add_compound(legs);
    if (!table) return 1;

    abut::CaptureWriter capture;
    std::vector<abut::Body> bodies = {
        {{0, 0, 0}, *table, {}}, {{2, 0.99f, 0}, *crate, {}}, {{-2, 1.49f, 0}, *roof, {}}};
    const std::vector<abut::Pair> pairs = {{0, 1}, {0, 2}, {1, 2}};
    bool done = true;
    for (int step = 0; step < 2; ++step) {
        done = done && capture.add_frame(step ? "second" : "first", abut::Frame{&shapes, bodies, pairs});
        bodies[1].position.x += 0.01f;
    }
    done = done && capture.write(argv[1]);
    if (!done) std::fprintf(stderr, "%s\n", capture.error());
    return done ? 0 : 1;
}
