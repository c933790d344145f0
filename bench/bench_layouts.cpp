// What do columns, transforms, doubles and relative poses cost, held against 32-byte records? The same frame in every
// layout.
#include <memory>

#include "harness/gbench.hpp"
#include "harness/rows.hpp"

namespace abut::bench {
namespace {

enum class Layout { records, columns, transforms, doubles, relative };
constexpr std::pair<Layout, const char*> kLayouts[] = {{Layout::records, "records"},
                                                       {Layout::columns, "columns"},
                                                       {Layout::transforms, "transforms"},
                                                       {Layout::doubles, "doubles"},
                                                       {Layout::relative, "relative"}};

Mat44 transform_of(const Body& body) {
    const Quat q = body.orientation;
    const Vec3 p = body.position;
    return {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y), 0,  //
             2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x), 0,  //
             2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y), 0,  //
             p.x, p.y, p.z, 1}};
}

// A row's bodies in all layouts.
struct Columns {
    std::vector<ShapeId> shapes;
    std::vector<Vec3> positions;
    std::vector<DVec3> doubles;
    std::vector<Quat> orientations;
    std::vector<Mat44> transforms;
    std::vector<RelativePose> relative;  // by pair; the turn is B's own, as a time is all that is asked

    explicit Columns(const Row& row) {
        for (const Body& body : row.bodies) {
            shapes.push_back(body.shape);
            positions.push_back(body.position);
            doubles.push_back({body.position.x, body.position.y, body.position.z});
            orientations.push_back(body.orientation);
            transforms.push_back(transform_of(body));
        }
        for (const Pair pair : row.pairs) {
            const Vec3 a = positions[pair.a], b = positions[pair.b];
            relative.push_back({{b.x - a.x, b.y - a.y, b.z - a.z}, orientations[pair.b]});
        }
    }

    Frame frame(const Row& row, Layout layout) const {
        Frame frame = row.frame();
        switch (layout) {
            case Layout::records: break;
            case Layout::columns:
                frame.bodies = BodyColumns{.shapes = shapes, .positions = positions, .orientations = orientations};
                break;
            case Layout::transforms: frame.bodies = BodyColumns{.shapes = shapes, .transforms = transforms}; break;
            case Layout::doubles:
                frame.bodies = BodyColumns{.shapes = shapes, .double_positions = doubles, .orientations = orientations};
                break;
            case Layout::relative: frame.bodies = BodyColumns{.shapes = shapes}, frame.relative_poses = relative; break;
        }
        return frame;
    }
};

void time_layout(benchmark::State& state, const Row& row, const Columns& columns, Query query, Layout layout) {
    AbutRunner runner(columns.frame(row, layout), query, on_one_core(Isa::best));
    if (!runner.run()) return state.SkipWithError(runner.refusal().c_str());
    for (auto _ : state) runner.run();
    count_pairs(state, row.pairs.size());
}

void register_all() {
    static std::vector<std::unique_ptr<Row>> rows;
    for (const char* name : {"pile", "sphere-sphere", "box-box", "hull32-hull32"})
        rows.push_back(std::make_unique<Row>(make_row(name)));
    for (const auto& row : rows) {
        const auto columns = std::make_shared<Columns>(*row);
        for (const Query query : {Query::overlap, Query::distance, Query::collide})
            for (const auto& [layout, name] : kLayouts)
                add({"what_does_a_layout_cost", row->name, to_string(query), name},
                    [row = row.get(), columns, query, layout = layout](benchmark::State& state) {
                    time_layout(state, *row, *columns, query, layout);
                });
    }
}

}  // namespace
}  // namespace abut::bench

int main(int argc, char** argv) { return abut::bench::run_benchmarks(argc, argv, abut::bench::register_all); }
