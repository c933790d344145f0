// The shapes' table of formats.md as code: which kind has which fields.
#include "shape_json.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "json_string.hpp"
#include "json_text.hpp"
#include "numbers.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

std::string read_float(const json& value, float& out, NumberRule rule) {
    if (value.is_string() && rule == NumberRule::capture && parse_non_finite(value.get_ref<const std::string&>(), out))
        return {};
    if (!value.is_number()) return fmt::format("is {}, not a number", value.type_name());
    const double exact = value.get<double>();
    out = to_float(exact);
    if (std::isfinite(out) || rule == NumberRule::infinite) return {};
    // Whatever was past double's range has been read as 1e308 (json_text.hpp).
    return std::fabs(exact) < 1e308 ? fmt::format("is {}, past float32's range", exact)
                                    : std::string("is past float32's range");
}

// Reads one shape's fields off its object; the first problem met stays.
class FieldReader {
public:
    FieldReader(const json& object, NumberRule rule) : object_(object), rule_(rule) {}

    void number(const char* name, float& out) {
        if (const json* value = find(name)) report(name, read_float(*value, out, rule_));
    }
    void vector(const char* name, Vec3& out) {
        if (const json* value = find(name)) report(name, read_vector(*value, out));
    }
    void vectors(const char* name, std::vector<Vec3>& out) {
        const json* value = list(name);
        if (!value) return;
        out.resize(value->size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::string problem = read_vector((*value)[i], out[i]);
            if (!problem.empty()) return report(fmt::format("{}[{}]", name, i), problem);
        }
    }
    const json* list(const char* name) {
        const json* value = find(name);
        if (value && !value->is_array()) report(name, fmt::format("is {}, not a list", value->type_name()));
        return value && value->is_array() ? value : nullptr;
    }
    void count(const char* name, std::uint32_t& out) {
        if (const json* value = find(name); value && !read_count(*value, out))
            report(name, "must be a whole number, 0 to 4294967295");
    }
    void triangles(std::vector<MeshTriangle>& out) {
        const json* value = list("triangles");
        if (!value) return;
        out.resize(value->size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            const json& row = (*value)[i];
            bool is_good = row.is_array() && row.size() == 3;
            for (std::size_t k = 0; is_good && k < 3; ++k) is_good = read_count(row[k], out[i].corners[k]);
            if (!is_good)
                return report(fmt::format("triangles[{}]", i), "must be [i, j, k], each the index of a vertex");
        }
    }
    void heights(std::vector<float>& out) {
        const json* value = list("heights");
        if (!value) return;
        out.resize(value->size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            if ((*value)[i].is_null()) {
                out[i] = std::numeric_limits<float>::quiet_NaN();
            } else if (const std::string problem = read_float((*value)[i], out[i], rule_); !problem.empty()) {
                return report(fmt::format("heights[{}]", i), problem);
            }
        }
    }
    // A number for all cells, or one for each.
    void cells(std::vector<std::uint8_t>& out) {
        if (!object_.contains("cells")) return;
        const json& value = *find("cells");
        if (!value.is_array() && !value.is_number_unsigned())
            return report("cells", fmt::format("is {}, not a whole number or a list", value.type_name()));
        out.resize(value.is_array() ? value.size() : 1);
        for (std::size_t i = 0; i < out.size(); ++i) {
            std::uint32_t flags = 0;
            if (!read_count(value.is_array() ? value[i] : value, flags) || flags > 255)
                return report(value.is_array() ? fmt::format("cells[{}]", i) : "cells",
                              "must be a whole number, 0 to 255");
            out[i] = std::uint8_t(flags);
        }
    }
    void spacing(float& x, float& z) {
        const json* value = find("spacing");
        if (!value) return;
        float numbers[2] = {};
        report("spacing", read_floats(*value, 0, numbers, rule_));
        x = numbers[0], z = numbers[1];
    }
    void sides(MeshSides& out) {
        if (!object_.contains("sides")) return;
        const json& value = *find("sides");
        if (value != "front" && value != "both") return report("sides", "must be \"front\" or \"both\"");
        out = value == "both" ? MeshSides::both : MeshSides::front;
    }
    void thickness(float& out) {
        if (!object_.contains("thickness")) return;
        if (*find("thickness") == "Infinity") return void(out = std::numeric_limits<float>::infinity());
        number("thickness", out);
    }
    void flag(const char* name, bool& out) {
        if (!object_.contains(name)) return;
        const json& value = *find(name);
        if (!value.is_boolean()) return report(name, fmt::format("is {}, not true or false", value.type_name()));
        out = value.get<bool>();
    }
    void optional_number(const char* name, float& out) {
        if (object_.contains(name)) number(name, out);
    }
    void scale(std::optional<Vec3>& out) {
        if (!object_.contains("scale")) return;
        Vec3 value;
        if (object_["scale"].is_number()) {
            number("scale", value.x);
            value.y = value.z = value.x;
        } else {
            vector("scale", value);
        }
        out = value;
    }
    // Either of its two parts, or both.
    void pose(std::optional<RelativePose>& out) {
        float pos[3] = {}, quat[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        const bool has_pos = optional_floats("pos", pos), has_quat = optional_floats("quat", quat);
        if (has_pos || has_quat) out = RelativePose{{pos[0], pos[1], pos[2]}, {quat[0], quat[1], quat[2], quat[3]}};
    }
    void axis() {
        if (!object_.contains("axis")) return;
        if (*find("axis") != "y") report("axis", "must be \"y\"");
    }
    void report(const std::string& name, const std::string& what) {
        if (problem_.empty() && !what.empty()) problem_ = fmt::format("{} {}", name, what);
    }
    // A field that was not asked for is a slip of the pen ("rouding"), and the shape is not what its author meant.
    std::string finish() {
        if (!problem_.empty()) return problem_;
        for (const auto& [name, value] : object_.items()) {
            if (std::find(known_.begin(), known_.end(), name) == known_.end())
                return fmt::format("unknown field {}", json_string(name));
        }
        return {};
    }

private:
    const json* find(const char* name) {
        known_.push_back(name);
        const auto member = object_.find(name);
        if (member != object_.end()) return &*member;
        report(name, "is missing");
        return nullptr;
    }
    bool optional_floats(const char* name, std::span<float> out) {
        if (!object_.contains(name)) return false;
        report(name, read_floats(*find(name), 0, out, rule_));
        return true;
    }
    static bool read_count(const json& value, std::uint32_t& out) {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            return false;
        out = value.get<std::uint32_t>();
        return true;
    }
    std::string read_vector(const json& value, Vec3& out) {
        float numbers[3] = {};
        std::string problem = read_floats(value, 0, numbers, rule_);
        out = {numbers[0], numbers[1], numbers[2]};
        return problem;
    }

    const json& object_;
    NumberRule rule_;
    std::string problem_;
    std::vector<std::string> known_ = {"shape"};
};

std::string read_shape(const json& value, NumberRule rule, int depth, ShapeSpec& out);

std::string read_child(const json& value, NumberRule rule, int depth, ChildSpec& out) {
    if (!value.is_object()) return fmt::format("is {}, not an object", value.type_name());
    for (const auto& [name, member] : value.items()) {
        if (name != "shape" && name != "pos" && name != "quat")
            return fmt::format("has an unknown field {}", json_string(name));
    }
    for (const char* name : {"shape", "pos", "quat"}) {
        if (!value.contains(name)) return fmt::format("lacks {}", name);
    }
    float pos[3] = {}, quat[4] = {};
    if (const std::string problem = read_floats(value["pos"], 0, pos, rule); !problem.empty()) return "pos " + problem;
    if (const std::string problem = read_floats(value["quat"], 0, quat, rule); !problem.empty())
        return "quat " + problem;
    out.position = {pos[0], pos[1], pos[2]};
    out.orientation = {quat[0], quat[1], quat[2], quat[3]};
    const std::string problem = read_shape(value["shape"], rule, depth + 1, out.shape);
    return problem.empty() ? problem : "shape: " + problem;
}

void read_children(FieldReader& fields, NumberRule rule, int depth, std::vector<ChildSpec>& out) {
    const json* list = fields.list("children");
    if (!list) return;
    if (depth == kMaxCompoundDepth)
        return fields.report("children", fmt::format("nests deeper than {} compounds", depth));
    out.resize(list->size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string problem = read_child((*list)[i], rule, depth, out[i]);
        if (!problem.empty()) return fields.report(fmt::format("children[{}]", i), problem);
    }
}

void read_own_fields(FieldReader& fields, NumberRule rule, int depth, ShapeSpec& out) {
    switch (out.kind) {
        case ShapeKind::sphere: return fields.number("radius", out.radius);
        case ShapeKind::capsule:
        case ShapeKind::cylinder:
        case ShapeKind::cone: fields.number("radius", out.radius); return fields.number("half_height", out.half_height);
        case ShapeKind::box: return fields.vector("half_extents", out.extents);
        case ShapeKind::ellipsoid: return fields.vector("radii", out.extents);
        case ShapeKind::hull: return fields.vectors("vertices", out.vertices);
        case ShapeKind::halfspace: fields.vector("normal", out.extents); return fields.number("offset", out.offset);
        case ShapeKind::compound: return read_children(fields, rule, depth, out.children);
        case ShapeKind::mesh:
            fields.vectors("vertices", out.vertices);
            fields.triangles(out.triangles);
            fields.flag("solid", out.solid);
            return fields.sides(out.sides);
        case ShapeKind::heightfield:
            fields.count("rows", out.rows);
            fields.count("columns", out.columns);
            fields.spacing(out.spacing_x, out.spacing_z);
            fields.heights(out.heights);
            fields.cells(out.cells);
            fields.thickness(out.thickness);
            return fields.sides(out.sides);
        case ShapeKind::custom:
        case ShapeKind::none: break;
    }
}

std::string read_shape(const json& value, NumberRule rule, int depth, ShapeSpec& out) {
    if (!value.is_object()) return fmt::format("a shape must be an object, and this is {}", value.type_name());
    const auto name = value.find("shape");
    if (name == value.end()) return "shape is missing";
    if (!name->is_string()) return fmt::format("shape is {}, not a string", name->type_name());
    const std::string& kind = name->get_ref<const std::string&>();
    out.kind = kind_named(kind);
    if (out.kind == ShapeKind::none) return fmt::format("no shape is called {}", json_string(kind));

    FieldReader fields(value, rule);
    read_own_fields(fields, rule, depth, out);
    fields.optional_number("rounding", out.rounding);
    fields.scale(out.scale);
    fields.pose(out.pose);
    fields.axis();
    return fields.finish();
}

void append_row(std::string& out, std::initializer_list<float> row) {
    char separator = '[';
    for (const float value : row) {
        out.push_back(separator);
        append_number(out, value);
        separator = ',';
    }
    out.push_back(']');
}

void append_field(std::string& out, const char* name, float value) {
    fmt::format_to(std::back_inserter(out), ", \"{}\": ", name);
    append_number(out, value);
}

void append_field(std::string& out, const char* name, Vec3 value) {
    fmt::format_to(std::back_inserter(out), ", \"{}\": ", name);
    append_row(out, {value.x, value.y, value.z});
}

void append_vertices(std::string& out, const std::vector<Vec3>& vertices) {
    out.append(", \"vertices\": [");
    for (const Vec3& vertex : vertices) {
        if (&vertex != vertices.data()) out.push_back(',');
        append_row(out, {vertex.x, vertex.y, vertex.z});
    }
    out.push_back(']');
}

void append_sides(std::string& out, MeshSides sides) {
    if (sides == MeshSides::both) out.append(", \"sides\": \"both\"");
}

void append_mesh(std::string& out, const ShapeSpec& spec) {
    append_vertices(out, spec.vertices);
    out.append(", \"triangles\": [");
    for (const MeshTriangle& triangle : spec.triangles) {
        const std::uint32_t* const c = triangle.corners;
        fmt::format_to(std::back_inserter(out), "{}[{},{},{}]", &triangle != spec.triangles.data() ? "," : "", c[0],
                       c[1], c[2]);
    }
    out.push_back(']');
    append_sides(out, spec.sides);
    if (spec.solid) out.append(", \"solid\": true");
}

void append_heightfield(std::string& out, const ShapeSpec& spec) {
    constexpr std::uint32_t kHole = 0x7fc00000;  // another NaN is written with its bits
    fmt::format_to(std::back_inserter(out), ", \"rows\": {}, \"columns\": {}, \"spacing\": ", spec.rows, spec.columns);
    append_row(out, {spec.spacing_x, spec.spacing_z});
    out.append(", \"heights\": [");
    for (const float& height : spec.heights) {
        if (&height != spec.heights.data()) out.push_back(',');
        if (std::bit_cast<std::uint32_t>(height) == kHole)
            out.append("null");
        else
            append_number(out, height);
    }
    out.push_back(']');
    if (spec.cells.size() == 1) fmt::format_to(std::back_inserter(out), ", \"cells\": {}", spec.cells[0]);
    if (spec.cells.size() > 1) fmt::format_to(std::back_inserter(out), ", \"cells\": [{}]", fmt::join(spec.cells, ","));
    append_sides(out, spec.sides);
    if (spec.thickness != 0) append_field(out, "thickness", spec.thickness);
}

void append_pose(std::string& out, Vec3 position, Quat q) {
    append_field(out, "pos", position);
    out.append(", \"quat\": ");
    append_row(out, {q.x, q.y, q.z, q.w});
}

void append_children(std::string& out, const std::vector<ChildSpec>& children) {
    out.append(", \"children\": [");
    for (const ChildSpec& child : children) {
        if (&child != children.data()) out.push_back(',');
        out.append("{\"shape\": ");
        append_shape(out, child.shape);
        append_pose(out, child.position, child.orientation);
        out.push_back('}');
    }
    out.push_back(']');
}

}  // namespace

std::string read_floats(const json& value, std::size_t skip, std::span<float> out, NumberRule rule) {
    if (!value.is_array() || value.size() != skip + out.size())
        return fmt::format("must be a list of {} numbers", out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string problem = read_float(value[skip + i], out[i], rule);
        if (!problem.empty()) return fmt::format("[{}] {}", skip + i, problem);
    }
    return {};
}

Expected<ShapeSpec> shape_from_json(const json& value, NumberRule rule) {
    ShapeSpec spec;
    std::string problem = read_shape(value, rule, 0, spec);
    if (!problem.empty()) return Error{ErrorCode::bad_shape, std::move(problem)};
    return spec;
}

void append_shape(std::string& out, const ShapeSpec& spec) {
    fmt::format_to(std::back_inserter(out), "{{\"shape\": \"{}\"", to_string(spec.kind));
    switch (spec.kind) {
        case ShapeKind::sphere: append_field(out, "radius", spec.radius); break;
        case ShapeKind::capsule:
        case ShapeKind::cylinder:
        case ShapeKind::cone:
            append_field(out, "radius", spec.radius);
            append_field(out, "half_height", spec.half_height);
            break;
        case ShapeKind::box: append_field(out, "half_extents", spec.extents); break;
        case ShapeKind::ellipsoid: append_field(out, "radii", spec.extents); break;
        case ShapeKind::hull: append_vertices(out, spec.vertices); break;
        case ShapeKind::halfspace:
            append_field(out, "normal", spec.extents);
            append_field(out, "offset", spec.offset);
            break;
        case ShapeKind::compound: append_children(out, spec.children); break;
        case ShapeKind::mesh: append_mesh(out, spec); break;
        case ShapeKind::heightfield: append_heightfield(out, spec); break;
        case ShapeKind::custom:
        case ShapeKind::none: break;
    }
    if (spec.rounding != 0.0f) append_field(out, "rounding", spec.rounding);
    if (spec.scale) append_field(out, "scale", *spec.scale);
    if (spec.pose) append_pose(out, spec.pose->position, spec.pose->orientation);
    out.push_back('}');
}

}  // namespace abut::tools
