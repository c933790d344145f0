// For a bug report: records three frames of an engine with abut::capture, into the file that is named. Then
// `abut replay FILE` runs them, `abut dump FILE` prints them, and `abut view FILE` shows them.

#include <abut/abut.hpp>
#include <abut/capture.hpp>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: record_capture FILE.abut\n");
        return 2;
    }
    abut::ShapeStore shapes;
    const std::vector<abut::Vec3> points = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 1, 0}};
    const auto ground = shapes.add_box({5, 0.5f, 5}), crate = shapes.add_box({0.5f, 0.5f, 0.5f});
    const auto roof = shapes.add_hull(points);
    if (!ground || !crate || !roof) return 1;
    std::vector<abut::Body> bodies = {{{0, -0.5f, 0}, *ground, {}},
                                      {{0, 0.5f, 0}, *crate, {}},
                                      {{0, 1.2f, 0}, *roof, {}},
                                      {{3, 0.6f, 0}, *crate, {}}};
    const std::vector<abut::Pair> pairs = {{0, 1}, {0, 3}, {1, 2}, {1, 3}};

    abut::NarrowPhase narrow;
    abut::Manifolds manifolds;
    abut::CaptureWriter capture;
    for (const char* label : {"apart", "near", "touching"}) {
        const abut::Frame frame{&shapes, bodies, pairs};
        if (!narrow.collide(frame, manifolds)) return 1;
        std::printf("%s: %zu contacts\n", label, manifolds.contacts.size());
        if (!capture.add_frame(label, frame)) break;  // the frame that the narrow phase gets, whatever its layout
        bodies[2].position.y -= 0.1f, bodies[3].position.y -= 0.05f;
    }
    if (capture.frame_count() != 3 || !capture.write(argv[1])) {
        std::fprintf(stderr, "%s\n", capture.error());
        return 1;
    }
    std::printf("recorded %zu frames of %u shapes\n", capture.frame_count(), capture.shape_count());
}
