// What `abut cook` prints.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <abut/shape_store.hpp>

#include "decompose.hpp"
#include "shape_spec.hpp"
#include "union_deviation.hpp"

namespace abut::tools {

struct CookedPart {
    std::string name;
    std::size_t input_vertices = 0, triangles = 0;
    HullReport report;
    double size = 0.0;  // metres, half the longest side of the bounds
    double milliseconds = 0.0;
    double volume = 0.0;                // cubic metres, of the hull
    std::optional<double> mesh_volume;  // of the part, where its triangles close it
    ShapeSpec shape;

    double deviation_percent() const { return size > 0.0 ? 100.0 * double(report.deviation) / size : 0.0; }
};

struct DecompositionReport {
    Decomposition made;
    std::uint32_t most_hulls = 0;
    double milliseconds = 0.0;
    UnionDeviation deviation;
};

struct CookReport {
    std::string file, by;
    double read_milliseconds = 0.0;
    std::vector<CookedPart> parts;
    std::optional<DecompositionReport> decomposition;
    bool is_compound = false;  // one shape of all hulls
};

std::string cook_table(const CookReport& report);
std::string cook_json(const CookReport& report);

// The same of meshes.
struct CookedMeshPart {
    std::string name;
    std::size_t input_vertices = 0;
    MeshReport report;
    double milliseconds = 0.0;
    std::size_t file_bytes = 0;  // as cooked bytes
    float closing_weld = 0.0f;   // metres: closes a mesh that is open by rounding alone; 0: none does
};

struct MeshCookReport {
    std::string file, by;
    double read_milliseconds = 0.0;
    std::vector<CookedMeshPart> parts;
};

std::string cook_table(const MeshCookReport& report);
std::string cook_json(const MeshCookReport& report);

}  // namespace abut::tools
