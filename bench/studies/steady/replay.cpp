// A configuration's worst step as a command, see report.hpp.
#include <fmt/format.h>

#include "studies/steady/report.hpp"

namespace abut::steady {
namespace {

// A number that JSON has, in the shortest form that reads back the same.
void put(std::string& out, const Vec3& v) { out += fmt::format("[{},{},{}]", v.x, v.y, v.z); }
void put(std::string& out, const Quat& q) { out += fmt::format("[{},{},{},{}]", q.x, q.y, q.z, q.w); }

void put(std::string& out, const oracle::Shape& shape) {
    out += fmt::format("{{\"shape\":\"{}\"", to_string(shape.kind));
    if (shape.kind == ShapeKind::box) {
        out += ",\"half_extents\":";
        put(out, shape.half_extents);
    } else if (shape.kind == ShapeKind::halfspace) {
        out += fmt::format(",\"offset\":{},\"normal\":", shape.offset);
        put(out, shape.normal);
    } else if (shape.kind == ShapeKind::hull) {
        out += ",\"vertices\":[";
        for (const Vec3& point : shape.points) put(out += &point == shape.points.data() ? "" : ",", point);
        out += ']';
    } else {
        out += fmt::format(",\"radius\":{},\"half_height\":{}", shape.radius, shape.half_height);
    }
    out += '}';
}

void put(std::string& out, const Form& form) {
    if (form.parts.size() == 1) return put(out, form.parts[0].shape);
    out += "{\"shape\":\"compound\",\"children\":[";
    for (const Part& part : form.parts) {
        out += &part == form.parts.data() ? "{\"shape\":" : ",{\"shape\":";
        put(out, part.shape);
        put(out += ",\"pos\":", part.position);
        out += ",\"quat\":[0,0,0,1]}";
    }
    out += "]}";
}

std::string query_line(const Configuration& c, const Body& upper, std::uint32_t frame) {
    std::string out = fmt::format("{{\"id\":\"frame {}\"", frame);
    const auto put_body = [&](char side, const Form& form, const Body& body) {
        put(out += fmt::format(",\"{}\":", side), form);
        put(out += fmt::format(",\"{}_pos\":", side), body.position);
        put(out += fmt::format(",\"{}_quat\":", side), body.orientation);
    };
    put_body('a', c.swapped ? c.upper : c.lower, c.swapped ? upper : c.lower_body);
    put_body('b', c.swapped ? c.lower : c.upper, c.swapped ? c.lower_body : upper);
    return out + "}\n";
}

}  // namespace

std::string replay(const RowOutcome& row, std::size_t configuration, std::size_t level, Start start, const Plan& plan) {
    const Configuration& c = row.row.configurations[configuration];
    const std::uint32_t last = row.outcomes[configuration].abut[start][level].worst_frame;
    Noise noise(row.row, c, level, plan.mode, plan.seed);
    std::string lines;
    for (std::uint32_t f = 0; f <= last; ++f) {
        const Body upper = noise.next();
        if (f + 1 >= last) lines += query_line(c, upper, f);
    }
    return fmt::format("# {}, noise {:g}, {}\nabut query --margin {} <<'END'\n{}END\n", c.name, kNoises[level],
                       kStartNames[start], c.margin(), lines);
}

}  // namespace abut::steady
