// 3MF [3MF Consortium 2018]: the triangles of what the build holds, in metres by the model's unit; also parts in other
// models of the package (production extension). The package is a ZIP archive, which minizip reads.
//
// lib3mf's interface differs between the versions that systems have (1.8 and 2), and assimp ignores the unit.
#include <array>
#include <map>
#include <memory>
#include <utility>

#include <unzip.h>

#include "geometry.hpp"
#include "triangle_file.hpp"
#include "words.hpp"
#include "xml.hpp"

namespace abut::tools {
namespace {

constexpr int kMostComponentNesting = 64;                 // of components
constexpr std::size_t kMostBytes = std::size_t(1) << 30;  // of a model: a small archive may hold a large one

struct Closer {
    void operator()(void* archive) const { unzClose(archive); }
};

class ThreeMfReader {
public:
    explicit ThreeMfReader(const std::string& name) : name_(name), archive_(unzOpen64(name.c_str())) {
        if (!archive_) fail("is no ZIP archive");
    }

    TriangleFile run() {
        const std::string path = start_part();
        const XmlElement root = model(path);
        const double metre = metre_of(root);
        for (const XmlElement item : root.child("build").children("item"))
            add_object(item, path, scaling(metre, metre, metre), 0);
        if (file_.triangles.empty()) fail("has no triangles");
        return std::move(file_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw InputError(name_ + ": " + what); }

    // A part of the package; false where there is none.
    bool read_part(const std::string& path, std::string& out) const {
        const std::string inside = path.substr(path.starts_with('/') ? 1 : 0);
        if (unzLocateFile(archive_.get(), inside.c_str(), 2) != UNZ_OK) return false;  // 2: whatever the case
        if (unzOpenCurrentFile(archive_.get()) != UNZ_OK) fail("\"" + path + "\" in it is damaged or encrypted");
        std::array<char, 65536> buffer;
        int read = 0;
        while ((read = unzReadCurrentFile(archive_.get(), buffer.data(), unsigned(buffer.size()))) > 0) {
            out.append(buffer.data(), std::size_t(read));
            if (out.size() > kMostBytes)
                fail("\"" + path + "\" in it has more than " + std::to_string(kMostBytes) + " bytes");
        }
        if (read < 0 || unzCloseCurrentFile(archive_.get()) != UNZ_OK) fail("\"" + path + "\" in it is damaged");
        return true;
    }

    // What the package's relationships name as the model.
    std::string start_part() const {
        std::string text, owner;
        if (!read_part("_rels/.rels", text)) fail("is no 3MF package: it has no _rels/.rels");
        pugi::xml_document document;
        parse_xml(utf8_of(text, owner), name_ + ": _rels/.rels", document);
        for (const XmlElement relation : document.document_element().children("Relationship"))
            if (attribute(relation, "Type").ends_with("/3dmodel")) return std::string(attribute(relation, "Target"));
        fail("is no 3MF package: it names no model");
    }

    XmlElement model(const std::string& path) {
        auto& document = models_[path];
        if (document) return document->document_element();
        std::string text, owner;
        if (!read_part(path, text)) fail("names the model \"" + path + "\", which is not in it");
        document = std::make_unique<pugi::xml_document>();
        parse_xml(utf8_of(text, owner), name_ + ": " + path, *document);
        const XmlElement root = document->document_element();
        for (const XmlElement object : root.child("resources").children("object"))
            objects_.emplace(std::pair(path, std::string(attribute(object, "id"))), object);
        return root;
    }

    double metre_of(XmlElement root) const {
        const std::string_view unit = attribute(root, "unit");
        constexpr std::pair<std::string_view, double> kUnits[] = {
            {"", 1e-3},           {"millimeter", 1e-3}, {"micron", 1e-6}, {"meter", 1},
            {"centimeter", 1e-2}, {"inch", 0.0254},     {"foot", 0.3048}};
        for (const auto& [name, metre] : kUnits)
            if (unit == name) return metre;
        fail("its unit is \"" + std::string(unit) + "\"");
    }

    // Of an item or component; rows of a point's coordinates, then the translation.
    Pose pose_of(XmlElement shown) const {
        Pose pose;
        const std::string_view text = attribute(shown, "transform");
        if (text.empty()) return pose;
        Words words(text);
        for (std::size_t i = 0; i < 12; ++i)
            if (!read_number(words.next_anywhere(), pose.m[i % 3][i / 3]))
                fail("the transform \"" + std::string(text.substr(0, 80)) + "\" has not 12 numbers");
        return pose;
    }

    void add_object(XmlElement shown, std::string path, const Pose& parent, int depth) {
        if (depth > kMostComponentNesting)
            fail("its components nest deeper than " + std::to_string(kMostComponentNesting));
        if (++shown_ > kMostNodes) fail("shows more than " + std::to_string(kMostNodes) + " objects");
        if (const std::string_view other = attribute(shown, "path"); !other.empty()) path = other;
        model(path);
        const std::string id(attribute(shown, "objectid"));
        const auto found = objects_.find({path, id});
        if (found == objects_.end()) fail("<" + tag(shown) + "> names the object \"" + id + "\", which is not in it");
        const XmlElement object = found->second;
        const Pose pose = parent * pose_of(shown);
        const auto [place, is_new] = geometries_.try_emplace(object);
        if (is_new) read_geometry(object.child("mesh"), place->second);
        show(place->second, pose, attribute(object, "name"), name_, file_);
        for (const XmlElement component : object.child("components").children("component"))
            add_object(component, path, pose, depth + 1);
    }

    void read_geometry(XmlElement mesh, Geometry& geometry) const {
        for (const XmlElement vertex : mesh.child("vertices").children("vertex")) {
            Position& p = geometry.positions.emplace_back();
            for (std::size_t i = 0; i < 3; ++i) {
                const char key[] = {"xyz"[i], 0};
                if (!read_number(attribute(vertex, key), p[i]))
                    fail("vertex " + std::to_string(geometry.positions.size() - 1) + " has no " + key +
                         ", or no finite one");
            }
        }
        for (const XmlElement triangle : mesh.child("triangles").children("triangle")) {
            Corners& corners = geometry.triangles.emplace_back();
            for (std::size_t i = 0; i < 3; ++i) {
                const char key[] = {'v', char('1' + i), 0};
                const std::string_view text = attribute(triangle, key);
                if (!read_whole(text, corners[i]) || corners[i] >= geometry.positions.size())
                    fail("triangle " + std::to_string(geometry.triangles.size() - 1) + " names vertex \"" +
                         std::string(text.substr(0, 20)) + "\", but there are " +
                         std::to_string(geometry.positions.size()));
            }
        }
    }

    const std::string& name_;
    std::unique_ptr<void, Closer> archive_;
    std::map<std::string, std::unique_ptr<pugi::xml_document>> models_;  // by path
    std::map<std::pair<std::string, std::string>, XmlElement> objects_;  // by path and id
    std::map<XmlElement, Geometry> geometries_;
    std::size_t shown_ = 0;
    TriangleFile file_;
};

}  // namespace

TriangleFile read_3mf(std::string_view, const std::string& name) { return ThreeMfReader(name).run(); }

}  // namespace abut::tools
