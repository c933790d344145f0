#include "harness/pile.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "capture.hpp"
#include "shape_spec.hpp"
#include "support/oracle/oracle.hpp"

// ABUT_BENCH_PILE comes from bench/CMakeLists.txt.
namespace abut::bench {
namespace {

oracle::Solid solid_of(const tools::ShapeSpec& spec) {
    oracle::Shape shape;
    shape.kind = spec.kind;
    shape.radius = spec.radius;
    shape.half_height = spec.half_height;
    shape.half_extents = spec.extents;
    shape.points = spec.vertices;
    shape.rounding = spec.rounding;
    return oracle::prepare(shape);
}

struct Shapes {
    std::shared_ptr<ShapeStore> store = std::make_shared<ShapeStore>();
    std::vector<ShapeId> ids;
    std::vector<oracle::Solid> solids;
    std::string refused;

    explicit Shapes(const tools::Capture& capture) {
        for (const tools::ShapeSpec& spec : capture.shapes) {
            const Expected<ShapeId> id = tools::add_shape(*store, spec);
            if (!id) refused = id.error().message;
            ids.push_back(id ? *id : ShapeId());
            solids.push_back(solid_of(spec));
        }
    }
};

Row row_of(const tools::CaptureFrame& frame, const Shapes& shapes) {
    Row row;
    row.name = std::string(frame.label);
    row.shapes = shapes.store;
    for (const tools::CaptureBody& body : frame.bodies) {
        row.bodies.push_back({body.position, shapes.ids[body.shape], body.orientation});
    }
    row.pairs.assign(frame.pairs.begin(), frame.pairs.end());
    for (const Pair pair : row.pairs) {
        const oracle::Solid &a = shapes.solids[frame.bodies[pair.a].shape],
                            &b = shapes.solids[frame.bodies[pair.b].shape];
        const auto exact =
            oracle::signed_distance(a, oracle::pose_of(row.bodies[pair.a]), b, oracle::pose_of(row.bodies[pair.b]));
        row.exact.push_back(exact.signed_distance);
    }
    return row;
}

}  // namespace

bool has_pile() { return std::filesystem::is_regular_file(ABUT_BENCH_PILE); }

std::vector<Row> pile_frames() {
    std::vector<Row> rows;
    if (!has_pile()) return rows;
    const tools::CaptureFile file(ABUT_BENCH_PILE);
    const Shapes shapes(file.capture());
    if (!shapes.refused.empty()) {
        std::fprintf(stderr, "the pile is left out: %s\n", shapes.refused.c_str());
        return rows;
    }
    for (const tools::CaptureFrame& frame : file.capture().frames) rows.push_back(row_of(frame, shapes));
    return rows;
}

Row whole_pile() {
    Row pile;
    for (const Row& frame : pile_frames()) {
        const auto first = std::uint32_t(pile.bodies.size());
        pile.shapes = frame.shapes;
        pile.bodies.insert(pile.bodies.end(), frame.bodies.begin(), frame.bodies.end());
        for (const Pair pair : frame.pairs) pile.pairs.push_back({first + pair.a, first + pair.b});
        pile.exact.insert(pile.exact.end(), frame.exact.begin(), frame.exact.end());
    }
    pile.name = "pile";
    return pile;
}

}  // namespace abut::bench
