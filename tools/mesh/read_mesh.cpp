// assimp reads what checks.hpp let through. None of its post-processing is asked for: faces are cut into fans here, and welding and parts
// are parts.cpp's.
#include <cmath>

#include <assimp/scene.h>
#include <fmt/format.h>
#include <assimp/Importer.hpp>

#include "checks.hpp"
#include "files.hpp"
#include "mesh.hpp"
#include "words.hpp"

namespace abut::tools {
namespace {

constexpr std::uint64_t kMeshLimit = (std::uint64_t(1) << 31) - 1;

std::string ending_of(const std::string& path) {
    const std::size_t dot = path.find_last_of("./");
    std::string ending = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot + 1);
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return ending;
}

bool is_ascii(char c) { return c > 0 && c < 0x7f; }

class MeshMaker {
public:
    // `has_names`: the file names its objects; assimp makes up a name where it does not.
    MeshMaker(const aiScene& scene, double scale, const std::string& name, bool has_names)
        : scene_(scene), scale_(scale), name_(name), has_names_(has_names) {}

    Mesh run() {
        add_node(*scene_.mRootNode);
        if (mesh_.triangles.empty()) throw InputError(fmt::format("{}: has no triangles", name_));
        return std::move(mesh_);
    }

private:
    // The three formats place nothing: a node is a name and its meshes.
    void add_node(const aiNode& node) {
        const std::size_t before = mesh_.triangles.size();
        for (unsigned i = 0; i < node.mNumMeshes; ++i) add_mesh(*scene_.mMeshes[node.mMeshes[i]]);
        if (mesh_.triangles.size() > before) mesh_.objects.emplace_back(node.mParent != nullptr && has_names_ ? node.mName.C_Str() : "");
        for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(*node.mChildren[i]);
    }

    void add_mesh(const aiMesh& part) {
        const std::size_t first = mesh_.positions.size();
        if (first + part.mNumVertices > 0xffffffffu) throw InputError(fmt::format("{}: has more vertices than 32 bits count", name_));
        for (unsigned i = 0; i < part.mNumVertices; ++i) mesh_.positions.push_back(position(part.mVertices[i], i));
        for (unsigned f = 0; f < part.mNumFaces; ++f) {
            const aiFace& face = part.mFaces[f];
            for (unsigned i = 0; i < face.mNumIndices; ++i) {
                if (face.mIndices[i] < part.mNumVertices) continue;
                throw InputError(fmt::format("{}: face {} names vertex {}, but there are {}", name_, f, face.mIndices[i], part.mNumVertices));
            }
            const auto at = [&](unsigned i) { return std::uint32_t(first + face.mIndices[i]); };
            for (unsigned i = 2; i < face.mNumIndices; ++i) {
                mesh_.triangles.push_back({at(0), at(i - 1), at(i)});
                mesh_.object_of.push_back(std::uint32_t(mesh_.objects.size()));
            }
        }
    }

    Vec3 position(const aiVector3D& v, unsigned index) const {
        const Vec3 p = {float(v.x * scale_) + 0.0f, float(v.y * scale_) + 0.0f, float(v.z * scale_) + 0.0f};  // -0 becomes 0
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) return p;
        throw InputError(fmt::format("{}: vertex {} is ({}, {}, {}), which is not finite{}", name_, index, v.x, v.y, v.z,
                                     scale_ == 1.0 ? "" : " or not when scaled"));
    }

    const aiScene& scene_;
    double scale_;
    const std::string& name_;
    bool has_names_;
    Mesh mesh_;
};

// Whether an OBJ file has a line of an object or a group.
bool names_objects(std::string_view text) {
    Words words(text);
    while (words.next_line()) {
        const std::string_view word = words.next();
        if ((word == "o" || word == "g") && !words.next().empty()) return true;
    }
    return false;
}

}  // namespace

bool can_read_meshes() { return true; }

Mesh read_mesh(const std::string& path, double scale) {
    if (is_gltf(path)) return read_gltf(path, scale);
    const std::string ending = ending_of(path);
    const auto check = ending == "obj" ? check_obj : ending == "stl" ? check_stl : ending == "ply" ? check_ply : nullptr;
    if (check == nullptr) throw InputError(fmt::format("{}: is no .obj, .stl, .ply, .gltf or .glb file", path));
    const MappedFile file(path, kMeshLimit);
    std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    const bool is_binary = ending == "stl" && is_binary_stl(bytes);
    if (!is_binary) bytes = without_byte_order_mark(bytes);
    if (bytes.empty()) throw InputError(fmt::format("{}: is empty", path));
    check(bytes, path);
    std::string blanked;
    if (is_binary && !is_ascii(bytes[0])) {
        // A binary header may hold anything, but assimp would take a byte-order mark out of it.
        blanked = bytes;
        blanked[0] = blanked[1] = blanked[2] = ' ';
        bytes = blanked;
    }
    Assimp::Importer importer;
    const aiScene* const scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, ending.c_str());
    if (scene == nullptr || scene->mRootNode == nullptr) throw InputError(fmt::format("{}: cannot be read: {}", path, importer.GetErrorString()));
    return MeshMaker(*scene, scale, path, ending != "obj" || names_objects(bytes)).run();
}

}  // namespace abut::tools
