// Qhull [Barber, Dobkin, Huhdanpaa 1996] in its reentrant form, in double, with coplanar facets merged. Its errors jump within
// qh_new_qhull and come back as an exit code: no object with a destructor is in the frames jumped over.
#include "shapes/qhull_faces.hpp"

#include <cstdio>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace abut::cooking {
namespace {

#ifdef _WIN32
constexpr char kNullDevice[] = "NUL";
#else
constexpr char kNullDevice[] = "/dev/null";
#endif

// Qhull's state, and where its messages go: it prints its errors whatever the options, to stderr where it has no file.
class Qhull {
public:
    Qhull() : sink_(std::fopen(kNullDevice, "w")) { qh_zero(&state_, sink_); }
    ~Qhull() {
        if (!sink_) return;
        int blocks = 0, bytes = 0;
        qh_freeqhull(&state_, !qh_ALL);
        qh_memfreeshort(&state_, &blocks, &bytes);
        std::fclose(sink_);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;

    bool run(std::vector<double>& coordinates) {
        char command[] = "qhull Pp";
        return sink_ && qh_new_qhull(&state_, 3, int(coordinates.size() / 3), coordinates.data(), False, command, nullptr, sink_) == 0;
    }
    qhT* state() { return &state_; }

private:
    qhT state_;
    std::FILE* sink_;
};

}  // namespace

std::optional<FaceSets> qhull_faces(std::span<const Double3> grid, std::span<const std::uint32_t> subset) {
    if (subset.size() < 4) return std::nullopt;
    std::vector<double> coordinates;
    coordinates.reserve(3 * subset.size());
    for (const std::uint32_t i : subset) coordinates.insert(coordinates.end(), {grid[i].x, grid[i].y, grid[i].z});
    Qhull hull;
    if (!hull.run(coordinates)) return std::nullopt;
    FaceSets faces;
    qhT* qh = hull.state();
    facetT* facet;
    FORALLfacets {
        vertexT *vertex, **vertexp;
        FOREACHvertex_(facet->vertices) {
            const int point = qh_pointid(qh, vertex->point);
            if (point < 0 || std::size_t(point) >= subset.size()) return std::nullopt;
            faces.corners.push_back(subset[std::size_t(point)]);
        }
        faces.first.push_back(std::uint32_t(faces.corners.size()));
        faces.normals.push_back({facet->normal[0], facet->normal[1], facet->normal[2]});
    }
    return faces;
}

}  // namespace abut::cooking
