// Reads a shape of either space off its JSON. Its spec has functions read_kind() and read_own_fields().
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "capture_limits.hpp"
#include "json_string.hpp"
#include "shape_json.hpp"

namespace abut::tools {

// Reads one shape's fields off its object; the first problem met stays.
class FieldReader {
public:
    FieldReader(const nlohmann::json& object, NumberRule rule) : object_(object), rule_(rule) {}

    // A number or a vector.
    template <class Value>
    void value(const char* name, Value& out) {
        if (const nlohmann::json* value = find(name)) report(name, read_value(*value, out, rule_));
    }
    template <class Vector>
    void vectors(const char* name, std::vector<Vector>& out) {
        const nlohmann::json* value = list(name);
        if (!value) return;
        out.resize(value->size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::string problem = read_value((*value)[i], out[i], rule_);
            if (!problem.empty()) return report(fmt::format("{}[{}]", name, i), problem);
        }
    }
    const nlohmann::json* list(const char* name) {
        const nlohmann::json* value = find(name);
        if (value && !value->is_array()) report(name, fmt::format("is {}, not a list", value->type_name()));
        return value && value->is_array() ? value : nullptr;
    }
    void count(const char* name, std::uint32_t& out) {
        if (const nlohmann::json* value = find(name); value && !read_count(*value, out))
            report(name, "must be a whole number, 0 to 4294967295");
    }
    void triangles(std::vector<MeshTriangle>& out) {
        const nlohmann::json* value = list("triangles");
        if (!value) return;
        out.resize(value->size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            const nlohmann::json& row = (*value)[i];
            bool is_good = row.is_array() && row.size() == 3;
            for (std::size_t k = 0; is_good && k < 3; ++k) is_good = read_count(row[k], out[i].corners[k]);
            if (!is_good)
                return report(fmt::format("triangles[{}]", i), "must be [i, j, k], each the index of a vertex");
        }
    }
    void heights(std::vector<float>& out) {
        const nlohmann::json* value = list("heights");
        if (!value) return;
        out.resize(value->size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            if ((*value)[i].is_null()) {
                out[i] = std::numeric_limits<float>::quiet_NaN();
            } else if (const std::string problem = read_value((*value)[i], out[i], rule_); !problem.empty()) {
                return report(fmt::format("heights[{}]", i), problem);
            }
        }
    }
    // A number for all cells, or one for each.
    void cells(std::vector<std::uint8_t>& out) {
        if (!object_.contains("cells")) return;
        const nlohmann::json& value = *find("cells");
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
        const nlohmann::json* value = find("spacing");
        if (!value) return;
        float numbers[2] = {};
        report("spacing", read_floats(*value, 0, numbers, rule_));
        x = numbers[0], z = numbers[1];
    }
    void sides(MeshSides& out) {
        if (!object_.contains("sides")) return;
        const nlohmann::json& value = *find("sides");
        if (value != "front" && value != "both") return report("sides", "must be \"front\" or \"both\"");
        out = value == "both" ? MeshSides::both : MeshSides::front;
    }
    void thickness(float& out) {
        if (!object_.contains("thickness")) return;
        if (*find("thickness") == "Infinity") return void(out = std::numeric_limits<float>::infinity());
        value("thickness", out);
    }
    void flag(const char* name, bool& out) {
        if (!object_.contains(name)) return;
        const nlohmann::json& value = *find(name);
        if (!value.is_boolean()) return report(name, fmt::format("is {}, not true or false", value.type_name()));
        out = value.get<bool>();
    }
    // Whether the shape has the field.
    template <class Value>
    bool optional(const char* name, Value& out) {
        if (!object_.contains(name)) return false;
        value(name, out);
        return true;
    }
    template <class Vector>
    void scale(std::optional<Vector>& out) {
        if (!object_.contains("scale")) return;
        if (object_["scale"].is_number()) {
            float factor = 0.0f;
            value("scale", factor);
            std::array<float, kNumbers<Vector>> factors;
            factors.fill(factor);
            out = std::bit_cast<Vector>(factors);
        } else {
            value("scale", out.emplace());
        }
    }
    // Either of its two parts, or both.
    template <class Pose>
    void pose(std::optional<Pose>& out) {
        Pose pose;
        const bool has_pos = optional("pos", pose.position);
        if (optional(rotation_name(pose.orientation), pose.orientation) || has_pos) out = pose;
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
    const nlohmann::json* find(const char* name) {
        known_.push_back(name);
        const auto member = object_.find(name);
        if (member != object_.end()) return &*member;
        report(name, "is missing");
        return nullptr;
    }
    static bool read_count(const nlohmann::json& value, std::uint32_t& out) {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            return false;
        out = value.get<std::uint32_t>();
        return true;
    }

    const nlohmann::json& object_;
    NumberRule rule_;
    std::string problem_;
    std::vector<std::string> known_ = {"shape"};
};

template <class Spec>
std::string read_shape(const nlohmann::json& value, NumberRule rule, int depth, Spec& out);

template <class Child>
std::string read_child(const nlohmann::json& value, NumberRule rule, int depth, Child& out) {
    const char* const rotation = rotation_name(out.orientation);
    if (!value.is_object()) return fmt::format("is {}, not an object", value.type_name());
    for (const auto& [name, member] : value.items()) {
        if (name != "shape" && name != "pos" && name != rotation)
            return fmt::format("has an unknown field {}", json_string(name));
    }
    for (const char* name : {"shape", "pos", rotation}) {
        if (!value.contains(name)) return fmt::format("lacks {}", name);
    }
    if (const std::string problem = read_value(value["pos"], out.position, rule); !problem.empty())
        return "pos " + problem;
    if (const std::string problem = read_value(value[rotation], out.orientation, rule); !problem.empty())
        return fmt::format("{} {}", rotation, problem);
    const std::string problem = read_shape(value["shape"], rule, depth + 1, out.shape);
    return problem.empty() ? problem : "shape: " + problem;
}

template <class Child>
void read_children(FieldReader& fields, NumberRule rule, int depth, std::vector<Child>& out) {
    const nlohmann::json* list = fields.list("children");
    if (!list) return;
    if (depth == kMaxCompoundDepth)
        return fields.report("children", fmt::format("nests deeper than {} compounds", depth));
    out.resize(list->size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string problem = read_child((*list)[i], rule, depth, out[i]);
        if (!problem.empty()) return fields.report(fmt::format("children[{}]", i), problem);
    }
}

// Returns what is wrong with the shape, or nothing.
template <class Spec>
std::string read_shape(const nlohmann::json& value, NumberRule rule, int depth, Spec& out) {
    if (!value.is_object()) return fmt::format("a shape must be an object, and this is {}", value.type_name());
    const auto name = value.find("shape");
    if (name == value.end()) return "shape is missing";
    if (!name->is_string()) return fmt::format("shape is {}, not a string", name->type_name());
    const std::string& kind = name->get_ref<const std::string&>();
    if (!read_kind(kind, out)) return fmt::format("no shape is called {}", json_string(kind));

    FieldReader fields(value, rule);
    read_own_fields(fields, rule, depth, out);
    fields.optional("rounding", out.rounding);
    fields.scale(out.scale);
    fields.pose(out.pose);
    fields.axis();
    return fields.finish();
}

template <class Spec>
Expected<Spec> read_spec(const nlohmann::json& value, NumberRule rule) {
    Spec spec;
    std::string problem = read_shape(value, rule, 0, spec);
    if (!problem.empty()) return Error{ErrorCode::bad_shape, std::move(problem)};
    return spec;
}

}  // namespace abut::tools
