// A character walks through a level of floors with gaps, kerbs, ramps and walls, as one compound and as one mesh.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/mirrored.hpp"
#include "support/surface_scenes.hpp"

using namespace abut;
using test::negated;
using test::plus;

namespace {

constexpr float kSkin = 0.01f;
// What casts of a character of 0.8 to 0.9 m may let pass (casts: "Accuracy"), and roundings of positions.
constexpr float kTolerance = 1e-4f;

Vec3 times(Vec3 v, float by) { return {v.x * by, v.y * by, v.z * by}; }
float dot(Vec3 v, Vec3 w) { return v.x * w.x + v.y * w.y + v.z * w.z; }
Vec3 cross(Vec3 v, Vec3 w) { return {v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x}; }

struct Level {
    ShapeStore shapes;
    std::vector<Body> boxes;  // which the level consists of
    ShapeId compound, mesh;

    void add(Vec3 at, Vec3 half, double tilt = 0) {
        const Quat turn = {0, 0, float(std::sin(tilt / 2)), float(std::cos(tilt / 2))};
        boxes.push_back({at, *shapes.add_box(half), turn});
    }
    explicit Level(std::uint64_t seed) {
        scenes::Random random(seed);
        const auto uniform = [&](double low, double high) { return float(random.uniform(low, high)); };
        for (int x = 0; x < 10; ++x)
            for (int z = 0; z < 10; ++z)
                if ((x * 7 + z * 3) % 11 != 5) add({2.0f * float(x) - 9, -0.1f, 2.0f * float(z) - 9}, {1, 0.1f, 1});
        for (int i = 0; i < 30; ++i)
            add({uniform(-9, 9), uniform(0.02, 0.15), uniform(-9, 9)},
                {uniform(0.1, 1), uniform(0.02, 0.15), uniform(0.1, 1)});
        for (int i = 0; i < 12; ++i)
            add({uniform(-9, 9), 0, uniform(-9, 9)}, {1, 0.1f, 0.5f}, random.uniform(0.2, 0.6));
        for (int i = 0; i < 14; ++i)
            add({uniform(-9, 9), 1, uniform(-9, 9)}, i % 2 == 0 ? Vec3{2, 1, 0.1f} : Vec3{0.1f, 1, 2});
        for (const float side : {-10.0f, 10.0f}) add({side, 2, 0}, {0.1f, 4, 10}), add({0, 2, side}, {10, 4, 0.1f});
        add({0, -3, 0}, {12, 0.1f, 12});
        std::vector<CompoundChild> children;
        std::vector<Vec3> vertices;
        std::vector<MeshTriangle> triangles;
        for (const Body& box : boxes) {
            children.push_back({box.shape, box.position, box.orientation});
            const auto first = std::uint32_t(vertices.size());
            const Vec3 half = shapes.view(box.shape).half_extents;
            const float c = 1 - 2 * box.orientation.z * box.orientation.z,
                        s = 2 * box.orientation.z * box.orientation.w;
            const test::TestMesh cube = test::cube_mesh();
            for (const Vec3& v : cube.vertices) {
                const float x = v.x * half.x, y = v.y * half.y;
                vertices.push_back(plus(box.position, {c * x - s * y, s * x + c * y, v.z * half.z}));
            }
            for (const MeshTriangle& t : cube.triangles)
                triangles.push_back({{first + t.corners[0], first + t.corners[1], first + t.corners[2]}});
        }
        compound = *shapes.add_compound(children);
        mesh = *shapes.add_mesh(vertices, triangles);
    }
};

class Walker {
public:
    Walker(const Level& level, ShapeId shape, ShapeId of)
        : level_(level), bodies_{{{0.5f, 3, 0.5f}, shape, {}}, {{}, of, {}}} {}

    Vec3 position() const { return bodies_[0].position; }
    // Moves and slides along what it meets, three times at most. True if it met something.
    bool move(Vec3 way) {
        CastOptions options;
        options.target = kSkin;
        options.start = CastStart::closing_only;
        Vec3 first_normal;
        for (int slide = 0; slide < 3; ++slide) {
            std::vector<Body> next = bodies_;
            next[0].position = plus(bodies_[0].position, way);
            const Bodies ends[] = {next};
            REQUIRE(narrow_.cast({&level_.shapes, bodies_, kPair}, {ends}, casts_, options));
            const float time = casts_.hit(0) ? float(casts_.time[0]) : 1.0f;
            bodies_[0].position = plus(bodies_[0].position, times(way, time));
            if (!casts_.hit(0)) return slide > 0;
            const Vec3 normal = casts_.normal[0];
            way = times(way, 1 - time);
            way = plus(way, times(normal, -std::max(dot(way, normal), 0.0f)));
            if (const Vec3 edge = cross(normal, first_normal); slide == 1 && dot(edge, edge) > 1e-6f)
                way = times(edge, dot(way, edge) / dot(edge, edge));
            first_normal = normal;
        }
        return true;
    }
    // From the boxes of the level, by another query.
    float clearance() {
        std::vector<Body> all = level_.boxes;
        all.push_back(bodies_[0]);
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i + 1 < all.size(); ++i) pairs.push_back({std::uint32_t(all.size() - 1), i});
        REQUIRE(narrow_.distance({&level_.shapes, all, pairs}, distances_, {.max_distance = 1}));
        return *std::ranges::min_element(distances_.signed_distance);
    }

private:
    static constexpr Pair kPair[] = {{0, 1}};
    const Level& level_;
    std::vector<Body> bodies_;
    NarrowPhase narrow_{{.executor = serial_executor()}};
    Casts casts_;
    Distances distances_;
};

}  // namespace

TEST_CASE("casts: a character that walks through a level never enters it", "[casts][right]") {
#ifdef NDEBUG
    constexpr int kSteps = 2000;
#else
    constexpr int kSteps = 300;
#endif
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        Level level(seed);
        const ShapeId shapes[] = {*level.shapes.add_capsule(0.3f, 0.6f), *level.shapes.add_box({0.3f, 0.8f, 0.3f})};
        for (const ShapeId of : {level.compound, level.mesh})
            for (const ShapeId shape : shapes) {
                CAPTURE(seed, of == level.mesh, shape == shapes[1]);
                scenes::Random random(seed + 100);
                Walker walker(level, shape, of);
                double heading = 0, fall = 0, path = 0;
                float least = kSkin;
                for (int step = 0; step < kSteps; ++step) {
                    if (step % 40 == 0) heading = random.uniform(0, 2 * std::numbers::pi);
                    const double way = random.uniform(1, 6) / 60;
                    fall = step % 97 == 0 ? 4 : fall - 9.81 / 60;
                    const Vec3 before = walker.position();
                    walker.move({float(way * std::cos(heading)), 0, float(way * std::sin(heading))});
                    if (walker.move({0, float(fall / 60), 0})) fall = 0;
                    const Vec3 gone = plus(walker.position(), negated(before));
                    path += std::hypot(gone.x, gone.z);
                    least = std::min(least, walker.clearance());
                }
                CHECK(least > kSkin - kTolerance);
                CHECK(path > 0.02 * kSteps);  // it is not stuck
                const Vec3 at = walker.position();
                CHECK((std::fabs(at.x) < 10 && std::fabs(at.z) < 10 && at.y > -2.9f));
            }
    }
}
