// A pair as a line of `abut query`, so that a failure found here can be handed to the command line.
#include <cstdio>

#include "support/oracle/oracle.hpp"

namespace abut::oracle {
namespace {

void put(std::string& out, std::initializer_list<float> values) {
    const char* separator = "[";
    for (float v : values) {
        char text[32];
        std::snprintf(text, sizeof text, "%s%.9g", separator, double(v));
        out += text;
        separator = ",";
    }
    out += ']';
}

void put_field(std::string& out, const char* name, float value) {
    char text[64];
    std::snprintf(text, sizeof text, ",\"%s\":%.9g", name, double(value));
    out += text;
}

void put_field(std::string& out, const char* name, const Vec3& value) {
    out += ",\"";
    out += name;
    out += "\":";
    put(out, {value.x, value.y, value.z});
}

const char* name_of(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::sphere: return "sphere";
        case ShapeKind::capsule: return "capsule";
        case ShapeKind::box: return "box";
        case ShapeKind::cylinder: return "cylinder";
        case ShapeKind::cone: return "cone";
        case ShapeKind::ellipsoid: return "ellipsoid";
        case ShapeKind::halfspace: return "halfspace";
        default: return "hull";
    }
}

void put(std::string& out, const Shape& shape) {
    out += "{\"shape\":\"";
    out += name_of(shape.kind);
    out += '"';
    const bool along_y =
        shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::cone;
    if (along_y || shape.kind == ShapeKind::sphere) put_field(out, "radius", shape.radius);
    if (along_y) put_field(out, "half_height", shape.half_height);
    if (shape.kind == ShapeKind::box) put_field(out, "half_extents", shape.half_extents);
    if (shape.kind == ShapeKind::ellipsoid) put_field(out, "radii", shape.half_extents);
    if (shape.kind == ShapeKind::halfspace) {
        put_field(out, "normal", shape.normal);
        put_field(out, "offset", shape.offset);
    }
    if (shape.kind == ShapeKind::hull) {
        out += ",\"vertices\":";
        const char* separator = "[";
        for (const Vec3& p : shape.points) {
            out += separator;
            put(out, {p.x, p.y, p.z});
            separator = ",";
        }
        out += ']';
    }
    if (!(shape.scale == Vec3{1, 1, 1})) {
        const bool even = shape.scale.x == shape.scale.y && shape.scale.y == shape.scale.z;
        if (even)
            put_field(out, "scale", shape.scale.x);
        else
            put_field(out, "scale", shape.scale);
    }
    if (shape.rounding != 0) put_field(out, "rounding", shape.rounding);
    out += '}';
}

void put(std::string& out, const Quat& q) { put(out, {q.x, q.y, q.z, q.w}); }

void put(std::string& out, std::span<const Child> children) {
    const bool plain = children.size() == 1 && children[0].position == Vec3{} && children[0].orientation == Quat{};
    if (plain) return put(out, children[0].shape);
    const char* separator = "{\"shape\":\"compound\",\"children\":[";
    for (const Child& child : children) {
        out += separator;
        out += "{\"shape\":";
        put(out, child.shape);
        put_field(out, "pos", child.position);
        out += ",\"quat\":";
        put(out, child.orientation);
        out += '}';
        separator = ",";
    }
    out += "]}";
}

void put(std::string& out, const char* side, std::span<const Child> children, const Body& body) {
    out += ",\"";
    out += side;
    out += "\":";
    put(out, children);
    out += ",\"";
    out += side;
    out += "_pos\":";
    put(out, {body.position.x, body.position.y, body.position.z});
    out += ",\"";
    out += side;
    out += "_quat\":";
    put(out, body.orientation);
}

}  // namespace

std::string query_line(const std::string& id, const Shape& a, const Body& body_a, const Shape& b, const Body& body_b) {
    const Child of_a{a, {}, {}}, of_b{b, {}, {}};
    return query_line(id, {&of_a, 1}, body_a, {&of_b, 1}, body_b);
}

std::string query_line(const std::string& id, std::span<const Child> a, const Body& body_a, std::span<const Child> b,
                       const Body& body_b) {
    std::string out = "{\"id\":\"";
    out += id;
    out += '"';
    put(out, "a", a, body_a);
    put(out, "b", b, body_b);
    out += '}';
    return out;
}

}  // namespace abut::oracle
