// See option_checks.hpp.
#include "d2/shapes/option_checks.hpp"

#include <cmath>

#include "base/message.hpp"
#include "base/tolerances.hpp"
#include "cooking/shape_checks.hpp"

namespace abut::d2 {
namespace {

std::optional<Error> check_coordinate(const char* field, const char* axis, float value) {
    if (std::fabs(value) <= kMostMetres) return std::nullopt;
    return bad_shape(message_of(field, axis, " must be from -", kMostMetres, " to ", kMostMetres, ", but is ", value));
}

std::optional<Error> check_pose(const char* field, const Pose& pose) {
    if (auto error = check_position(message_of(field, ".position").c_str(), pose.position)) return error;
    const double c = pose.rotation.c, s = pose.rotation.s, squared = c * c + s * s;
    if (squared >= kUnitSquaredLow && squared <= kUnitSquaredHigh) return std::nullopt;
    return bad_shape(message_of(field, ".rotation must be of unit length to within 1%, but its length is ",
                                float(std::sqrt(squared))));
}

std::optional<Error> check_child(const ShapeTables& tables, const Message& name, const CompoundChild& child) {
    if (!tables.lives(child.shape))
        return bad_shape(message_of(name, ".shape names no living shape (id ", child.shape.bits(), ")"));
    if (const ShapeKind kind = child.shape.kind(); kind == ShapeKind::halfplane || kind == ShapeKind::chain)
        return bad_shape(
            message_of(name, ".shape is a ", to_string(kind), ", which can be a body's shape, but no child"));
    return check_pose(message_of(name, ".pose").c_str(), child.pose);
}

}  // namespace

std::optional<Error> check_position(const char* field, Vec2 position) {
    if (auto error = check_coordinate(field, ".x", position.x)) return error;
    return check_coordinate(field, ".y", position.y);
}

std::optional<Error> check_points(const char* field, std::span<const Vec2> points) {
    if (auto error = check_data(field, points)) return error;
    if (points.empty()) return bad_shape(message_of(field, " is empty: one point is needed at least"));
    for (std::size_t i = 0; i < points.size(); ++i)
        if (auto error = check_position(numbered(field, i).c_str(), points[i])) return error;
    return std::nullopt;
}

std::optional<Error> check_scale(ShapeKind kind, Vec2 scale) {
    const auto is_good = [](float s) { return std::isfinite(s) && s != 0.0f; };
    const bool has_one = kind == ShapeKind::circle || kind == ShapeKind::capsule || kind == ShapeKind::halfplane;
    const char* must = nullptr;
    if (!is_good(scale.x) || !is_good(scale.y))
        must = "finite and not 0";
    else if (has_one && std::fabs(scale.x) != std::fabs(scale.y))
        must = "the same along both axes, but for signs";
    if (must == nullptr) return std::nullopt;
    return bad_shape(
        message_of("scale of a ", to_string(kind), " must be ", must, ", but is (", scale.x, ", ", scale.y, ")"));
}

std::optional<Error> check_options(ShapeKind kind, const InstanceOptions& options) {
    if (auto error = check_length("rounding", options.rounding)) return error;
    if (auto error = check_pose("pose", options.pose)) return error;
    return check_scale(kind, options.scale);
}

std::optional<Error> check_children(const ShapeTables& tables, std::span<const CompoundChild> children) {
    if (auto error = check_data("children", children)) return error;
    if (children.empty()) return bad_shape("children is empty: a compound needs one at least");
    for (std::size_t i = 0; i < children.size(); ++i)
        if (auto error = check_child(tables, numbered("children", i), children[i])) return error;
    return std::nullopt;
}

}  // namespace abut::d2
