// What a glTF document shows: no more than positions, triangles and where nodes put them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gltf_document.hpp"
#include "mesh.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

constexpr std::size_t kMostVertices = std::size_t(1) << 26;  // of all nodes: a small file may show one mesh many times
constexpr int kMostNesting = 256;

// Column-major, as glTF has it.
using Matrix = std::array<double, 16>;
constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix out{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t k = 0; k < 4; ++k) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return out;
}

double determinant(const Matrix& m) {
    return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) + m[8] * (m[1] * m[6] - m[5] * m[2]);
}

class GltfReader {
public:
    GltfReader(const std::string& path, double scale) : file_(path), scale_(scale) {}

    Mesh run() {
        if (file_.root().value("asset", json::object()).value("version", "").rfind("2.", 0) != 0) file_.fail("its asset has no version 2");
        for (const json& extension : file_.root().value("extensionsRequired", json::array()))
            if (extension.is_string() && changes_positions(extension.get<std::string>()))
                file_.fail(fmt::format("it needs the extension {}", extension.get<std::string>()));
        seen_.resize(file_.list("nodes").size());
        const std::size_t scenes = file_.list("scenes").size();
        if (scenes == 0) file_.fail("has no scene");
        const json& scene = file_.element("scenes", file_.root().value("scene", json(0)), "scene");
        for (const json& node : scene.value("nodes", json::array())) add_node(node, kIdentity, 0);
        if (mesh_.triangles.empty()) file_.fail("has no triangles");
        return std::move(mesh_);
    }

private:
    static bool changes_positions(const std::string& extension) {
        return extension == "KHR_draco_mesh_compression" || extension == "EXT_meshopt_compression" || extension == "KHR_mesh_quantization";
    }

    // --- nodes ---

    std::array<double, 16> numbers(const json& node, const char* key, std::size_t count) const {
        std::array<double, 16> out{};
        const json& given = node[key];
        if (!given.is_array() || given.size() != count) file_.fail(fmt::format("a node's {} has not {} numbers", key, count));
        for (std::size_t i = 0; i < count; ++i) {
            if (!given[i].is_number()) file_.fail(fmt::format("a node's {} has not {} numbers", key, count));
            out[i] = given[i].get<double>();
        }
        return out;
    }
    Matrix matrix_of(const json& node) const {
        if (node.contains("matrix")) return numbers(node, "matrix", 16);
        Matrix m = kIdentity;
        if (node.contains("rotation")) {
            const auto q = numbers(node, "rotation", 4);
            const double x = q[0], y = q[1], z = q[2], w = q[3];
            m = {1 - 2 * (y * y + z * z),
                 2 * (x * y + z * w),
                 2 * (x * z - y * w),
                 0,
                 2 * (x * y - z * w),
                 1 - 2 * (x * x + z * z),
                 2 * (y * z + x * w),
                 0,
                 2 * (x * z + y * w),
                 2 * (y * z - x * w),
                 1 - 2 * (x * x + y * y),
                 0,
                 0,
                 0,
                 0,
                 1};
        }
        if (node.contains("scale")) {
            const auto s = numbers(node, "scale", 3);
            for (std::size_t column = 0; column < 3; ++column)
                for (std::size_t row = 0; row < 3; ++row) m[4 * column + row] *= s[column];
        }
        if (node.contains("translation")) {
            const auto t = numbers(node, "translation", 3);
            for (std::size_t row = 0; row < 3; ++row) m[12 + row] = t[row];
        }
        return m;
    }

    void add_node(const json& index, const Matrix& parent, int depth) {
        const json& node = file_.element("nodes", index, "node");
        const std::size_t at = index.get<std::size_t>();
        if (seen_[at]) file_.fail(fmt::format("node {} has two parents, or is its own", at));
        if (depth == kMostNesting) file_.fail(fmt::format("its nodes nest deeper than {}", kMostNesting));
        seen_[at] = true;
        const Matrix pose = product(parent, matrix_of(node));
        if (node.contains("mesh")) add_mesh(node, pose);
        for (const json& child : node.value("children", json::array())) add_node(child, pose, depth + 1);
    }

    void add_mesh(const json& node, const Matrix& pose) {
        const json& mesh = file_.element("meshes", node["mesh"], "mesh");
        const std::size_t before = mesh_.triangles.size();
        for (const json& primitive : mesh.value("primitives", json::array())) {
            if (!primitive.is_object()) file_.fail("a primitive is no object");
            const std::size_t mode = file_.number(primitive, "mode", 4);
            if (mode >= 4 && mode <= 6) add_primitive(primitive, mode, pose);  // others are points and lines
        }
        if (mesh_.triangles.size() == before) return;
        const auto name_of = [](const json& thing) {
            return thing.contains("name") && thing["name"].is_string() ? thing["name"].get<std::string>() : "";
        };
        const std::string name = name_of(node);
        mesh_.objects.push_back(name.empty() ? name_of(mesh) : name);
    }

    void add_primitive(const json& primitive, std::size_t mode, const Matrix& pose) {
        const auto attributes = primitive.find("attributes");
        if (attributes == primitive.end() || !attributes->is_object() || !attributes->contains("POSITION")) file_.fail("a primitive has no POSITION");
        const GltfAccessor positions = file_.accessor((*attributes)["POSITION"], "VEC3", 3);
        if (positions.component != 5126) file_.fail(fmt::format("positions of componentType {}; read are floats, 5126", positions.component));
        const std::size_t first = mesh_.positions.size();
        if (positions.count > kMostVertices - first) file_.fail(fmt::format("has more than {} vertices", kMostVertices));
        for (std::size_t i = 0; i < positions.count; ++i) mesh_.positions.push_back(position(positions.bytes.subspan(i * positions.stride), i, pose));

        std::vector<std::uint32_t> corners;
        if (primitive.contains("indices")) {
            const GltfAccessor indices = file_.accessor(primitive["indices"], "SCALAR", 1);
            if (indices.component != 5121 && indices.component != 5123 && indices.component != 5125)
                file_.fail(fmt::format("indices of componentType {}; read are 5121, 5123 and 5125", indices.component));
            if (indices.count > kMostVertices || mesh_.triangles.size() > kMostVertices) file_.fail("has too many triangles");
            for (std::size_t i = 0; i < indices.count; ++i) {
                const std::span<const std::byte> at = indices.bytes.subspan(i * indices.stride);
                std::uint32_t corner = std::uint32_t(at[0]);
                if (indices.component == 5123) corner |= std::uint32_t(at[1]) << 8;
                if (indices.component == 5125) corner = word_at(at, 0);
                if (corner >= positions.count) file_.fail(fmt::format("a triangle names vertex {}, but there are {}", corner, positions.count));
                corners.push_back(corner);
            }
        } else {
            for (std::uint32_t i = 0; i < positions.count; ++i) corners.push_back(i);
        }
        const bool is_mirrored = determinant(pose) < 0;
        const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            if (is_mirrored) std::swap(b, c);
            mesh_.triangles.push_back({std::uint32_t(first + a), std::uint32_t(first + b), std::uint32_t(first + c)});
            mesh_.object_of.push_back(std::uint32_t(mesh_.objects.size()));
        };
        if (mode == 4)
            for (std::size_t i = 2; i < corners.size(); i += 3) add(corners[i - 2], corners[i - 1], corners[i]);
        if (mode == 5)
            for (std::size_t i = 2; i < corners.size(); ++i)
                i % 2 == 0 ? add(corners[i - 2], corners[i - 1], corners[i]) : add(corners[i - 1], corners[i - 2], corners[i]);
        if (mode == 6)
            for (std::size_t i = 2; i < corners.size(); ++i) add(corners[0], corners[i - 1], corners[i]);
    }

    Vec3 position(std::span<const std::byte> at, std::size_t index, const Matrix& m) const {
        double v[3];
        for (std::size_t i = 0; i < 3; ++i) v[i] = std::bit_cast<float>(word_at(at, 4 * i));
        float p[3];
        for (std::size_t row = 0; row < 3; ++row) {
            p[row] = float((m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2] + m[12 + row]) * scale_) + 0.0f;
            if (!std::isfinite(p[row])) file_.fail(fmt::format("vertex {} is not finite where its node puts it", index));
        }
        return {p[0], p[1], p[2]};
    }

    GltfDocument file_;
    double scale_;
    std::vector<bool> seen_;
    Mesh mesh_;
};

}  // namespace

bool is_gltf(const std::string& path) {
    const auto ends_with = [&](std::string_view ending) {
        return path.size() > ending.size() && std::equal(ending.begin(), ending.end(), path.end() - std::ptrdiff_t(ending.size()),
                                                         [](char e, char c) { return e == (c >= 'A' && c <= 'Z' ? char(c | 32) : c); });
    };
    return ends_with(".gltf") || ends_with(".glb");
}

Mesh read_gltf(const std::string& path, double scale) {
    try {
        return GltfReader(path, scale).run();
    } catch (const nlohmann::json::exception& error) {  // a value of another type than its key has
        throw InputError(fmt::format("{}: {}", path, error.what()));
    }
}

}  // namespace abut::tools
