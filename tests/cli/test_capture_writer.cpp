// The installed writer of captures: what an engine records is what is read, and what it may not write is refused by
// name.
#include "support/catch.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <sys/stat.h>

#include <abut/abut.hpp>
#include <abut/capture.hpp>

#include "capture.hpp"
#include "capture_generated.h"
#include "program.hpp"

using namespace abut;
using namespace abut::tests;

namespace {

CaptureShape ball(float radius) {
    CaptureShape shape;
    shape.kind = ShapeKind::sphere;
    shape.radius = radius;
    return shape;
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const std::vector<CaptureBody> kBodies = {{{0, 0, 0}, 0, {}}, {{1, 2, 3}, 1, {}}};
const std::vector<Pair> kPairs = {{0, 1}};

}  // namespace

TEST_CASE("a store's frames are recorded as they are, each shape once") {
    ShapeStore store;
    const std::vector<Vec3> points = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 1}, {0, 1, 0}};
    InstanceOptions options;
    options.rounding = 0.25f;
    options.scale = {2, 2, 2};
    const std::vector<Expected<ShapeId>> ids = {store.add_sphere(1),
                                                store.add_capsule(2, 3, options),
                                                store.add_box({1, 2, 3}),
                                                store.add_cylinder(4, 5),
                                                store.add_cone(6, 7),
                                                store.add_ellipsoid({1, 2, 4}),
                                                store.add_halfspace({0, 2, 0}, 3),
                                                store.add_hull(points)};
    std::vector<Body> bodies;
    for (const auto& id : ids) {
        REQUIRE(id);
        bodies.push_back({{float(bodies.size()), 0, std::numeric_limits<float>::quiet_NaN()}, *id, {0, 1, 0, 0}});
    }
    bodies.push_back(bodies[0]);
    const std::vector<Pair> pairs = {{0, 1}, {8, 2}};
    CaptureWriter writer;
    REQUIRE(writer.add_frame("one", Frame{&store, bodies, pairs}));
    REQUIRE(writer.add_frame("two", Frame{&store, bodies, pairs}));
    CHECK(writer.shape_count() == ids.size());
    const std::span<const std::byte> bytes = writer.bytes();
    const tools::Capture capture = tools::read_capture(bytes, "recorded");
    REQUIRE(capture.shapes.size() == ids.size());
    REQUIRE(capture.frames.size() == 2);
    for (std::size_t i = 0; i < ids.size(); ++i) CHECK(capture.shapes[i].kind == ids[i]->kind());
    CHECK(capture.shapes[1].half_height == 3);
    CHECK(capture.shapes[1].rounding == 0.25f);
    CHECK(capture.shapes[1].scale == Vec3{2, 2, 2});
    CHECK_FALSE(capture.shapes[2].scale);
    CHECK(capture.shapes[2].extents == Vec3{1, 2, 3});
    CHECK(capture.shapes[5].extents == Vec3{1, 2, 4});
    CHECK(capture.shapes[6].offset == store.view(*ids[6]).offset);
    CHECK(capture.shapes[7].vertices.size() == 4);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const tools::CaptureBody& body = capture.frames[1].bodies[i];
        CHECK(body.shape == i % ids.size());
        CHECK(std::memcmp(&body.position, &bodies[i].position, sizeof(Vec3)) == 0);
        CHECK(body.orientation == bodies[i].orientation);
    }
    CHECK(capture.frames[1].pairs[1] == pairs[1]);
}

TEST_CASE("doubles and relative poses are recorded as two bodies per pair, A at the origin") {
    ShapeStore store;
    const std::vector<ShapeId> ids = {*store.add_sphere(0.5f), *store.add_box({1, 2, 3})};
    const std::vector<DVec3> positions = {{1e9, 0, 0}, {1e9 + 0.25, 1, 2}};
    const std::vector<Quat> orientations = {{0, 1, 0, 0}, {0, 0, 0.6f, 0.8f}};
    const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
    const std::vector<RelativePose> poses = {{{1, 2, 3}, {0, 0, 1, 0}}, {{4, 5, 6}, {}}};
    CaptureWriter writer;
    REQUIRE(writer.add_frame(
        "doubles",
        Frame{&store, BodyColumns{.shapes = ids, .double_positions = positions, .orientations = orientations}, pairs}));
    REQUIRE(writer.add_frame(
        "relative",
        Frame{.shapes = &store, .bodies = BodyColumns{.shapes = ids}, .pairs = pairs, .relative_poses = poses}));
    const tools::Capture capture = tools::read_capture(writer.bytes(), "recorded");
    REQUIRE(capture.frames.size() == 2);
    for (const auto& frame : capture.frames) {
        REQUIRE(frame.bodies.size() == 4);
        REQUIRE(frame.pairs.size() == 2);
        CHECK((frame.pairs[0] == Pair{0, 1} && frame.pairs[1] == Pair{2, 3}));
        CHECK(frame.bodies[0].position == Vec3{});
        CHECK((frame.bodies[2].shape == 1 && frame.bodies[3].shape == 0));
    }
    CHECK(capture.frames[0].bodies[1].position == Vec3{0.25f, 1, 2});
    CHECK(capture.frames[0].bodies[3].position == Vec3{-0.25f, -1, -2});
    CHECK(capture.frames[0].bodies[2].orientation == orientations[1]);
    CHECK(capture.frames[1].bodies[3].position == Vec3{4, 5, 6});
    CHECK(capture.frames[1].bodies[0].orientation == Quat{});
    const std::vector<Pair> none = {{0, 2}};
    CHECK_FALSE(writer.add_frame(
        "x", Frame{.shapes = &store, .bodies = BodyColumns{.shapes = ids}, .pairs = none, .relative_poses = poses}));
    CHECK(std::string(writer.error()).find("pairs[0] is (0, 2)") != std::string::npos);
}

TEST_CASE("a store's compound is recorded with its children, and again once it has changed") {
    ShapeStore store;
    const std::vector<Vec3> points = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 1}, {0, 1, 0}};
    const auto sphere = store.add_sphere(0.5f), hull = store.add_hull(points, {.rounding = 0.125f, .scale = {1, 2, 1}});
    REQUIRE((sphere && hull));
    const std::vector<CompoundChild> inner = {{*sphere, {1, 0, 0}, {}}, {*hull, {0, 2, 0}, {0, 0.6f, 0, 0.8f}}};
    const auto nested = store.add_compound(inner, {.rounding = 0.25f, .scale = {2, 2, 2}});
    REQUIRE(nested);
    const std::vector<CompoundChild> outer = {{*nested, {5, 0, 0}, {}}, {*hull, {}, {}}};
    const auto compound = store.add_compound(outer);
    REQUIRE(compound);

    CaptureWriter writer;
    const std::vector<Body> bodies = {{{}, *compound, {}}, {{1, 0, 0}, *compound, {}}};
    for (const float rounding : {0.0f, 0.0f, 1.0f}) {
        REQUIRE(store.set_instance(*compound, {.rounding = rounding}));
        REQUIRE(writer.add_frame("frame", Frame{&store, bodies, {}}));
    }
    CHECK(writer.shape_count() == 2);
    const tools::Capture capture = tools::read_capture(writer.bytes(), "recorded");
    REQUIRE(capture.shapes.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const tools::ShapeSpec& shape = capture.shapes[i];
        const float more = float(i);  // rounding
        REQUIRE((shape.kind == ShapeKind::compound && shape.children.size() == 3));
        CHECK((shape.rounding == 0 && !shape.scale));
        const auto &ball = shape.children[0], &large = shape.children[1], &small = shape.children[2];
        CHECK((ball.shape.kind == ShapeKind::sphere && ball.shape.radius == 0.5f && ball.shape.scale == Vec3{2, 2, 2}));
        CHECK((ball.shape.rounding == 0.25f + more && ball.position == Vec3{7, 0, 0}));
        CHECK((large.shape.kind == ShapeKind::hull && large.shape.scale == Vec3{2, 4, 2} &&
               large.position == Vec3{5, 4, 0}));
        CHECK((large.shape.rounding == 0.5f + more && large.shape.vertices.size() == 4));
        CHECK(std::abs(large.orientation.y - 0.6f) < 1e-6f);
        CHECK(
            (small.shape.scale == Vec3{1, 2, 1} && small.shape.rounding == 0.125f + more && small.position == Vec3{}));
        std::vector<Vec3> vertices(4);
        REQUIRE(store.hull_vertices(*hull, vertices) == 4);
        CHECK((small.shape.vertices == vertices && large.shape.vertices == vertices));
    }
    CHECK((capture.frames[0].bodies[1].shape == 0 && capture.frames[2].bodies[1].shape == 1));
}

TEST_CASE("a shape is recorded with its pose, surfaces and compounds too") {
    ShapeStore store;
    const RelativePose pose = {{1, 2, 3}, {0, 0, 0.6f, 0.8f}};
    const ShapeId box = *store.add_box({1, 2, 3}, {.pose = pose}),
                  plane = *store.add_halfspace({0, 1, 0}, 0, {.pose = pose});
    const std::vector<CompoundChild> children = {{box, {5, 0, 0}, {}}};
    const ShapeId compound = *store.add_compound(children, {.pose = pose});
    CaptureWriter writer;
    std::vector<Body> bodies = {{{}, box, {}}};
    REQUIRE(writer.add_frame("one", Frame{&store, bodies, {}}));
    REQUIRE(store.set_instance(box, {}));
    REQUIRE(writer.add_frame("two", Frame{&store, bodies, {}}));
    for (const ShapeId id : {plane, compound}) CHECK(writer.add_shape(store, id) != CaptureWriter::kRefused);
    const tools::Capture capture = tools::read_capture(writer.bytes(), "recorded");
    REQUIRE(capture.shapes.size() == 4);
    for (const std::size_t posed : {0, 2, 3}) {
        REQUIRE(capture.shapes[posed].pose);
        CHECK((capture.shapes[posed].pose->position == pose.position &&
               capture.shapes[posed].pose->orientation == pose.orientation));
    }
    CHECK((capture.shapes[0].kind == ShapeKind::box && !capture.shapes[1].pose &&
           capture.shapes[2].kind == ShapeKind::halfspace));
    const tools::ChildSpec& child = capture.shapes[3].children.at(0);
    CHECK((!child.shape.pose && child.position == Vec3{6, 2, 3} && child.shape.kind == ShapeKind::box));
}

TEST_CASE("a capture has version 2 only where a shape has a pose") {
    CaptureWriter writer;
    writer.add_shape(ball(1));
    const auto version = [&] { return capture::GetCapture(writer.bytes().data())->version(); };
    CHECK(version() == 1);
    CaptureShape posed = ball(1);
    posed.pose = RelativePose{{1, 0, 0}, {}};
    const CaptureChild child{posed, {}, {}};
    CaptureShape compound;
    compound.kind = ShapeKind::compound, compound.children = &child, compound.child_count = 1;
    writer.add_shape(compound);
    CHECK(version() == 2);
}

TEST_CASE("a height field is recorded with the flags of its cells, in version 3") {
    ShapeStore store;
    const std::vector<float> heights(9);
    const std::vector<std::uint8_t> cells = {0, 1, 2, 3}, all = {2};
    const auto plain = store.add_heightfield(heights, 3, 3),
               mixed = store.add_heightfield(heights, 3, 3, {}, {.cells = cells}),
               other = store.add_heightfield(heights, 3, 3, {}, {.cells = all});
    REQUIRE((plain && mixed && other));
    CaptureWriter writer;
    const auto version = [&] { return capture::GetCapture(writer.bytes().data())->version(); };
    REQUIRE(writer.add_shape(store, *plain) == 0);
    CHECK(version() == 1);
    REQUIRE(writer.add_shape(store, *mixed) == 1);
    REQUIRE(writer.add_shape(store, *other) == 2);
    CHECK(version() == 3);
    const tools::Capture capture = tools::read_capture(writer.bytes(), "recorded");
    CHECK((capture.shapes[0].cells.empty() && capture.shapes[1].cells == cells &&
           capture.shapes[2].cells == std::vector<std::uint8_t>(4, 2)));
}

TEST_CASE("the bytes do not depend on when shapes were added") {
    CaptureWriter early, late;
    for (const float radius : {1.0f, 2.0f, 3.0f}) early.add_shape(ball(radius));
    late.add_shape(ball(1));
    late.add_shape(ball(2));
    for (CaptureWriter* writer : {&early, &late}) REQUIRE(writer->add_frame("a", kBodies, kPairs));
    CHECK(late.add_shape(ball(3)) == 2);
    CHECK(text_of(early.bytes()) == text_of(late.bytes()));
    CHECK_FALSE(early.bytes().empty());
}

TEST_CASE("what cannot be recorded is refused by name and changes nothing") {
    CaptureWriter writer;
    writer.add_shape(ball(1));
    writer.add_shape(ball(2));
    const std::string before = text_of(writer.bytes());
    const auto refused = [&](bool done, const char* part) {
        INFO(writer.error());
        CHECK_FALSE(done);
        CHECK(std::string(writer.error()).find(part) != std::string::npos);
        CHECK((text_of(writer.bytes()) == before));
    };
    const std::vector<CaptureBody> no_shape = {{{}, 2, {}}};
    const std::vector<Pair> no_body = {{0, 2}};
    refused(writer.add_frame("x", no_shape, {}), "bodies[0] has shape 2; there are 2");
    refused(writer.add_frame("x", kBodies, no_body), "pairs[0] is (0, 2)");
    refused(writer.add_frame("\xff", kBodies, kPairs), "UTF-8");
    refused(writer.add_shape(CaptureShape{}) != CaptureWriter::kRefused, "none");
    refused(writer.bind(ShapeId{}, 7), "7");
    refused(writer.add_frame("x", Frame{}), "shapes is null");

    CaptureShape nested = ball(1);
    std::vector<CaptureChild> children(17);
    for (CaptureChild& child : children) {
        child.shape = nested;
        nested = {};
        nested.kind = ShapeKind::compound;
        nested.children = &child;
        nested.child_count = 1;
    }
    refused(writer.add_shape(nested) != CaptureWriter::kRefused, "deeper than 16");

    ShapeStore store;
    const auto sphere = store.add_sphere(1), gone = store.add_sphere(2);
    REQUIRE((sphere && gone));
    store.remove(*gone);
    const std::vector<Body> bodies = {{{}, *sphere, {}}, {{}, *gone, {}}};
    refused(writer.add_frame("x", Frame{&store, bodies, {}}), "bodies[1]: shape id");
    refused(writer.add_shape(store, *gone) != CaptureWriter::kRefused, "names no living shape");
    refused(writer.write((scratch("no/such/folder.abut")).c_str()), "folder.abut");
    CHECK(writer.bind(*sphere, 1));
    CHECK(std::string(writer.error()).empty());
    REQUIRE(writer.add_frame("bound", Frame{&store, std::span(bodies).first(1), {}}));
    CHECK(writer.shape_count() == 2);
    CHECK(tools::read_capture(writer.bytes(), "recorded").frames[0].bodies[0].shape == 1);
}

TEST_CASE("a recorded file keeps the mode of the one before") {
    CaptureWriter writer;
    writer.add_shape(ball(1));
    writer.add_shape(ball(2));
    writer.add_frame("a", kBodies, kPairs);
    const std::string path = write_scratch("own.abut", "old");
    REQUIRE(chmod(path.c_str(), 0600) == 0);
    REQUIRE(writer.write(path.c_str()));
    struct stat info = {};
    REQUIRE(stat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 07777) == 0600);
    CHECK((read_file(path) == text_of(writer.bytes())));
    CHECK(run_abut("dump " + path).out.find("\"pairs\": [[0,1]]") != std::string::npos);
}

TEST_CASE("a frame's margins are recorded, and a replay has the contacts that the engine had") {
    ShapeStore store;
    const auto id = store.add_sphere(1);
    const Body bodies[] = {{{0, 0, 0}, *id, {}}, {{2.1f, 0, 0}, *id, {}}, {{0, 2.1f, 0}, *id, {}}};
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}};
    const std::vector<float> margins = {0.2f, 0.05f};
    Frame frame{&store, bodies, pairs};
    frame.margins = margins;
    CaptureWriter writer;
    REQUIRE(writer.add_frame("two", frame));
    const tools::Capture read = tools::read_capture(writer.bytes(), "two");
    CHECK(std::equal(margins.begin(), margins.end(), read.frames[0].margins.begin(), read.frames[0].margins.end()));
    REQUIRE(writer.write(scratch("margins.abut").c_str()));
    CHECK(run_abut("replay {}/margins.abut --json").out.find("\"contacts\":1,") != std::string::npos);
    CHECK(run_abut("replay {}/margins.abut --json --margin 0.3").out.find("\"contacts\":2,") != std::string::npos);
    CHECK(run_abut("replay {}/margins.abut --json --query overlap").out.find("\"hits\":0,") != std::string::npos);
    REQUIRE(writer.add_shape(ball(2)) == 1);
    CHECK_FALSE(writer.add_frame("x", kBodies, kPairs, {}, std::vector<float>(2)));
    CHECK(std::string(writer.error()) == "margins has 2 lengths for 1 pairs");
}
