// `abut cook --decompose`: the hulls' union contains the mesh, and the report's figures are those of a computation of
// another kind.
#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "hacd.hpp"
#include "mesh.hpp"
#include "program.hpp"

using namespace abut::tests;
using nlohmann::json;

namespace {

using Point = std::array<double, 3>;
using Points = std::vector<Point>;

struct Solid {
    Points points;
    std::vector<std::array<int, 3>> faces;
};

std::string obj_of(const Solid& solid) {
    std::string text;
    for (const Point& p : solid.points)
        text += "v " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
    for (const auto& f : solid.faces)
        text +=
            "f " + std::to_string(f[0] + 1) + " " + std::to_string(f[1] + 1) + " " + std::to_string(f[2] + 1) + "\n";
    return text;
}

// Three unit cubes.
Solid l_shape(bool inside_out = false) {
    Solid solid;
    for (const double z : {0.0, 1.0})
        for (const auto& [x, y] : {std::pair(0.0, 0.0), {2.0, 0.0}, {2.0, 1.0}, {1.0, 1.0}, {1.0, 2.0}, {0.0, 2.0}})
            solid.points.push_back({x, y, z});
    for (int i = 0; i < 6; ++i) {
        const int j = (i + 1) % 6;
        solid.faces.push_back({i, j, j + 6});
        solid.faces.push_back({i, j + 6, i + 6});
    }
    for (const auto& [a, b, c] : {std::array{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
        solid.faces.push_back({c, b, a});
        solid.faces.push_back({a + 6, b + 6, c + 6});
    }
    if (inside_out)
        for (auto& face : solid.faces) std::swap(face[0], face[1]);
    return solid;
}

constexpr double kMajor = 1.0, kMinor = 0.3;

Solid torus(int around, int across) {
    Solid solid;
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across, r = kMajor + kMinor * std::cos(b);
            solid.points.push_back({r * std::cos(a), kMinor * std::sin(b), r * std::sin(a)});
            const int next_i = (i + 1) % around, next_j = (j + 1) % across;
            const int p = i * across + j, q = i * across + next_j, u = next_i * across + next_j,
                      v = next_i * across + j;
            solid.faces.push_back({p, q, u});
            solid.faces.push_back({p, u, v});
        }
    return solid;
}

// Of a point outside the round torus.
double torus_distance(const Point& p) { return std::hypot(std::hypot(p[0], p[2]) - kMajor, p[1]) - kMinor; }

// How far a point is outside some plane through three vertices that has all others on one side; 0 inside.
double outside(const Points& hull, const Point& p) {
    double most = 0;
    const auto minus = [](const Point& a, const Point& b) { return Point{a[0] - b[0], a[1] - b[1], a[2] - b[2]}; };
    const auto dot = [](const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    for (std::size_t i = 0; i < hull.size(); ++i)
        for (std::size_t j = i + 1; j < hull.size(); ++j)
            for (std::size_t k = j + 1; k < hull.size(); ++k) {
                const Point u = minus(hull[j], hull[i]), v = minus(hull[k], hull[i]);
                Point n = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
                const double length = std::sqrt(dot(n, n));
                if (length < 1e-6) continue;
                for (double& x : n) x /= length;
                double low = 0, high = 0;
                for (const Point& q : hull)
                    low = std::min(low, dot(n, minus(q, hull[i]))), high = std::max(high, dot(n, minus(q, hull[i])));
                const double at = dot(n, minus(p, hull[i]));
                if (high < 1e-6) most = std::max(most, at);
                if (low > -1e-6) most = std::max(most, -at);
            }
    return most;
}

struct Decomposed {
    json report;
    std::vector<Points> hulls;
};

Decomposed decompose(const Solid& solid, const std::string& arguments = "") {
    const std::string path = write_scratch("solid.obj", obj_of(solid));
    const Outcome outcome = run_abut("cook --decompose --json " + path + " -o {}/hulls.jsonl " + arguments);
    INFO(arguments << ": " << outcome.error);
    REQUIRE(outcome.code == 0);
    Decomposed made = {json::parse(outcome.out), {}};
    const json shapes = json::parse(read_file(scratch("hulls.jsonl")))["shapes"];
    REQUIRE((shapes.size() == 1 && shapes[0]["shape"] == "compound"));
    for (const json& child : shapes[0]["children"]) made.hulls.push_back(child["shape"]["vertices"].get<Points>());
    REQUIRE(made.hulls.size() == made.report["parts"].size());
    return made;
}

double farthest_outside(const Decomposed& made, const Points& points) {
    double most = 0;
    for (const Point& p : points) {
        double least = INFINITY;
        for (const Points& hull : made.hulls)
            if (least > 1e-5) least = std::min(least, outside(hull, p));
        most = std::max(most, least);
    }
    return most;
}

// Over points of the hulls, each between three vertices.
double farthest_from_torus(const Decomposed& made) {
    double most = 0;
    for (const Points& hull : made.hulls)
        for (const Point& a : hull)
            for (const Point& b : hull)
                for (const Point& c : hull)
                    most = std::max(most, torus_distance({(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3,
                                                          (a[2] + b[2] + c[2]) / 3}));
    return most;
}

double figure(const Decomposed& made, const char* name) { return made.report["decomposition"][name].get<double>(); }

bool is_possible() { return abut::tools::can_decompose(); }

void check_refused(const std::string& arguments, const std::string& part) {
    const Outcome outcome = run_abut("cook " + arguments + " -o {}/never.jsonl");
    INFO(arguments << ": " << outcome.error);
    CHECK((outcome.code == 2 && outcome.out.empty()));
    CHECK(outcome.error.find(part) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch("never.jsonl")));
}

}  // namespace

TEST_CASE("without HACD, --decompose says so") {
    if (abut::tools::can_decompose()) return;
    check_refused(write_scratch("l.obj", obj_of(l_shape())) + " --decompose", "libbullet-extras-dev");
}

TEST_CASE("an L becomes two boxes, whichever side its fronts are on") {
    if (!is_possible()) return;
    for (const bool inside_out : {false, true}) {
        const Solid solid = l_shape(inside_out);
        const Decomposed made = decompose(solid);
        REQUIRE(made.hulls.size() == 2);
        CHECK(farthest_outside(made, solid.points) < 1e-6);
        CHECK(made.report["parts"][0]["volume"].get<double>() + made.report["parts"][1]["volume"].get<double>() ==
              Approx(3));
        CHECK(figure(made, "mesh_volume") == Approx(3));
        CHECK(made.report["decomposition"]["closed"] == true);
        CHECK((figure(made, "mesh_outside") < 1e-6 && figure(made, "hulls_outside") < 1e-6));
        // One hull has an edge from (2, 1) to (1, 2), whose middle is 0.5 away from both walls of the L.
        const Decomposed one = decompose(solid, "--max-parts 1");
        REQUIRE(one.hulls.size() == 1);
        CHECK(figure(one, "hulls_outside") == Approx(0.5).margin(figure(one, "hulls_spacing")));
    }
}

TEST_CASE("the hulls of a torus contain it, and reach out of it as far as the report says") {
    if (!is_possible()) return;
    const Solid solid = torus(20, 10);
    const double section = 5 * kMinor * kMinor * std::sin(M_PI / 5), path = 20 * kMajor * std::sin(M_PI / 20) * 2;
    for (const char* arguments : {"", "--concavity 0.3", "--max-parts 4"}) {
        const Decomposed made = decompose(solid, arguments);
        INFO(arguments);
        CHECK((made.hulls.size() > 2 && made.hulls.size() <= 32));
        CHECK((std::string(arguments) != "--max-parts 4" || made.hulls.size() <= 4));
        CHECK(farthest_outside(made, solid.points) < 1e-5);
        CHECK(figure(made, "mesh_outside") < 1e-5);
        CHECK(figure(made, "mesh_volume") == Approx(section * path).epsilon(0.05));
        // The flat faces are up to 0.03 m inside the round torus.
        const double expected = farthest_from_torus(made), measured = figure(made, "hulls_outside");
        CHECK((measured > expected - 0.01 && measured < expected + figure(made, "hulls_spacing") + 0.03));
    }
    // Hulls of few vertices lose some of the mesh, at most what cooking reports.
    const Decomposed few = decompose(solid, "--max-vertices 8");
    double loss = 0;
    for (const json& part : few.report["parts"]) loss = std::max(loss, part["deviation"].get<double>());
    CHECK((figure(few, "mesh_outside") > 0.001 && figure(few, "mesh_outside") <= loss + 1e-6));
    CHECK(figure(few, "mesh_outside") >= farthest_outside(few, solid.points) - 1e-5);
}

TEST_CASE("a fine mesh is decomposed by a coarse copy, and contained as any") {
    if (!is_possible()) return;
    const Decomposed made = decompose(torus(60, 30));
    CHECK(figure(made, "weld") > 0);
    CHECK(figure(made, "mesh_outside") < 1e-5);
    CHECK(figure(made, "hulls_outside") < 0.2);
    CHECK((made.hulls.size() > 2 && made.hulls.size() <= 32));
}

TEST_CASE("open, flat and separate meshes are decomposed too") {
    if (!is_possible()) return;
    Solid open = torus(16, 8);
    open.faces.resize(open.faces.size() / 2);
    const Decomposed half = decompose(open);
    CHECK((half.report["decomposition"]["closed"] == false && half.report["decomposition"]["mesh_volume"].is_null()));
    CHECK(figure(half, "mesh_outside") < 1e-5);
    const Outcome table = run_abut("cook --decompose {}/solid.obj");
    CHECK(table.out.find("which is not closed") != std::string::npos);
    CHECK(table.out.find("solid.obj: a compound of") != std::string::npos);

    const Decomposed one = decompose({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
    REQUIRE(one.hulls.size() == 1);
    CHECK((one.hulls[0].size() == 3 && figure(one, "hulls_outside") < 1e-6));

    Solid two = l_shape();
    for (const Point& p : l_shape().points) two.points.push_back({p[0] + 9, p[1], p[2]});
    for (const auto& [a, b, c] : l_shape().faces) two.faces.push_back({a + 12, b + 12, c + 12});
    CHECK(decompose(two).hulls.size() == 4);
    CHECK(decompose(two, "--max-parts 3").hulls.size() == 2);  // one for each
    const std::string path = scratch("solid.obj");
    check_refused(path + " --decompose --max-parts 1", "2 parts do not hang together");
    check_refused(path + " --decompose --max-parts 1 --by all", "too far from each other");
    CHECK(run_abut("cook --decompose " + path + " -o " + path).code == 2);
    CHECK(read_file(path) == obj_of(two));
    CHECK(run_abut("cook " + path + " --as mesh -o {}/two.abutmesh").code == 0);
    CHECK(run_abut("cook {}/two.abutmesh --decompose").out.find("a compound of 4 hulls") != std::string::npos);
}

TEST_CASE("options of --decompose out of range, and without it, are refused") {
    if (!is_possible()) return;
    const std::string path = write_scratch("l.obj", obj_of(l_shape()));
    for (const char* option :
         {"--max-parts 0", "--max-parts 1025", "--max-parts 2.5", "--concavity 0", "--concavity -1", "--concavity nan"})
        check_refused(path + " --decompose " + option, std::string(option).substr(0, std::string(option).find(' ')));
    for (const char* as : {"hull", "mesh"})
        check_refused(path + " --decompose --as " + as, "--decompose is for --as compound");
    for (const char* option : {"--max-parts 3", "--concavity 1"})
        check_refused(path + " " + option, "is for --decompose");
}
