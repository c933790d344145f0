// Reads a question, and says of a bad one what is wrong and, where it has one, whose it is.
#include "question.hpp"

#include <limits>
#include <new>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "json_text.hpp"
#include "shape_json.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

// The fields that a question must have; a_ is a_quat or a_angle. Others are ignored: a question may carry remarks.
constexpr const char *kFields[] = {"id", "a", "a_pos", "a_", "b", "b_pos", "b_"},
                     *kRayFields[] = {"id", "origin", "direction", "b", "b_pos", "b_"},
                     *kPointFields[] = {"id", "point", "b", "b_pos", "b_"};

std::span<const char* const> fields_of(QuestionKind kind) {
    if (kind == QuestionKind::ray) return kRayFields;
    if (kind == QuestionKind::point) return kPointFields;
    return kFields;
}

// Strings as the format has it; whole numbers, which other tools like to count by, are echoed too.
bool is_id(const json& id) { return id.is_string() || id.is_number_integer(); }

// The id of a line that broke off: the parser had not come as far, but its author still wants to know which it was.
std::string find_id(const std::string& line) {
    std::size_t at = line.find("\"id\"");
    if (at == std::string::npos) return "null";
    at = line.find_first_not_of(" \t", at + 4);
    if (at == std::string::npos || line[at] != ':') return "null";
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line[at] != '"') return "null";
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    if (end >= line.size()) return "null";
    std::string text = line.substr(at, end + 1 - at);
    const JsonText parsed = parse_json(text);
    return parsed.error.empty() ? parsed.value.dump() : "null";
}

bool refuse(QuestionHead& question, const char* status, std::string message) {
    question.refused = status;
    question.message = std::move(message);
    return false;
}

template <class Value>
bool read_field(QuestionHead& question, const json& object, const std::string& field, Value& out) {
    const std::string problem = read_value(object[field], out, NumberRule::infinite);
    return problem.empty() || refuse(question, "bad_input", fmt::format("{} {}", field, problem));
}

template <class Value>
bool read_optional(QuestionHead& question, const json& object, const std::string& field, Value& out) {
    return !object.contains(field) || read_field(question, object, field, out);
}

template <class Space>
bool read_pose(QuestionIn<Space>& question, const json& object, const std::string& shape, Posed<Space>& out) {
    return read_field(question, object, shape + "_pos", out.position) &&
           read_field(question, object, shape + '_' + rotation_name(out.orientation), out.orientation);
}

// The pose at the end of a cast: the start's where the question has none.
template <class Space>
bool read_end(QuestionIn<Space>& question, const json& object, const std::string& shape, Posed<Space>& out) {
    out.end_position = out.position, out.end_orientation = out.orientation;
    return read_optional(question, object, shape + "_end_pos", out.end_position) &&
           read_optional(question, object, shape + "_end_" + rotation_name(out.orientation), out.end_orientation);
}

bool read_target(QuestionHead& question, const json& object) {
    if (!object.contains("target")) return true;
    const json& target = object["target"];
    if (!target.is_number())
        return refuse(question, "bad_input", fmt::format("target is {}, not a number", target.type_name()));
    const double metres = target.get<double>();
    if (!(metres >= 0)) return refuse(question, "bad_input", fmt::format("target is {}, expected 0 or more", metres));
    if (!(metres <= double(std::numeric_limits<float>::max())))
        return refuse(question, "bad_input", "target is past float32's range");
    question.target = static_cast<float>(metres);
    return true;
}

bool read_start(QuestionHead& question, const json& object) {
    if (!object.contains("start")) return true;
    const json& start = object["start"];
    constexpr std::pair<const char*, CastStart> kModes[] = {
        {"stop", CastStart::stop}, {"closing_only", CastStart::closing_only}, {"ignore", CastStart::ignore}};
    for (const auto& [name, mode] : kModes) {
        if (start != name) continue;
        question.start = mode;
        return true;
    }
    return refuse(question, "bad_input",
                  fmt::format("start is {}, expected \"stop\", \"closing_only\" or \"ignore\"", start.dump()));
}

template <class Space>
bool read_motion(QuestionIn<Space>& question, const json& object) {
    return read_end(question, object, "a", question.a) && read_end(question, object, "b", question.b) &&
           read_target(question, object) && read_start(question, object);
}

template <class Space>
bool read_ray(QuestionIn<Space>& question, const json& object) {
    if (!read_field(question, object, "origin", question.origin) ||
        !read_field(question, object, "direction", question.direction))
        return false;
    return question.direction != typename Space::Vector{} ||
           refuse(question, "bad_input", "direction has length 0 in float32");
}

template <class Space>
bool read_shape(QuestionIn<Space>& question, const json& object, const char* side, Posed<Space>& out) {
    Expected<typename Space::Spec> spec = Space::shape_from_json(object[side], NumberRule::strict);
    if (!spec) return refuse(question, "bad_shape", fmt::format("{}: {}", side, spec.error().message.view()));
    out.shape = std::move(*spec);
    return true;
}

template <class Space>
bool read_pair(QuestionIn<Space>& question, const json& object, QuestionKind kind) {
    return read_pose(question, object, "a", question.a) && read_pose(question, object, "b", question.b) &&
           (kind != QuestionKind::cast || read_motion(question, object)) &&
           read_shape(question, object, "a", question.a);
}

template <class Space>
bool read_poses(QuestionIn<Space>& question, const json& object, QuestionKind kind) {
    if (kind == QuestionKind::distance || kind == QuestionKind::cast) return read_pair(question, object, kind);
    return (kind == QuestionKind::ray ? read_ray(question, object)
                                      : read_field(question, object, "point", question.origin)) &&
           read_pose(question, object, "b", question.b);
}

template <class Space>
QuestionIn<Space> read(std::string& line, QuestionKind kind) {
    QuestionIn<Space> question;
    if (line.find_first_not_of(" \t") == std::string::npos) {
        refuse(question, "bad_input", "the line is blank");
        return question;
    }
    JsonText parsed = parse_json(line);
    const json& object = parsed.value;
    const bool has_id = object.is_object() && object.contains("id") && is_id(object["id"]);
    if (has_id) question.id = object["id"].dump();
    if (!parsed.error.empty()) {
        if (!has_id) question.id = find_id(line);
        refuse(question, "bad_input", std::move(parsed.error));
        return question;
    }
    if (!object.is_object()) {
        refuse(question, "bad_input", fmt::format("is {}, not an object", object.type_name()));
        return question;
    }
    for (std::string field : fields_of(kind)) {
        if (field.ends_with('_')) field += rotation_name(question.b.orientation);
        if (object.contains(field)) continue;
        refuse(question, "bad_input", fmt::format("lacks \"{}\"", field));
        return question;
    }
    if (!has_id) {
        refuse(question, "bad_input", fmt::format("id is {}, not a string", object["id"].type_name()));
        return question;
    }
    if (read_poses(question, object, kind)) (void)read_shape(question, object, "b", question.b);
    return question;
}

}  // namespace

QuestionKind question_kind(const std::string& name) {
    if (name == "cast") return QuestionKind::cast;
    if (name == "ray") return QuestionKind::ray;
    return name == "point" ? QuestionKind::point : QuestionKind::distance;
}

template <class Space>
QuestionIn<Space> read_question(std::string& line, QuestionKind kind) {
    try {
        return read<Space>(line, kind);
    } catch (const std::bad_alloc&) {
        QuestionIn<Space> question;
        question.id = find_id(line);
        refuse(question, "bad_input", fmt::format("there is not enough memory for the line's {} bytes", line.size()));
        return question;
    }
}

template QuestionIn<Space3D> read_question(std::string& line, QuestionKind kind);
template QuestionIn<Plane> read_question(std::string& line, QuestionKind kind);

}  // namespace abut::tools
