// Checks the numbers of a shape in the plane before they are stored. Errors name the field and its value.
#pragma once

#include <optional>
#include <span>

#include <abut/d2/shapes_2d.hpp>
#include <abut/status.hpp>

#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

// An error unless the position is finite and at most kMostMetres from 0. The components are named field.x and field.y.
std::optional<Error> check_position(const char* field, Vec2 position);
std::optional<Error> check_points(const char* field, std::span<const Vec2> points);
std::optional<Error> check_scale(ShapeKind kind, Vec2 scale);
std::optional<Error> check_options(ShapeKind kind, const InstanceOptions& options);
std::optional<Error> check_children(const ShapeTables& tables, std::span<const CompoundChild> children);

}  // namespace abut::d2
