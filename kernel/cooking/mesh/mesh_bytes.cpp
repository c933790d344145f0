// Only what cooking computes slowly is written: the order of the triangles, their neighbours, and counts. A reader
// computes the rest as cooking does (the tree, the convexity of edges), so that the tables cannot contradict each
// other.
//
// | byte | what | |
// |---|---|---|
// | 0 | "abutmesh" | |
// | 8 | version, sides, vertices, triangles, triangles of the input, user values | 6 x uint32 |
// | 32 | welded and unused vertices, degenerate and duplicate triangles, non-manifold and inconsistent edges, T-junctions | 7 x uint32 |
// | 60 | 1 if the mesh is solid, else 0 | uint32 |
// | 64 | checksum of all other bytes | uint64 |
// | 72 | vertices, in the order in which the triangles use them first | 3 x float32 each |
// | | corners of each triangle | 3 x uint32 each |
// | | the triangles across the edges of each triangle, from corner k to the next; 0xffffffff: none | 3 x uint32 each |
// | | index of each triangle in the input | uint32 each |
// | | user values, by the index in the input | uint32 each |
#include "cooking/mesh/mesh_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/byte_stream.hpp"
#include "base/content_hash.hpp"
#include "cooking/cooking_tolerances.hpp"
#include "cooking/mesh/mesh_edges.hpp"
#include "cooking/mesh/mesh_layout.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {
namespace {

using cooking::ByteInput, cooking::ByteOutput, cooking::KeptTriangle;

constexpr char kMagic[9] = "abutmesh";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeader = 72, kChecksumAt = 64;
constexpr std::size_t kPerVertex = 12, kPerTriangle = 28, kPerValue = 4;

std::size_t bytes_for(std::uint64_t vertices, std::uint64_t triangles, std::uint64_t values) {
    return kHeader + kPerVertex * vertices + kPerTriangle * triangles + kPerValue * values;
}

// Adds eight bytes per step, because one byte per step would take as long as all other reading. Any change of a single
// word changes the checksum.
std::uint64_t checksum(std::span<const std::byte> bytes) {
    ContentHash sum(0xcbf29ce484222325u);
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8)
        if (i != kChecksumAt) sum.add(ByteInput(bytes.subspan(i)).take<std::uint64_t>());
    if (i < bytes.size()) sum.add(ByteInput(bytes.subspan(i)).take_word());  // all parts are of words of four bytes
    return sum.long_value();
}

struct Header {
    std::uint32_t version, sides, vertices, triangles, input, values;
    std::uint32_t welded, unused, degenerate, duplicate, nonmanifold, inconsistent, junctions, solid;
    std::uint64_t sum;
};

// Visits the numbers in the order of the bytes.
template <class Each>
void for_each_field(Header& h, Each&& each) {
    for (std::uint32_t* const field :
         {&h.version, &h.sides, &h.vertices, &h.triangles, &h.input, &h.values, &h.welded, &h.unused, &h.degenerate,
          &h.duplicate, &h.nonmanifold, &h.inconsistent, &h.junctions, &h.solid})
        each(*field);
}

Header header_of(const MeshGeometry& mesh) {
    const MeshReport& r = mesh.report;
    return {kVersion,
            std::uint32_t(mesh.sides),
            std::uint32_t(mesh.vertices.size()),
            mesh.triangle_count(),
            r.input_triangles,
            std::uint32_t(mesh.user_values.size()),
            r.welded_vertices,
            r.unused_vertices,
            r.degenerate_triangles,
            r.duplicate_triangles,
            r.nonmanifold_edges,
            r.inconsistent_edges,
            r.t_junctions,
            mesh.is_solid,
            0};
}

Header take_header(std::span<const std::byte> bytes) {
    ByteInput in(bytes.subspan(8));
    Header h;
    for_each_field(h, [&in](std::uint32_t& field) { field = in.take<std::uint32_t>(); });
    h.sum = in.take<std::uint64_t>();
    return h;
}

Error bad_mesh(const Message& message) { return bad_shape(message_of("cooked mesh", message)); }
Error bad_bytes(std::size_t at, const Message& message) { return bad_mesh(message_of(", byte ", at, ": ", message)); }

std::optional<Error> check_sizes(const Header& h, std::span<const std::byte> bytes) {
    const auto is = [](std::size_t value) { return message_of(" is ", value); };
    if (h.version != kVersion)
        return bad_bytes(8, message_of("version", is(h.version), ", but this library reads ", kVersion));
    if (h.sides > std::uint32_t(MeshSides::both))
        return bad_bytes(12, message_of("sides", is(h.sides), ", which is no MeshSides"));
    if (h.vertices < 3 || h.vertices > cooking::kMostVertices)
        return bad_bytes(16,
                         message_of("the number of vertices", is(h.vertices), ", but 3 to ", cooking::kMostVertices));
    if (h.triangles == 0 || h.triangles > cooking::kMostTriangles)
        return bad_bytes(
            20, message_of("the number of triangles", is(h.triangles), ", but 1 to ", cooking::kMostTriangles));
    if (h.input > cooking::kMostTriangles)
        return bad_bytes(24, message_of("the number of triangles of the input", is(h.input), ", but at most ",
                                        cooking::kMostTriangles));
    if (h.values != 0 && h.values != h.input)
        return bad_bytes(28, message_of("the number of user values", is(h.values),
                                        ", but none or one for each triangle of the input"));
    const std::size_t needed = bytes_for(h.vertices, h.triangles, h.values);
    if (bytes.size() != needed)
        return bad_bytes(bytes.size(), message_of("its header says ", needed, " bytes, but there are ", bytes.size()));
    if (checksum(bytes) != h.sum)
        return bad_bytes(kChecksumAt, "the checksum is not that of the other bytes: these were changed");
    return std::nullopt;
}

std::optional<Error> check_counts(const Header& h) {
    if (std::uint64_t(h.triangles) + h.degenerate + h.duplicate != h.input)
        return bad_bytes(24, "the triangles of the input are not as many as those kept, degenerate and duplicate");
    if (std::uint64_t(h.vertices) + h.welded + h.unused > cooking::kMostVertices)
        return bad_bytes(32, message_of("the vertices of the input are more than ", cooking::kMostVertices));
    if (std::uint64_t(h.nonmanifold) + h.inconsistent > std::uint64_t(3) * h.triangles)
        return bad_bytes(48, "the non-manifold and inconsistent edges are more than all");
    if (h.junctions > h.vertices)
        return bad_bytes(56, message_of("T-junctions is ", h.junctions, ", but there are ", h.vertices, " vertices"));
    if (h.solid > 1) return bad_bytes(60, message_of("solid is ", h.solid, ", neither 0 nor 1"));
    return std::nullopt;
}

void set_report(const Header& h, MeshReport& report) {
    report.input_triangles = h.input;
    report.welded_vertices = h.welded, report.unused_vertices = h.unused;
    report.degenerate_triangles = h.degenerate, report.duplicate_triangles = h.duplicate;
    report.nonmanifold_edges = h.nonmanifold, report.inconsistent_edges = h.inconsistent;
    report.t_junctions = h.junctions;
}

std::optional<Error> take_vertices(const Header& h, ByteInput& in, MeshGeometry& mesh) {
    mesh.vertices.reserve(h.vertices);
    for (std::uint32_t i = 0; i < h.vertices; ++i) {
        const Vec3 v = in.take_vec3();
        if (auto error = cooking::check_vertex(i, v)) return bad_mesh(message_of(": ", error->message));
        mesh.vertices.push_back({v.x + 0.0f, v.y + 0.0f, v.z + 0.0f});
    }
    return std::nullopt;
}

// Reads the corners of the triangles. A corner may exceed the largest one before it by at most 1, so that no vertex is
// skipped.
std::optional<Error> take_corners(const Header& h, ByteInput& in, MeshGeometry& mesh, Vector<KeptTriangle>& triangles) {
    std::uint32_t used = 0;
    triangles.resize(h.triangles);
    for (std::uint32_t i = 0; i < h.triangles; ++i) {
        std::uint32_t* const corners = triangles[i].corners;
        for (std::uint32_t k = 0; k < 3; ++k) {
            corners[k] = in.take<std::uint32_t>();
            if (corners[k] >= h.vertices)
                return bad_mesh(message_of(": triangle ", i, " names vertex ", corners[k], " of ", h.vertices));
            if (corners[k] > used)
                return bad_mesh(message_of(": triangle ", i, " names vertex ", corners[k], " before vertex ", used));
            used += corners[k] == used;
        }
        const double height =
            cooking::least_height(mesh.vertices[corners[0]], mesh.vertices[corners[1]], mesh.vertices[corners[2]]);
        if (!(height > kDegenerateHeight)) return bad_mesh(message_of(": triangle ", i, " is degenerate"));
        mesh.report.needles += height <= kNeedleHeight;
    }
    if (used != h.vertices) return bad_mesh(message_of(": vertex ", used, " is no corner of any triangle"));
    return std::nullopt;
}

std::optional<Error> take_inputs(const Header& h, ByteInput& in, Vector<KeptTriangle>& triangles) {
    Vector<std::uint8_t> is_taken(h.input);
    for (std::uint32_t i = 0; i < h.triangles; ++i) {
        const auto input = in.take<std::uint32_t>();
        if (input >= h.input)
            return bad_mesh(message_of(": triangle ", i, " is ", input, " of the input, which has ", h.input));
        if (is_taken[input] != 0)
            return bad_mesh(message_of(": triangle ", i, " is ", input, " of the input, as is one before it"));
        is_taken[input] = 1;
        triangles[i].input = input;
    }
    return std::nullopt;
}

}  // namespace

std::size_t mesh_byte_count(const MeshGeometry& mesh) {
    return bytes_for(mesh.vertices.size(), mesh.triangle_count(), mesh.user_values.size());
}

void write_mesh(const MeshGeometry& mesh, std::span<std::byte> out) {
    std::memcpy(out.data(), kMagic, 8);
    ByteOutput to(out.data() + 8);
    Header header = header_of(mesh);
    for_each_field(header, [&to](std::uint32_t field) { to.put(field); });
    to.put(header.sum);
    for (const Vec3 v : mesh.vertices) to.put(v);
    for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i)
        for (std::uint32_t k = 0; k < 3; ++k) to.put(mesh.corner(i, k));
    for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i)
        for (std::uint32_t k = 0; k < 3; ++k) to.put(mesh.neighbour(i, k));
    for (const std::uint32_t input : mesh.input) to.put(input);
    for (const std::uint32_t value : mesh.user_values) to.put(value);
    ByteOutput(out.data() + kChecksumAt).put(checksum(out));
}

Expected<MeshGeometry> read_mesh(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeader || std::memcmp(bytes.data(), kMagic, 8) != 0)
        return bad_bytes(
            0, message_of("these ", bytes.size(),
                          " bytes are no cooked mesh: one begins with \"abutmesh\" and a header of 72 bytes"));
    const Header header = take_header(bytes);
    if (auto error = check_sizes(header, bytes)) return *error;
    if (auto error = check_counts(header)) return *error;
    MeshGeometry mesh;
    mesh.sides = MeshSides(header.sides), mesh.is_solid = header.solid != 0;
    set_report(header, mesh.report);
    ByteInput in(bytes.subspan(kHeader));
    Vector<KeptTriangle> triangles;
    if (auto error = take_vertices(header, in, mesh)) return *error;
    if (auto error = take_corners(header, in, mesh, triangles)) return *error;
    Vector<std::uint32_t> neighbours(std::size_t(3) * header.triangles);
    for (std::uint32_t& neighbour : neighbours) neighbour = in.take<std::uint32_t>();
    if (auto error = take_inputs(header, in, triangles)) return *error;
    mesh.user_values.resize(header.values);
    for (std::uint32_t& value : mesh.user_values) value = in.take<std::uint32_t>();
    cooking::lay_out(triangles, mesh);
    if (const Message fault = cooking::join_known(triangles, std::move(neighbours), mesh); !fault.empty())
        return bad_mesh(message_of(": ", fault));
    cooking::finish(triangles, mesh);
    if (auto error = cooking::check_solid(mesh)) return bad_mesh(message_of(": ", error->message));
    return mesh;
}

}  // namespace abut
