// Collada 1.4 and 1.5 [Khronos 2008]: the triangles of the scene's nodes, in metres by <unit>. <up_axis> is not
// applied: RViz, MoveIt and Gazebo do not apply it either, and robots are made so that their meshes fit without
// (docs/formats.md).
//
// assimp 5.2 reads Collada, too, but distorts where the axis of a <rotate> is not of length 1, takes a negative index
// for vertex 0, and never ends or ends the program on words among indices, <skew>, a missing count, deep nodes and one
// that instances itself: a check in front of it would be most of this reader.
#include <cmath>
#include <map>
#include <optional>

#include "geometry.hpp"
#include "triangle_file.hpp"
#include "words.hpp"
#include "xml.hpp"

namespace abut::tools {
namespace {

constexpr int kMostNodeNesting = 64;  // of nodes, instances included

Position cross(const Position& a, const Position& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Position unit(const Position& a) {
    const double length = std::hypot(a[0], a[1], a[2]);
    return length > 0 ? Position{a[0] / length, a[1] / length, a[2] / length} : Position{0, 0, 1};
}

Pose look_at(const Position& from, const Position& to, const Position& up) {
    const Position z = unit({from[0] - to[0], from[1] - to[1], from[2] - to[2]}), x = unit(cross(up, z)),
                   y = cross(z, x);
    Pose pose;
    for (std::size_t i = 0; i < 3; ++i) {
        const double row[4] = {x[i], y[i], z[i], from[i]};
        for (std::size_t j = 0; j < 4; ++j) pose.m[i][j] = row[j];
    }
    return pose;
}

class DaeReader {
public:
    DaeReader(XmlElement root, const std::string& name) : root_(root), name_(name) {}

    TriangleFile run() {
        if (tag(root_) != "COLLADA") fail("is no Collada file: its root is <" + tag(root_) + ">");
        find_ids(root_);
        const Pose unit = unit_pose();
        if (const XmlElement scene = shown_scene())
            for (const XmlElement node : scene.children())
                if (tag(node) == "node") add_node(node, unit, 0);
        if (file_.triangles.empty()) {  // a library without a scene
            for (const XmlElement library : root_.children())
                if (tag(library) == "library_geometries")
                    for (const XmlElement geometry : library.children())
                        add_geometry(geometry, unit, attribute(geometry, "name"));
        }
        if (file_.triangles.empty()) fail("has no triangles");
        return std::move(file_);
    }

private:
    using Numbers = std::vector<double>;
    using Range = std::pair<std::size_t, std::size_t>;
    using Ranges = std::map<XmlElement, Range>;  // by source: its positions in a geometry

    [[noreturn]] void fail(const std::string& what) const { throw InputError(name_ + ": " + what); }

    void find_ids(XmlElement element) {
        if (const std::string_view id = attribute(element, "id"); !id.empty()) by_id_.emplace(id, element);
        for (const XmlElement child : element.children()) find_ids(child);
    }

    // What "#id" names; none where it is not here, as with a reference into another file.
    XmlElement named(std::string_view reference) const {
        if (!reference.empty() && reference[0] == '#') reference.remove_prefix(1);
        const auto found = by_id_.find(std::string(reference));
        return found == by_id_.end() ? XmlElement() : found->second;
    }

    Pose unit_pose() const {
        const std::string_view unit = attribute(root_.child("asset").child("unit"), "meter");
        double metre = 1;
        if (!unit.empty() && (!read_number(unit, metre) || !(metre > 0)))
            fail("its unit is " + std::string(unit) + " metres, which is no length");
        return scaling(metre, metre, metre);
    }

    XmlElement shown_scene() const {
        const XmlElement instance = root_.child("scene").child("instance_visual_scene");
        if (const XmlElement found = named(attribute(instance, "url"))) return found;
        return root_.child("library_visual_scenes").child("visual_scene");
    }

    void add_node(XmlElement node, const Pose& parent, int depth) {
        if (depth > kMostNodeNesting) fail("its nodes nest deeper than " + std::to_string(kMostNodeNesting));
        if (++shown_ > kMostNodes) fail("shows more than " + std::to_string(kMostNodes) + " nodes");
        Pose pose = parent;
        for (const XmlElement part : node.children())
            if (const std::optional<Pose> step = transform(tag(part), part)) pose = pose * *step;
        const std::string_view name = attribute(node, attribute(node, "name").empty() ? "id" : "name");
        for (const XmlElement part : node.children()) {
            const XmlElement target =
                tag(part).rfind("instance_", 0) == 0 ? named(attribute(part, "url")) : XmlElement();
            if (tag(part) == "node") add_node(part, pose, depth + 1);
            if (!target) continue;
            if (tag(part) == "instance_node") add_node(target, pose, depth + 1);
            if (tag(part) == "instance_geometry") add_geometry(target, pose, name);
            if (tag(part) == "instance_controller") add_controller(target, pose, name, 0);
        }
    }

    std::optional<Pose> transform(const std::string& kind, XmlElement part) const {
        const auto need = [&](std::size_t count) {
            const Numbers found = numbers(text_of(part));
            if (found.size() != count)
                fail("<" + kind + "> has " + std::to_string(found.size()) + " numbers, not " + std::to_string(count));
            return found;
        };
        Pose pose;
        if (kind == "matrix") {
            const Numbers m = need(16);
            for (std::size_t i = 0; i < 12; ++i) pose.m[i / 4][i % 4] = m[i];
        } else if (kind == "translate") {
            const Numbers t = need(3);
            for (std::size_t i = 0; i < 3; ++i) pose.m[i][3] = t[i];
        } else if (kind == "scale") {
            const Numbers s = need(3);
            pose = scaling(s[0], s[1], s[2]);
        } else if (kind == "rotate") {
            const Numbers r = need(4);
            const double length = std::hypot(r[0], r[1], r[2]), c = std::cos(r[3] * M_PI / 180),
                         s = std::sin(r[3] * M_PI / 180);
            if (!(length > 0)) return pose;
            const double u[3] = {r[0] / length, r[1] / length, r[2] / length};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) {
                    const double cross = i == j ? 0.0 : ((j + 3 - i) % 3 == 1 ? -1 : 1) * u[3 - i - j];
                    pose.m[i][j] = (i == j ? c : 0.0) + (1 - c) * u[i] * u[j] + s * cross;
                }
        } else if (kind == "lookat") {  // from, to, up: a camera's, which looks along -Z
            const Numbers n = need(9);
            pose = look_at({n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]});
        } else if (kind == "skew") {
            fail("a node has <skew>, which is not read");
        } else {
            return std::nullopt;
        }
        return pose;
    }

    // A skin shows its geometry as it was bound, a morph its base.
    void add_controller(XmlElement controller, const Pose& pose, std::string_view name, int depth) {
        if (depth > kMostNodeNesting) fail("its controllers go in a circle");
        for (const XmlElement kind : controller.children()) {
            const XmlElement source =
                tag(kind) == "skin" || tag(kind) == "morph" ? named(attribute(kind, "source")) : XmlElement();
            if (!source) continue;
            Pose bound = pose;
            if (const XmlElement shape = kind.child("bind_shape_matrix")) bound = pose * *transform("matrix", shape);
            if (tag(source) == "controller")
                add_controller(source, bound, name, depth + 1);
            else
                add_geometry(source, bound, name);
        }
    }

    void add_geometry(XmlElement element, const Pose& pose, std::string_view name) {
        const auto [place, is_new] = geometries_.try_emplace(element);
        if (is_new) read_geometry(element, place->second);
        show(place->second, pose, name, name_, file_);
    }

    // Each primitive has its vertices' source; equal ones are read once.
    void read_geometry(XmlElement element, Geometry& geometry) {
        const XmlElement mesh = element.child(element.child("mesh") ? "mesh" : "convex_mesh");
        Ranges known;
        for (const XmlElement primitive : mesh.children()) {
            const bool is_known = tag(primitive) == "triangles" || tag(primitive) == "polylist" ||
                                  tag(primitive) == "polygons" || tag(primitive) == "tristrips" ||
                                  tag(primitive) == "trifans";
            if (is_known) read_primitive(primitive, geometry, known);
        }
    }

    XmlElement position_source(XmlElement vertices) const {
        for (const XmlElement input : vertices.children())
            if (tag(input) == "input" && attribute(input, "semantic") == "POSITION")
                if (const XmlElement source = named(attribute(input, "source"))) return source;
        fail("a geometry has no source of positions");
    }

    Range position_range(XmlElement source, Geometry& geometry, Ranges& known) const {
        const std::size_t begin = geometry.positions.size();
        const auto [place, is_new] = known.try_emplace(source, begin, begin);
        if (!is_new) return place->second;
        const XmlElement array = source.child("float_array");
        const XmlElement accessor = source.child("technique_common").child("accessor");
        if (!array) fail("a source of positions has no float_array");
        const Numbers values = numbers(text_of(array));
        const std::size_t stride = accessor ? count_of(accessor, "stride", 1) : 3;
        const std::size_t offset = accessor ? count_of(accessor, "offset", 0) : 0;
        const std::size_t count = accessor ? count_of(accessor, "count", 0) : values.size() / 3;
        if (stride < 3) fail("a source of positions has a stride of " + std::to_string(stride));
        if (count > 0 && (offset > values.size() || (values.size() - offset + stride - 3) / stride < count))
            fail("a source of " + std::to_string(count) + " positions has " + std::to_string(values.size()) +
                 " numbers");
        for (std::size_t i = 0; i < count; ++i) {
            const double* const p = values.data() + offset + i * stride;
            geometry.positions.push_back({p[0], p[1], p[2]});
        }
        place->second.second = geometry.positions.size();
        return place->second;
    }

    void read_primitive(XmlElement primitive, Geometry& geometry, Ranges& known) const {
        std::size_t stride = 0, offset = 0;
        XmlElement source;
        for (const XmlElement input : primitive.children()) {
            if (tag(input) != "input") continue;
            const std::size_t at = count_of(input, "offset", 0);
            stride = std::max(stride, at + 1);
            if (attribute(input, "semantic") != "VERTEX") continue;
            offset = at;
            const XmlElement vertices = named(attribute(input, "source"));
            if (!vertices) fail("<" + tag(primitive) + "> names vertices that are not there");
            source = position_source(vertices);
        }
        if (!source) return;
        const auto [begin, end] = position_range(source, geometry, known);
        const std::size_t first = begin, count = end - begin;
        const auto add_list = [&](XmlElement list, const Numbers& counts) {
            std::vector<std::uint32_t> corners;
            const Numbers indices = numbers(text_of(list));
            for (std::size_t i = offset; i < indices.size(); i += stride) {
                if (!(indices[i] >= 0 && indices[i] < double(count)))
                    fail("<" + tag(primitive) + "> names vertex " + std::to_string(long(indices[i])) +
                         ", but there are " + std::to_string(count));
                corners.push_back(std::uint32_t(first) + std::uint32_t(indices[i]));
            }
            add_polygons(primitive, corners, counts, geometry);
        };
        const Numbers counts = numbers(text_of(primitive.child("vcount")));
        for (const XmlElement part : primitive.children()) {
            if (tag(part) == "p") add_list(part, counts);
            if (tag(part) == "ph") add_list(part.child("p"), counts);  // its holes are filled
        }
    }

    void add_polygons(XmlElement primitive, const std::vector<std::uint32_t>& corners, const Numbers& counts,
                      Geometry& geometry) const {
        const auto add = [&](std::size_t from, std::size_t count) {
            if (count > corners.size() - std::min(from, corners.size())) fail("<" + tag(primitive) + "> is cut short");
            geometry.add_fan(corners.data() + from, count);
        };
        if (tag(primitive) == "triangles") {
            if (corners.size() % 3 != 0) fail("<triangles> has " + std::to_string(corners.size()) + " corners");
            for (std::size_t i = 0; i < corners.size(); i += 3) add(i, 3);
        } else if (tag(primitive) == "polylist") {
            std::size_t from = 0;
            for (const double count : counts) {
                if (!(count >= 0 && count <= double(corners.size()))) fail("<polylist> is cut short");
                add(from, std::size_t(count));
                from += std::size_t(count);
            }
        } else if (tag(primitive) == "tristrips") {
            for (std::size_t i = 2; i < corners.size(); ++i)
                geometry.triangles.push_back({corners[i - 2 + i % 2], corners[i - 1 - i % 2], corners[i]});
        } else {
            add(0, corners.size());
        }
    }

    std::size_t count_of(XmlElement element, const char* key, std::size_t otherwise) const {
        std::uint32_t value = std::uint32_t(otherwise);
        const std::string_view text = attribute(element, key);
        if (!text.empty() && (!read_whole(text, value) || value > (1u << 30)))
            fail("<" + tag(element) + " " + key + "=\"" + std::string(text) + "\"> is no count");
        return value;
    }

    Numbers numbers(std::string_view text) const {
        Numbers found;
        for (std::size_t at = 0;;) {
            at = text.find_first_not_of(" \t\r\n", at);
            if (at == std::string_view::npos) return found;
            const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
            if (found.emplace_back(); !read_number(text.substr(at, end - at), found.back()))
                fail("\"" + std::string(text.substr(at, std::min<std::size_t>(end - at, 40))) +
                     "\" is no finite number");
            at = end;
        }
    }

    const XmlElement root_;
    const std::string& name_;
    std::map<std::string, XmlElement> by_id_;
    std::map<XmlElement, Geometry> geometries_;
    std::size_t shown_ = 0;
    TriangleFile file_;
};

}  // namespace

TriangleFile read_dae(std::string_view text, const std::string& name) {
    pugi::xml_document document;
    parse_xml(text, name, document);
    return DaeReader(document.document_element(), name).run();
}

}  // namespace abut::tools
