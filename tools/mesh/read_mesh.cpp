// assimp reads what checks.hpp let through. None of its post-processing is asked for: faces are cut into fans here, and
// welding and parts are parts.cpp's.
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
    // `names_from`: the first level of nodes that the file itself names; assimp makes up those above.
    MeshMaker(const aiScene& scene, double scale, const std::string& name, int names_from)
        : scene_(scene), scale_(scale), name_(name), names_from_(names_from) {}

    Mesh run() {
        add_node(*scene_.mRootNode, Matrix(), 0);
        if (mesh_.triangles.empty()) throw InputError(fmt::format("{}: has no triangles", name_));
        return std::move(mesh_);
    }

private:
    using Matrix = aiMatrix4x4t<double>;

    void add_node(const aiNode& node, const Matrix& parent, int level) {
        const Matrix pose = parent * static_cast<Matrix>(node.mTransformation);
        const std::size_t before = mesh_.triangles.size();
        for (unsigned i = 0; i < node.mNumMeshes; ++i) add_mesh(*scene_.mMeshes[node.mMeshes[i]], pose);
        if (mesh_.triangles.size() > before) mesh_.objects.emplace_back(level >= names_from_ ? node.mName.C_Str() : "");
        for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(*node.mChildren[i], pose, level + 1);
    }

    void add_mesh(const aiMesh& part, const Matrix& pose) {
        const bool is_mirrored = pose.Determinant() < 0;
        const std::size_t first = mesh_.positions.size();
        if (first + part.mNumVertices > 0xffffffffu)
            throw InputError(fmt::format("{}: has more vertices than 32 bits count", name_));
        for (unsigned i = 0; i < part.mNumVertices; ++i)
            mesh_.positions.push_back(
                position(pose * aiVector3t<double>(part.mVertices[i].x, part.mVertices[i].y, part.mVertices[i].z), i));
        for (unsigned f = 0; f < part.mNumFaces; ++f) {
            const aiFace& face = part.mFaces[f];
            for (unsigned i = 0; i < face.mNumIndices; ++i) {
                if (face.mIndices[i] < part.mNumVertices) continue;
                throw InputError(fmt::format("{}: face {} names vertex {}, but there are {}", name_, f,
                                             face.mIndices[i], part.mNumVertices));
            }
            const auto at = [&](unsigned i) { return std::uint32_t(first + face.mIndices[i]); };
            for (unsigned i = 2; i < face.mNumIndices; ++i) {
                mesh_.triangles.push_back({at(0), at(is_mirrored ? i : i - 1), at(is_mirrored ? i - 1 : i)});
                mesh_.object_of.push_back(std::uint32_t(mesh_.objects.size()));
            }
        }
    }

    Vec3 position(const aiVector3t<double>& v, unsigned index) const {
        const Vec3 p = {float(v.x * scale_) + 0.0f, float(v.y * scale_) + 0.0f,
                        float(v.z * scale_) + 0.0f};  // -0 becomes 0
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) return p;
        throw InputError(fmt::format("{}: vertex {} is ({}, {}, {}), which is not finite{}", name_, index, v.x, v.y,
                                     v.z, scale_ == 1.0 ? "" : " or not when scaled"));
    }

    const aiScene& scene_;
    double scale_;
    const std::string& name_;
    int names_from_;
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
    std::string ending = ending_of(path);
    const bool is_gltf = ending == "gltf" || ending == "glb";
    const auto check = ending == "obj"   ? check_obj
                       : ending == "stl" ? check_stl
                       : ending == "ply" ? check_ply
                                         : nullptr;
    if (check == nullptr && !is_gltf)
        throw InputError(fmt::format("{}: is no .obj, .stl, .ply, .gltf or .glb file", path));
    const MappedFile file(path, kMeshLimit);
    std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    const bool is_binary = ending == "stl" && is_binary_stl(bytes);
    if (!is_binary) bytes = without_byte_order_mark(bytes);
    if (bytes.empty()) throw InputError(fmt::format("{}: is empty", path));
    CheckedGltf gltf;
    if (is_gltf) {
        gltf = check_gltf(bytes, path);
        bytes = gltf.document;
        ending = bytes.substr(0, 4) == "glTF" ? "glb" : "gltf";
    } else {
        check(bytes, path);
    }
    std::string blanked;
    if (is_binary && !is_ascii(bytes[0])) {
        // A binary header may hold anything, but assimp would take a byte-order mark out of it.
        blanked = bytes;
        blanked[0] = blanked[1] = blanked[2] = ' ';
        bytes = blanked;
    }
    Assimp::Importer importer;
    const aiScene* const scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, ending.c_str());
    if (scene == nullptr || scene->mRootNode == nullptr)
        throw InputError(fmt::format("{}: cannot be read: {}", path, importer.GetErrorString()));
    constexpr int kNoNames = 1 << 30;
    const int names_from = is_gltf ? 0 : ending != "obj" || names_objects(bytes) ? 1 : kNoNames;
    Mesh mesh = MeshMaker(*scene, scale, path, names_from).run();
    if (is_gltf && mesh.triangles.size() != gltf.triangles)
        throw InputError(fmt::format("{}: a triangle names a vertex that is not there", path));
    return mesh;
}

}  // namespace abut::tools
