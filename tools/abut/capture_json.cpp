// JSON lines <-> captures. Numbers pass through unchanged to the bit, -0 and non-finite ones included.
#include "capture_json.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "json_string.hpp"
#include "json_text.hpp"
#include "numbers.hpp"
#include "shape_json.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const LineReader& lines, const std::string& what) {
    throw InputError(fmt::format("{}: line {}: {}", lines.name(), lines.line_number(), what));
}

using Names = std::initializer_list<std::string_view>;
bool has_name(Names names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

// The line as an object with these members, perhaps with optional ones, and no other.
JsonText read_object(const LineReader& lines, std::string& text, Names members, Names optional = {}) {
    JsonText parsed = parse_json(text);
    if (!parsed.error.empty()) fail(lines, parsed.error);
    if (!parsed.value.is_object()) fail(lines, fmt::format("is {}, not an object", parsed.value.type_name()));
    for (const std::string_view member : members) {
        if (!parsed.value.contains(member)) fail(lines, fmt::format("lacks \"{}\"", member));
    }
    for (auto member = parsed.value.begin(); member != parsed.value.end(); ++member) {
        if (has_name(members, member.key()) || has_name(optional, member.key())) continue;
        fail(lines, fmt::format("has an unknown member {}", json_string(member.key())));
    }
    return parsed;
}

const json& list_member(const LineReader& lines, const json& object, const char* name) {
    const json& value = object[name];
    if (!value.is_array()) fail(lines, fmt::format("{} is {}, not a list", name, value.type_name()));
    return value;
}

std::vector<ShapeSpec> read_shapes(const LineReader& lines, std::string& text) {
    const JsonText parsed = read_object(lines, text, {"shapes"});
    const json& object = parsed.value;
    std::vector<ShapeSpec> shapes;
    for (const json& item : list_member(lines, object, "shapes")) {
        Expected<ShapeSpec> shape = shape_from_json(item, NumberRule::capture);
        if (!shape) fail(lines, fmt::format("shapes[{}]: {}", shapes.size(), shape.error().message.view()));
        shapes.push_back(std::move(*shape));
    }
    return shapes;
}

// A whole number below `count`; false for anything else, 3.0 included.
bool read_index(const json& value, std::size_t count, std::uint32_t& out) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count) return false;
    out = value.get<std::uint32_t>();
    return true;
}

CaptureBody read_body(const LineReader& lines, const json& row, std::size_t index, std::size_t shape_count) {
    const auto fail_body = [&](const std::string& what) { fail(lines, fmt::format("bodies[{}] {}", index, what)); };
    if (!row.is_array() || row.size() != 8) fail_body("must be [shape, px,py,pz, qx,qy,qz,qw]");
    CaptureBody body;
    if (!read_index(row[0], shape_count, body.shape)) {
        fail_body(fmt::format("has shape {}; there are {}", row[0].dump(-1, ' ', true, json::error_handler_t::replace),
                              shape_count));
    }
    float numbers[7] = {};
    if (const std::string problem = read_floats(row, 1, numbers, NumberRule::capture); !problem.empty())
        fail_body(problem);
    body.position = {numbers[0], numbers[1], numbers[2]};
    body.orientation = {numbers[3], numbers[4], numbers[5], numbers[6]};
    return body;
}

CapturePose read_end(const LineReader& lines, const json& row, std::size_t index) {
    const auto fail_end = [&](const std::string& what) { fail(lines, fmt::format("ends[{}] {}", index, what)); };
    if (!row.is_array() || row.size() != 7) fail_end("must be [px,py,pz, qx,qy,qz,qw]");
    float numbers[7] = {};
    if (const std::string problem = read_floats(row, 0, numbers, NumberRule::capture); !problem.empty())
        fail_end(problem);
    return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5], numbers[6]}};
}

Pair read_pair(const LineReader& lines, const json& row, std::size_t index, std::size_t body_count) {
    Pair pair;
    const bool valid = row.is_array() && row.size() == 2 && read_index(row[0], body_count, pair.a) &&
                       read_index(row[1], body_count, pair.b);
    if (!valid)
        fail(lines, fmt::format("pairs[{}] must be [a, b], each the index of one of {} bodies", index, body_count));
    return pair;
}

void pack_frame(const LineReader& lines, std::string& text, std::size_t shape_count, CaptureWriter& writer) {
    const JsonText parsed = read_object(lines, text, {"label", "bodies", "pairs"}, {"ends", "margins"});
    const json& object = parsed.value;
    if (!object["label"].is_string())
        fail(lines, fmt::format("label is {}, not a string", object["label"].type_name()));
    std::vector<CaptureBody> bodies;
    for (const json& row : list_member(lines, object, "bodies"))
        bodies.push_back(read_body(lines, row, bodies.size(), shape_count));
    std::vector<Pair> pairs;
    for (const json& row : list_member(lines, object, "pairs"))
        pairs.push_back(read_pair(lines, row, pairs.size(), bodies.size()));
    std::vector<CapturePose> ends;
    if (object.contains("ends")) {
        for (const json& row : list_member(lines, object, "ends")) ends.push_back(read_end(lines, row, ends.size()));
        if (ends.size() != bodies.size())
            fail(lines, fmt::format("ends has {} poses for {} bodies", ends.size(), bodies.size()));
    }
    std::vector<float> margins;
    if (object.contains("margins")) {
        margins.resize(list_member(lines, object, "margins").size());
        if (margins.size() != pairs.size())
            fail(lines, fmt::format("margins has {} lengths for {} pairs", margins.size(), pairs.size()));
        if (const std::string problem = read_floats(object["margins"], 0, margins, NumberRule::capture);
            !problem.empty())
            fail(lines, "margins " + problem);
    }
    add_frame(writer, {object["label"].get_ref<const std::string&>(), bodies, pairs, ends, margins});
}

void append_pose(std::string& out, const Vec3& p, const Quat& q) {
    const char* separator = "";
    for (const float value : {p.x, p.y, p.z, q.x, q.y, q.z, q.w}) {
        out.append(std::exchange(separator, ","));
        append_number(out, value);
    }
}

void append_body(std::string& out, const CaptureBody& body) {
    fmt::format_to(std::back_inserter(out), "[{},", body.shape);
    append_pose(out, body.position, body.orientation);
    out.push_back(']');
}

}  // namespace

void pack_lines(LineReader& lines, CaptureWriter& writer, const std::function<void()>& each_line) {
    std::string text;
    if (!lines.next(text))
        throw InputError(fmt::format("{}: is empty; the first line must hold the shapes", lines.name()));
    const std::vector<ShapeSpec> shapes = read_shapes(lines, text);
    add_shapes(writer, shapes);
    while (lines.next(text)) {
        if (text.find_first_not_of(" \t") == std::string::npos) continue;
        pack_frame(lines, text, shapes.size(), writer);
        if (each_line) each_line();
    }
}

void append_shapes_line(std::string& out, std::span<const ShapeSpec> shapes) {
    out.append("{\"shapes\": [");
    for (const ShapeSpec& shape : shapes) {
        if (&shape != shapes.data()) out.append(", ");
        append_shape(out, shape);
    }
    out.append("]}\n");
}

void append_frame_line(std::string& out, const CaptureFrame& frame) {
    fmt::format_to(std::back_inserter(out), "{{\"label\": {}, \"bodies\": [", json_string(frame.label));
    for (const CaptureBody& body : frame.bodies) {
        if (&body != frame.bodies.data()) out.push_back(',');
        append_body(out, body);
    }
    out.append("], \"pairs\": [");
    for (const Pair& pair : frame.pairs) {
        fmt::format_to(std::back_inserter(out), "{}[{},{}]", &pair == frame.pairs.data() ? "" : ",", pair.a, pair.b);
    }
    if (!frame.ends.empty()) out.append("], \"ends\": [");
    for (const CapturePose& end : frame.ends) {
        out.append(&end == frame.ends.data() ? "[" : ",[");
        append_pose(out, end.position, end.orientation);
        out.push_back(']');
    }
    if (!frame.margins.empty()) out.append("], \"margins\": [");
    for (const float& margin : frame.margins) {
        if (&margin != frame.margins.data()) out.push_back(',');
        append_number(out, margin);
    }
    out.append("]}\n");
}

}  // namespace abut::tools
