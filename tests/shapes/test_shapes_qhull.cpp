// Cooked hulls against Qhull's, which finds them in another way: the same corners and the same volume.
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <abut/shape_store.hpp>

#include <cmath>
#include <cstdio>
#include <set>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/hull_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

using Corner = std::tuple<float, float, float>;

struct QhullAnswer {
    std::set<Corner> corners;
    double volume = 0;
};

QhullAnswer ask_qhull(const std::vector<Vec3>& points) {
    std::vector<double> coordinates;
    for (const Vec3 p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
    QhullAnswer answer;
    qhT context, *qh = &context;
    qh_zero(qh, nullptr);
    std::FILE* sink = std::tmpfile();
    char command[] = "qhull FA Pp";
    if (qh_new_qhull(qh, 3, int(points.size()), coordinates.data(), False, command, nullptr, sink) == 0) {
        qh_getarea(qh, qh->facet_list);
        answer.volume = qh->totvol;
        vertexT* vertex;
        FORALLvertices {
            const Vec3 p = points[std::size_t(qh_pointid(qh, vertex->point))];
            answer.corners.insert({p.x, p.y, p.z});
        }
    }
    qh_freeqhull(qh, !qh_ALL);
    int long_blocks = 0, long_bytes = 0;
    qh_memfreeshort(qh, &long_blocks, &long_bytes);
    if (sink) std::fclose(sink);
    return answer;
}

double volume_of(const HullGeometry& hull) {
    double six = 0;
    for (std::uint32_t f = 0; f < hull.face_count; ++f) {
        const HullVertex a = hull.vertices[hull.loop[hull.face_first[f]]];
        for (std::uint32_t i = hull.face_first[f] + 1; i + 1 < hull.face_first[f + 1]; ++i) {
            const HullVertex b = hull.vertices[hull.loop[i]], c = hull.vertices[hull.loop[i + 1]];
            six += double(a.x) * (double(b.y) * c.z - double(b.z) * c.y) +
                   double(a.y) * (double(b.z) * c.x - double(b.x) * c.z) +
                   double(a.z) * (double(b.x) * c.y - double(b.y) * c.x);
        }
    }
    return six / 6;
}

}  // namespace

TEST_CASE("Qhull finds the same corners and volume") {
    Random random(77);
    for (int i = 0; i < 300; ++i) {
        std::vector<Vec3> points;
        const int count = 5 + int(random.below(400));
        for (int j = 0; j < count; ++j) {
            Vec3 d = random.direction();
            const float r = i % 2 ? 1.0f : float(random.unit());
            points.push_back({d.x * r, d.y * r * 0.3f, d.z * r * 4.0f});
        }
        ShapeStore store;
        const auto id = store.add_hull(points);
        REQUIRE(id);
        const HullGeometry& hull = geometry(store, *id);
        const QhullAnswer expected = ask_qhull(points);
        std::vector<Vec3> ours(hull.vertex_count);
        store.hull_vertices(*id, ours);
        CHECK(ours.size() == expected.corners.size());
        CHECK(std::abs(volume_of(hull) - expected.volume) <= 1e-6 * expected.volume);
    }
}
