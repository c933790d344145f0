// What a long arm swings: children far from their body, and bodies far from their centre of rotation, meet small things
// on their arc.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <cmath>
#include <vector>

#include "queries/casts/routes.hpp"

using namespace abut;
using namespace abut::casts;

namespace {

// What holds a swinging body's shape far from its hinge: the place of a child, the body's centre of rotation, or the
// pose of the shape.
enum class Arm : std::uint8_t { of_child, of_centre, of_pose };

struct Scene {
    ShapeStore shapes;
    std::vector<Body> bodies, ends;
    std::vector<Vec3> centres;
    std::vector<Pair> pairs;
    std::vector<double> expected;  // the time of the hit; 2 for a miss
};

}  // namespace

TEST_CASE("casts: nothing on a long arm passes a small target on its arc", "[casts][compounds][surfaces][right]") {
    Random random(33);
    Scene scene;
    std::vector<double> speeds;
    const float radius = 0.02f, size = 0.06f;
    const auto ball = scene.shapes.add_sphere(radius);
    const std::vector<Vec3> corners = {{size, 0, 0}, {-size, 0, size}, {-size, 0, -size}};
    const std::vector<MeshTriangle> one = {{{0, 1, 2}}};
    const auto triangle = scene.shapes.add_mesh(corners, one, {}, {.sides = MeshSides::both});
    const CompoundChild alone[] = {{*ball, {}, {}}};
    const auto ball_compound = scene.shapes.add_compound(alone);
    REQUIRE((ball && triangle && ball_compound));
    for (std::uint32_t i = 0; i < 600; ++i) {
        const auto arm = Arm(i % 3);
        const bool is_triangle = i / 3 % 2 == 0, swings_target = i / 6 % 2 == 0, passes = i / 12 % 4 == 0,
                   is_swapped = random.chance(0.5);
        const double length_of_arm = random.uniform(3, 20),
                     angle = i / 48 % 2 == 0 ? random.uniform(0.3, 3) : random.uniform(0.03, 0.1);
        const double share = random.chance(0.3) ? 1 - random.uniform(0, 0.01) : random.uniform(0.5, 0.9);
        // The plane of the arc, and the frame of the swinging body at time 0.
        const Vec3d hinge = random.direction() * 2.0, up = random.direction(), some = random.direction();
        const Vec3d out = normalised(cross(up, some)), ahead = cross(up, out);
        const auto on_arc = [&](double turned) {
            return hinge + (out * std::cos(turned) + ahead * std::sin(turned)) * length_of_arm;
        };
        const Vec3d meeting = on_arc(share * angle),
                    along = out * -std::sin(share * angle) + ahead * std::cos(share * angle);
        // The swinging thing: the ball, or what it meets; a triangle faces the way.
        const auto facing = [&](const Vec3d& normal) {
            const Vec3d y{0, 1, 0}, axis = cross(y, normal);
            if (length(axis) < 1e-6) return normal.y > 0 ? Quat{} : Quat{1, 0, 0, 0};
            return rotated({}, normalised(axis), std::atan2(length(axis), normal.y));
        };
        const ShapeId target = is_triangle ? *triangle : *ball_compound;
        const Vec3d aside = passes ? up * 0.3 : Vec3d{};
        const Vec3d start = on_arc(0);
        const Quat at_start = facing(ahead);
        // A body at `start` with the orientation `at_start`, or one whose far child, or whose pose, is there.
        ShapeId shape = swings_target ? target : *ball;
        Body body = {to_float(start), shape, at_start};
        Vec3 centre{};
        const Vec3d to_hinge = oracle::rotation_of(at_start).back(hinge - start);
        if (arm == Arm::of_centre) {
            if (!swings_target) body.shape = *ball_compound;
            centre = to_float(to_hinge);
        } else {
            // In the frame of a body at the hinge with another orientation.
            body.position = to_float(hinge), body.orientation = random.orientation();
            const Quat &q = body.orientation, &r = at_start;
            // The conjugate of q times r.
            const Quat between = {
                q.w * r.x - q.x * r.w - (q.y * r.z - q.z * r.y), q.w * r.y - q.y * r.w - (q.z * r.x - q.x * r.z),
                q.w * r.z - q.z * r.w - (q.x * r.y - q.y * r.x), q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z};
            const Vec3 there = to_float(oracle::rotation_of(q).back(start - hinge));
            // Of meshes there are no children: their pose.
            if (arm == Arm::of_pose || (swings_target && is_triangle)) {
                const auto posed =
                    swings_target && is_triangle
                        ? scene.shapes.add_mesh(corners, one, {.pose = {there, between}}, {.sides = MeshSides::both})
                        : scene.shapes.add_compound(alone, {.pose = {there, between}});
                REQUIRE(posed);
                body.shape = *posed;
            } else {
                const CompoundChild far[] = {{*ball, there, between}, {*ball, {}, {}}};
                const auto compound = scene.shapes.add_compound(far);
                REQUIRE(compound);
                body.shape = *compound;
            }
        }
        Body end = body;
        end.orientation = rotated(body.orientation, up, angle);
        if (arm == Arm::of_centre) end.position = to_float(on_arc(angle));
        const ShapeId other = swings_target ? *ball_compound : target;
        const Body rest = {to_float(meeting + aside), other, facing(along)};
        for (const Body& b : {is_swapped ? rest : body, is_swapped ? body : rest}) scene.bodies.push_back(b);
        for (const Body& b : {is_swapped ? rest : end, is_swapped ? end : rest}) scene.ends.push_back(b);
        for (const Vec3& c : {is_swapped ? Vec3{} : centre, is_swapped ? centre : Vec3{}}) scene.centres.push_back(c);
        scene.pairs.push_back(random.chance(0.5) ? Pair{2 * i, 2 * i + 1} : Pair{2 * i + 1, 2 * i});
        // The chord between the centres at touch: of two balls, or of a ball that rests on the triangle's plane as that
        // swings, or swings to the plane.
        double before = 2 * std::asin(radius / length_of_arm);
        if (is_triangle) before = std::asin(radius / length_of_arm);
        scene.expected.push_back(passes ? 2 : share - before / angle);
        speeds.push_back(angle * length_of_arm);
    }
    for (const bool with_middle : {false, true}) {
        // All in one part, or in two parts of half the way each.
        std::vector<Body> middle = scene.ends;
        for (std::size_t i = 0; i < middle.size(); ++i) {
            const oracle::Pose half = Route({scene.bodies[i], scene.ends[i]}, scene.centres[i]).at(0.5);
            const Quat &p = scene.bodies[i].orientation, &q = scene.ends[i].orientation;
            const float sign = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0 ? -1.0f : 1.0f;
            middle[i].position = to_float(half.position);
            const Quat sum = {p.x + sign * q.x, p.y + sign * q.y, p.z + sign * q.z, p.w + sign * q.w};
            const float norm = std::sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z + sum.w * sum.w);
            middle[i].orientation = {sum.x / norm, sum.y / norm, sum.z / norm, sum.w / norm};
        }
        std::vector<Bodies> ends;
        if (with_middle) ends.emplace_back(middle);
        ends.emplace_back(scene.ends);
        NarrowPhase narrow;
        Casts out;
        REQUIRE(narrow.cast({&scene.shapes, scene.bodies, scene.pairs}, {ends, scene.centres}, out));
        test::Count passed, wrong;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            INFO(i << " " << with_middle << " " << scene.expected[i] << " " << out.time[i]);
            REQUIRE(out.status[i] == Status::ok);
            const bool hits = scene.expected[i] <= 1;
            passed += hits && !out.hit(i);
            CHECK(hits == out.hit(i));
            if (!hits || !out.hit(i)) continue;
            wrong += std::fabs(out.time[i] - scene.expected[i]) * speeds[i] > 1e-3;
            CHECK(std::fabs(out.time[i] - scene.expected[i]) * speeds[i] < 1e-3);
        }
        CHECK(passed == 0);
        CHECK(wrong == 0);
    }
}
