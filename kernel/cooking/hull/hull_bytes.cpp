// Only the data from which the tables follow are written (HullParts). A reader computes the rest as cooking does, so
// that the tables are consistent.
//
// | byte | what | |
// |---|---|---|
// | 0 | "abuthull" | |
// | 8 | version, dimension, vertices, faces, corners of all faces, dropped points | 6 x uint32 |
// | 32 | deviation, overshoot, centre | 5 x float32 |
// | 52 | checksum of all other bytes | uint64 |
// | 60 | vertices relative to the centre | 3 x float32 each |
// | | outward normals of the faces | 3 x float32 each |
// | | corners of each face | uint16 each |
// | | vertex of each corner | uint16 each |
// | | version 2: lost, source deviation, number of source points | 2 x float32, uint32 |
// | | version 2: source points | 3 x float32 each |
#include "cooking/hull/hull_bytes.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include "base/byte_stream.hpp"
#include "cooking/hull/hull_box.hpp"
#include "cooking/hull/hull_check.hpp"
#include "cooking/hull/hull_layout.hpp"
#include "cooking/hull/hull_scale.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {
namespace {

using cooking::ByteInput, cooking::ByteOutput;

constexpr char kMagic[9] = "abuthull";
constexpr std::uint32_t kVersion = 1, kWithSource = 2;
constexpr std::size_t kSourceHeader = 12;
constexpr std::size_t kHeader = 60, kChecksumAt = 52;

std::size_t bytes_for(std::size_t vertices, std::size_t faces, std::size_t corners) {
    return kHeader + 12 * vertices + 14 * faces + 2 * corners;
}

std::uint64_t checksum(std::span<const std::byte> bytes) { return cooking::byte_checksum(bytes, kChecksumAt); }
static_assert(kHeader == kChecksumAt + 8);

Error bad_bytes(std::size_t at, const Message& message) {
    return bad_shape(message_of("cooked hull, byte ", at, ": ", message));
}

struct Header {
    std::uint32_t version, dimension, vertices, faces, corners, dropped;
    float deviation, overshoot;
    Vec3 centre;
    std::uint64_t sum;
};

Header take_header(std::span<const std::byte> bytes) {
    ByteInput in(bytes.subspan(8));
    Header h;
    for (std::uint32_t* const field : {&h.version, &h.dimension, &h.vertices, &h.faces, &h.corners, &h.dropped})
        *field = in.take<std::uint32_t>();
    h.deviation = in.take_float(), h.overshoot = in.take_float();
    h.centre = in.take_vec3();
    h.sum = in.take<std::uint64_t>();
    return h;
}

std::optional<Error> check_header(const Header& h, std::span<const std::byte> bytes) {
    const auto is = [](std::size_t value) { return message_of(" is ", value); };
    if (h.version != kVersion && h.version != kWithSource)
        return bad_bytes(
            8, message_of("version", is(h.version), ", but this library reads ", kVersion, " and ", kWithSource));
    if (h.dimension > 3) return bad_bytes(12, message_of("dimension", is(h.dimension), ", but at most 3"));
    if (h.vertices == 0 || h.vertices > ShapeStore::kMaxHullVertices)
        return bad_bytes(
            16, message_of("the number of vertices", is(h.vertices), ", but 1 to ", ShapeStore::kMaxHullVertices));
    // By Euler's formula no hull has more.
    if (h.faces > 2 * h.vertices)
        return bad_bytes(20, message_of("the number of faces", is(h.faces), ", but at most twice that of vertices"));
    if (h.corners > 6 * h.vertices)
        return bad_bytes(
            24, message_of("the number of corners", is(h.corners), ", but at most six times that of vertices"));
    const std::size_t first = bytes_for(h.vertices, h.faces, h.corners), source_at = first + kSourceHeader;
    std::size_t needed = first;
    if (h.version == kWithSource)
        needed = bytes.size() < source_at
                     ? source_at
                     : source_at + 12 * std::size_t(ByteInput(bytes.subspan(first + 8)).take<std::uint32_t>());
    if (bytes.size() != needed)
        return bad_bytes(bytes.size(), message_of("its header says ", needed, " bytes, but there are ", bytes.size()));
    if (checksum(bytes) != h.sum)
        return bad_bytes(kChecksumAt, "the checksum is not that of the other bytes: these were changed");
    const bool is_good =
        std::isfinite(h.deviation) && h.deviation >= 0 && std::isfinite(h.overshoot) && h.overshoot >= 0;
    if (!is_good) return bad_bytes(32, "deviation and overshoot must be finite and at least 0");
    return std::nullopt;
}

cooking::HullParts take_parts(const Header& h, std::span<const std::byte> bytes) {
    ByteInput in(bytes.subspan(kHeader));
    const auto vector = [&] {
        const Vec3 v = in.take_vec3();
        return Vec3{v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
    };
    cooking::HullParts parts;
    parts.centre = {h.centre.x + 0.0f, h.centre.y + 0.0f, h.centre.z + 0.0f};
    parts.dimension = int(h.dimension);
    for (std::uint32_t i = 0; i < h.vertices; ++i) parts.vertices.push_back(vector());
    for (std::uint32_t i = 0; i < h.faces; ++i) parts.normals.push_back(vector());
    parts.face_first.push_back(0);
    for (std::uint32_t i = 0; i < h.faces; ++i)
        parts.face_first.push_back(parts.face_first.back() + in.take<std::uint16_t>());
    for (std::uint32_t i = 0; i < h.corners; ++i) parts.loop.push_back(in.take<std::uint16_t>());
    return parts;
}

// Reads the source of a hull. The message is empty if the source is valid.
Message take_source(const Header& h, std::span<const std::byte> bytes, HullGeometry& hull) {
    ByteInput in(bytes.subspan(bytes_for(h.vertices, h.faces, h.corners)));
    HullSource source;
    source.lost = in.take_float(), source.deviation = in.take_float();
    const bool is_good =
        std::isfinite(source.lost) && source.lost >= 0 && std::isfinite(source.deviation) && source.deviation >= 0;
    if (!is_good) return "what was lost and its source's deviation must be finite and at least 0";
    const auto count = in.take<std::uint32_t>();
    if (count == 0) return "it has no source points, which is version 1";
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3 p = in.take_vec3();
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            return message_of("source point ", i, " is not finite");
        source.points.push_back({p.x + 0.0f, p.y + 0.0f, p.z + 0.0f});
    }
    cooking::measure_sides(source);
    hull.source = make_shared<HullSource>(std::move(source));
    return "";
}

}  // namespace

std::size_t hull_byte_count(const HullGeometry& hull) {
    const std::size_t source = hull.source == nullptr ? 0 : kSourceHeader + 12 * hull.source->points.size();
    return bytes_for(hull.vertex_count, hull.face_count, hull.loop.size()) + source;
}

void write_hull(const HullGeometry& hull, std::span<std::byte> out) {
    std::memcpy(out.data(), kMagic, 8);
    ByteOutput to(out.data() + 8);
    const HullReport& report = hull.report;
    const std::uint32_t version = hull.source == nullptr ? kVersion : kWithSource;
    for (const std::uint32_t field : {version, std::uint32_t(report.dimension), hull.vertex_count, hull.face_count,
                                      std::uint32_t(hull.loop.size()), report.dropped_points})
        to.put(field);
    to.put(report.deviation), to.put(report.overshoot), to.put(hull.centre);
    to.put(std::uint64_t(0));
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        to.put(Vec3{hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z});
    const float* const planes = hull.planes.data();
    for (std::uint32_t f = 0; f < hull.face_count; ++f)
        for (std::size_t axis = 0; axis < 3; ++axis) to.put(planes[axis * hull.padded_faces + f]);
    for (std::uint32_t f = 0; f < hull.face_count; ++f)
        to.put(std::uint16_t(hull.face_first[f + 1] - hull.face_first[f]));
    for (const std::uint16_t vertex : hull.loop) to.put(vertex);
    if (version == kWithSource) {
        to.put(hull.source->lost), to.put(hull.source->deviation), to.put(std::uint32_t(hull.source->points.size()));
        for (const Vec3 p : hull.source->points) to.put(p);
    }
    ByteOutput(out.data() + kChecksumAt).put(checksum(out));
}

Expected<HullGeometry> read_hull(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeader || std::memcmp(bytes.data(), kMagic, 8) != 0)
        return bad_bytes(
            0, message_of("these ", bytes.size(),
                          " bytes are no cooked hull: one begins with \"abuthull\" and a header of 60 bytes"));
    const Header header = take_header(bytes);
    if (auto error = check_header(header, bytes)) return *error;
    cooking::HullParts parts = take_parts(header, bytes);
    if (const Message fault = cooking::fault_in_parts(parts); !fault.empty())
        return bad_shape(message_of("cooked hull: ", fault));
    HullGeometry hull = cooking::lay_out(std::move(parts));
    if (!cooking::is_finite(hull)) return bad_shape("cooked hull: its bounds are past float32's range");
    if (const Message fault = cooking::fault_in_form(hull); !fault.empty())
        return bad_shape(message_of("cooked hull: ", fault));
    cooking::recognise_box(hull);
    hull.report.dropped_points = header.dropped;
    hull.report.deviation = header.deviation;
    hull.report.overshoot = header.overshoot;
    if (header.version == kWithSource) {
        if (const Message fault = take_source(header, bytes, hull); !fault.empty())
            return bad_shape(message_of("cooked hull: ", fault));
    }
    return hull;
}

}  // namespace abut
