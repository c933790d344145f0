// Captures from strangers: whatever the bytes, an error with the file's name and the offset, or a capture that is safe
// to use.
#include "support/catch.hpp"

#include <cstdint>
#include <cstring>
#include <random>

#include <sys/stat.h>
#include <unistd.h>

#include "capture.hpp"
#include "capture_generated.h"
#include "capture_json.hpp"
#include "program.hpp"

using namespace abut;
using namespace abut::tests;
using namespace abut::tools;

namespace {

namespace fb = abut::capture;

std::vector<std::byte> bytes_of(const CaptureFile& file, std::size_t frames) {
    CaptureWriter writer;
    add_shapes(writer, file.capture().shapes);
    for (std::size_t i = 0; i < frames; ++i) add_frame(writer, file.capture().frames[i]);
    const auto bytes = file_bytes(writer);
    return {bytes.begin(), bytes.end()};
}

ShapeSpec shape(ShapeKind kind) {
    ShapeSpec spec;
    spec.kind = kind;
    spec.radius = 1.0f;
    return spec;
}

std::vector<std::byte> small_capture() {
    std::vector<ShapeSpec> shapes = {shape(ShapeKind::sphere), shape(ShapeKind::hull), shape(ShapeKind::compound)};
    shapes[1].vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    shapes[2].children = {{shapes[0], {1, 2, 3}, {}}, {shapes[1], {}, {}}};
    const std::vector<CaptureBody> bodies = {{{0, 0, 0}, 0, {}}, {{1, 0, 0}, 1, {}}, {{0, 1, 0}, 2, {}}};
    const std::vector<Pair> pairs = {{0, 1}, {1, 2}, {2, 2}};
    CaptureWriter writer;
    add_shapes(writer, shapes);
    add_frame(writer, {"first", bodies, pairs});
    add_frame(writer, {"", {}, {}});
    const auto bytes = file_bytes(writer);
    return {bytes.begin(), bytes.end()};
}

// The error's text; empty where the capture was read, in which case everything in it is touched.
std::string error_of(std::vector<std::byte> bytes) {
    bytes.shrink_to_fit();  // so that a sanitizer sees the first byte past the end
    try {
        const Capture capture = read_capture(bytes, "file.abut");
        std::string text;
        append_shapes_line(text, capture.shapes);
        for (const CaptureFrame& frame : capture.frames) {
            append_frame_line(text, frame);
            for (const Pair& pair : frame.pairs)
                REQUIRE((pair.a < frame.bodies.size() && pair.b < frame.bodies.size()));
            for (const CaptureBody& body : frame.bodies) REQUIRE(body.shape < capture.shapes.size());
        }
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

bool names_file_and_offset(const std::string& error) { return error.starts_with("file.abut: offset "); }

std::vector<std::byte> finished(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<fb::Capture> root,
                                const char* identifier = fb::CaptureIdentifier()) {
    builder.Finish(root, identifier);
    const auto* first = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    return {first, first + builder.GetSize()};
}

}  // namespace

TEST_CASE("a capture cut short anywhere is refused") {
    const std::vector<std::byte> whole = small_capture();
    REQUIRE(error_of(whole).empty());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const std::string error = error_of({whole.begin(), whole.begin() + std::ptrdiff_t(size)});
        INFO(size << " of " << whole.size() << ": " << error);
        CHECK(names_file_and_offset(error));
    }
}

TEST_CASE("bytes after a capture's end are refused") {
    for (const std::size_t extra : {1, 2, 3, 4, 5, 8, 100, 5000}) {
        for (const std::byte filler : {std::byte(0), std::byte(0xff)}) {
            std::vector<std::byte> bytes = small_capture();
            bytes.insert(bytes.end(), extra, filler);
            const std::string error = error_of(bytes);
            CHECK(names_file_and_offset(error));
            CHECK(error.find("trailing") != std::string::npos);
        }
    }
}

TEST_CASE("flipped bits never harm") {
    const std::vector<std::byte> small = small_capture();
    std::size_t refused = 0, read = 0;
    for (std::size_t bit = 0; bit < small.size() * 8; ++bit) {
        std::vector<std::byte> bytes = small;
        bytes[bit / 8] ^= std::byte(1) << (bit % 8);
        const std::string error = error_of(bytes);
        error.empty() ? ++read : ++refused;
        if (!error.empty()) CHECK(names_file_and_offset(error));
    }
    CHECK(refused > 1000);  // structure
    CHECK(read > 1000);     // numbers
}

TEST_CASE("a pile with many bytes overwritten never harms") {
    const CaptureFile file(ABUT_PILE);
    const std::vector<std::byte> whole = bytes_of(file, 1);
    std::mt19937 random(7);
    std::size_t refused = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<std::byte> bytes = whole;
        const std::size_t head = round % 2 ? bytes.size() : 4096;  // every other time where the structure is densest
        for (int i = 0; i < 1 + round % 20; ++i) bytes[random() % head] = std::byte(random());
        const std::string error = error_of(bytes);
        refused += !error.empty();
        if (!error.empty()) CHECK(names_file_and_offset(error));
    }
    CHECK(refused > 50);
}

TEST_CASE("noise is no capture") {
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::byte> bytes(random() % 300);
        for (std::byte& byte : bytes) byte = std::byte(random() % (round % 2 ? 256 : 16));
        if (bytes.size() >= 8) std::memcpy(bytes.data() + 4, "ABUT", 4);
        const std::string error = error_of(bytes);
        if (!error.empty()) CHECK(names_file_and_offset(error));
    }
}

TEST_CASE("foreign marks and versions are refused") {
    flatbuffers::FlatBufferBuilder builder;
    const std::string version = error_of(finished(builder, fb::CreateCapture(builder, 6)));
    CHECK(names_file_and_offset(version));
    CHECK(version.find("version is 6; this program reads 1 to 5") != std::string::npos);
    flatbuffers::FlatBufferBuilder other;
    const std::string mark = error_of(finished(other, fb::CreateCapture(other, 1), "ABUX"));
    CHECK(mark.find("offset 4") != std::string::npos);
    CHECK(mark.find("ABUX") != std::string::npos);
}

TEST_CASE("a pose of a shape is refused in version 1, whose readers do not know it") {
    for (const std::uint32_t version : {1u, 2u}) {
        flatbuffers::FlatBufferBuilder builder;
        const fb::Pose pose({1, 2, 3}, {0, 0, 0, 1});
        fb::ShapeBuilder shape(builder);
        shape.add_pose(&pose);
        const std::vector<flatbuffers::Offset<fb::Shape>> shapes = {shape.Finish()};
        const std::string error = error_of(finished(builder, fb::CreateCaptureDirect(builder, version, &shapes)));
        CHECK((error.find("has a pose") != std::string::npos) == (version == 1));
        CHECK(error.empty() == (version == 2));
    }
}

TEST_CASE("flags of cells are refused in versions 1 and 2, whose readers do not know them") {
    for (const std::uint32_t version : {1u, 2u, 3u}) {
        flatbuffers::FlatBufferBuilder builder;
        const auto cells = builder.CreateVector(std::vector<std::uint8_t>{1, 2});
        fb::ShapeBuilder shape(builder);
        shape.add_kind(fb::Kind::heightfield);
        shape.add_cells(cells);
        const std::vector<flatbuffers::Offset<fb::Shape>> shapes = {shape.Finish()};
        const std::string error = error_of(finished(builder, fb::CreateCaptureDirect(builder, version, &shapes)));
        CHECK((error.find("has flags of cells, which version " + std::to_string(version)) != std::string::npos) ==
              (version < 3));
        CHECK(error.empty() == (version == 3));
    }
}

TEST_CASE("indices past the end are refused, with their offset") {
    const auto capture_with = [](fb::Body body, fb::Pair pair) {
        flatbuffers::FlatBufferBuilder builder;
        const std::vector<flatbuffers::Offset<fb::Shape>> shapes = {fb::CreateShape(builder)};
        const std::vector<fb::Body> bodies = {body};
        const std::vector<fb::Pair> pairs = {pair};
        const std::vector<flatbuffers::Offset<fb::Frame>> frames = {
            fb::CreateFrameDirect(builder, "f", &bodies, &pairs)};
        return finished(builder,
                        fb::CreateCapture(builder, 1, builder.CreateVector(shapes), builder.CreateVector(frames)));
    };
    const fb::Vec3 p(0, 0, 0);
    const fb::Quat q(0, 0, 0, 1);
    CHECK(error_of(capture_with(fb::Body(p, 0, q), fb::Pair(0, 0))).empty());
    for (const std::string& error : {error_of(capture_with(fb::Body(p, 1, q), fb::Pair(0, 0))),
                                     error_of(capture_with(fb::Body(p, 0xffffffff, q), fb::Pair(0, 0))),
                                     error_of(capture_with(fb::Body(p, 0, q), fb::Pair(0, 1))),
                                     error_of(capture_with(fb::Body(p, 0, q), fb::Pair(0xffffffff, 0)))}) {
        CHECK(names_file_and_offset(error));
    }
}

TEST_CASE("shapes of no kind are refused") {
    for (const auto kind : {fb::Kind::custom, fb::Kind(12), fb::Kind(15), fb::Kind(255)}) {
        flatbuffers::FlatBufferBuilder builder;
        const std::vector<flatbuffers::Offset<fb::Shape>> shapes = {fb::CreateShape(builder, kind)};
        CHECK(error_of(finished(builder, fb::CreateCapture(builder, 1, builder.CreateVector(shapes)))).find("kind") !=
              std::string::npos);
    }
}

TEST_CASE("a small file cannot ask for much memory by sharing its parts") {
    flatbuffers::FlatBufferBuilder builder;
    const std::vector<fb::Vec3> vertices(10000);
    const auto list = builder.CreateVectorOfStructs(vertices);
    fb::ShapeBuilder hull(builder);
    hull.add_kind(fb::Kind::hull);
    hull.add_vertices(list);
    const std::vector<flatbuffers::Offset<fb::Shape>> shapes(5000, hull.Finish());
    CHECK(names_file_and_offset(
        error_of(finished(builder, fb::CreateCapture(builder, 1, builder.CreateVector(shapes))))));
}

TEST_CASE("a tree of compounds that doubles at every level is refused at once") {
    flatbuffers::FlatBufferBuilder builder;
    auto node = fb::CreateShape(builder);
    for (int level = 0; level < 16; ++level) {
        const std::vector<flatbuffers::Offset<fb::Child>> children(100, fb::CreateChild(builder, node));
        const auto list = builder.CreateVector(children);
        fb::ShapeBuilder compound(builder);
        compound.add_kind(fb::Kind::compound);
        compound.add_children(list);
        node = compound.Finish();
    }
    const std::vector<flatbuffers::Offset<fb::Shape>> shapes = {node};
    CHECK(names_file_and_offset(
        error_of(finished(builder, fb::CreateCapture(builder, 1, builder.CreateVector(shapes))))));
}

TEST_CASE("compounds deeper than the format allows are refused") {
    for (const int depth : {kMaxCompoundDepth, kMaxCompoundDepth + 1, 60, 1000}) {
        flatbuffers::FlatBufferBuilder builder;
        auto node = fb::CreateShape(builder);
        for (int level = 0; level < depth; ++level) {
            const std::vector<flatbuffers::Offset<fb::Child>> children = {fb::CreateChild(builder, node)};
            const auto list = builder.CreateVector(children);
            fb::ShapeBuilder compound(builder);
            compound.add_kind(fb::Kind::compound);
            compound.add_children(list);
            node = compound.Finish();
        }
        const std::vector<flatbuffers::Offset<fb::Shape>> shapes = {node};
        const std::string error =
            error_of(finished(builder, fb::CreateCapture(builder, 1, builder.CreateVector(shapes))));
        CHECK(error.empty() == (depth <= kMaxCompoundDepth));
    }
}

TEST_CASE("a label must be text") {
    flatbuffers::FlatBufferBuilder builder;
    const std::vector<flatbuffers::Offset<fb::Frame>> frames = {fb::CreateFrameDirect(builder, "\xff\xfe")};
    CHECK(error_of(finished(builder, fb::CreateCapture(builder, 1, 0, builder.CreateVector(frames)))).find("UTF-8") !=
          std::string::npos);
}

TEST_CASE("files that are none are refused with the reason") {
    const auto refused = [](const std::string& path, const char* why) {
        for (const char* command : {"dump", "replay"}) {
            const Outcome outcome = run_abut(std::string(command) + " " + path);
            INFO(path << ": " << outcome.error);
            CHECK(outcome.code == 2);
            CHECK(outcome.out.empty());
            CHECK(outcome.error.find(path) != std::string::npos);
            CHECK(outcome.error.find(why) != std::string::npos);
        }
    };
    refused(scratch("missing.abut"), "No such file");
    refused("/", "directory");
    refused("/dev/null", "regular file");
    refused(write_scratch("empty.abut", ""), "offset 0");
    const std::string locked = write_scratch("locked.abut", "x");
    REQUIRE(chmod(locked.c_str(), 0) == 0);
    if (geteuid() != 0) refused(locked, "ermission");
    // 2 GiB, of which a sparse file takes none.
    const std::string huge = write_scratch("huge.abut", "");
    REQUIRE(truncate(huge.c_str(), off_t(1) << 31) == 0);
    refused(huge, "2147483648 bytes");
}
