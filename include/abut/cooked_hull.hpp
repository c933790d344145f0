// A convex hull, cooked without a store: on any thread, or long before, kept as bytes that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/compiler.hpp>
#include <abut/math.hpp>
#include <abut/status.hpp>

namespace abut {

struct HullOptions {
    // At most so many vertices, chosen among the points so that those left out are near; HullReport::deviation says how near. Goes
    // before tolerance, which may leave fewer. 0: as many as the points make, an error above kMaxHullVertices; anything above that
    // counts as it. Less than the 4 vertices of a solid (3 of a polygon, 2 of a segment) is an error where the points make one.
    std::uint32_t max_vertices = 0;
    // Metres: points this close to the hull of the rest may be dropped. At least float32's resolution of the points counts, about
    // 2.4e-7 of their extent.
    float tolerance = 0.0f;
    // For engines that know hulls only: where HullReport::is_box says so and the box's centre is the origin, ShapeStore::add_hull adds a box (kind box),
    // which is several times as fast and no less exact. Its features are numbered as a box's. cook_hull makes a hull in any case.
    bool recognise_box = false;
};

// What cooking made of the points.
struct HullReport {
    std::uint32_t vertices = 0, faces = 0, edges = 0;
    std::uint32_t dropped_points = 0;  // interior, duplicate, collinear on an edge or coplanar in a face, or given up for the options
    std::uint8_t dimension = 3;        // 0 point, 1 segment, 2 polygon, 3 solid
    // Metres, of the hull unscaled and without rounding, measured in double and rounded up. An instance's are at most its largest scale
    // times as much. A hull that was cooked again for an instance's scale has a report of its own (ShapeStore::view).
    float deviation = 0.0f;  // no point is farther outside the hull
    float overshoot = 0.0f;  // the hull reaches no farther out of that of the points: vertices are points, rounded relative to their centroid
    // The hull is a box along the local axes: its eight vertices are that box's corners, but for float32's resolution of them.
    bool is_box = false;
    Vec3 box_half_extents = {}, box_centre = {};  // of such a box, metres
};

struct HullGeometry;

// What cook_hull makes and ShapeStore::add_hull takes. Empty after it was moved from. Reading one from several threads is safe.
class ABUT_API CookedHull {
public:
    ~CookedHull();
    CookedHull(CookedHull&&) noexcept;
    CookedHull& operator=(CookedHull&&) noexcept;

    bool empty() const { return geometry_ == nullptr; }
    HullReport report() const;  // of an empty one: zeros

    // The hull as bytes, for a file or a network: 60 + 12 * vertices + 14 * faces + 2 * their corners (2 kB for 36 vertices,
    // 52 kB for 1,000, in triangles), little-endian, without pointers, equal for equal points and options on every machine. A plate or needle of
    // which a scale can show what cooking dropped has 12 more, and 12 for each point that it is cooked again from. An empty one has none.
    std::size_t byte_count() const;
    // Writes them where `out` has room for all, and returns how many: else 0.
    std::size_t write(std::span<std::byte> out) const;
    // From bytes of unknown origin. They are checked: format, version, sizes, a checksum, every index, that loops and edges close a
    // surface, and that this is convex, as flat as cooked faces are and of finite numbers. An error names the first fault and its place.
    static Expected<CookedHull> read(std::span<const std::byte> bytes);

    explicit CookedHull(std::unique_ptr<HullGeometry> geometry);  // the library's own
    const HullGeometry* geometry() const { return geometry_.get(); }

private:
    std::unique_ptr<HullGeometry> geometry_;
};

// The first half of ShapeStore::add_hull, with the same checks and errors. Any number of threads may cook at once.
ABUT_API Expected<CookedHull> cook_hull(std::span<const Vec3> points, const HullOptions& options = {});

}  // namespace abut
