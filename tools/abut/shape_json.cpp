// The shapes' table of formats.md as code: which kind has which fields.
#include "shape_json.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "numbers.hpp"
#include "shape_reader.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

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

void read_own_fields(FieldReader& fields, NumberRule rule, int depth, ShapeSpec& out) {
    switch (out.kind) {
        case ShapeKind::sphere: return fields.value("radius", out.radius);
        case ShapeKind::capsule:
        case ShapeKind::cylinder:
        case ShapeKind::cone: fields.value("radius", out.radius); return fields.value("half_height", out.half_height);
        case ShapeKind::box: return fields.value("half_extents", out.extents);
        case ShapeKind::ellipsoid: return fields.value("radii", out.extents);
        case ShapeKind::hull: return fields.vectors("vertices", out.vertices);
        case ShapeKind::halfspace: fields.value("normal", out.extents); return fields.value("offset", out.offset);
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

std::string read_value(const json& value, float& out, NumberRule rule) {
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

std::string read_floats(const json& value, std::size_t skip, std::span<float> out, NumberRule rule) {
    if (!value.is_array() || value.size() != skip + out.size())
        return fmt::format("must be a list of {} numbers", out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string problem = read_value(value[skip + i], out[i], rule);
        if (!problem.empty()) return fmt::format("[{}] {}", skip + i, problem);
    }
    return {};
}

Expected<ShapeSpec> shape_from_json(const json& value, NumberRule rule) { return read_spec<ShapeSpec>(value, rule); }

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
