// See terrain.hpp.
#include "surfaces/contacts/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

namespace abut::ground {
namespace {

constexpr double kCircle = 6.283185307179586;

Vec3 to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

// Rows x columns cells whose vertices are `at(row, column)`; each cell is cut along either diagonal where `either` says
// so.
void add_grid(Terrain& out, std::uint32_t rows, std::uint32_t columns, Random* either,
              const std::function<Vec3d(std::uint32_t, std::uint32_t)>& at) {
    const auto first = std::uint32_t(out.vertices.size());
    for (std::uint32_t r = 0; r <= rows; ++r)
        for (std::uint32_t c = 0; c <= columns; ++c) out.vertices.push_back(to_float(at(r, c)));
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t a = first + r * (columns + 1) + c, b = a + columns + 1;
            const bool other = either != nullptr && either->chance(0.5);
            out.triangles.push_back(other ? MeshTriangle{{a, b, a + 1}} : MeshTriangle{{a, b, b + 1}});
            out.triangles.push_back(other ? MeshTriangle{{a + 1, b, b + 1}} : MeshTriangle{{a, b + 1, a + 1}});
        }
    }
}

double rounded(double value, int decimals) {
    if (decimals < 0) return value;
    const double step = std::pow(10.0, -decimals);
    return std::round(value / step) * step;
}

// Bumps and hollows of a relief in fixed positions about the site.
struct Bumps {
    struct Bump {
        double x, z, height, width;
    };
    std::vector<Bump> all;
    double phase_x, phase_z, yaw;

    Bumps(Random& random, double reach, double height) {
        phase_x = random.uniform(0, kCircle), phase_z = random.uniform(0, kCircle), yaw = random.uniform(0, kCircle);
        const double spacing = 0.35;
        const int count = 1 + int(reach * reach / (spacing * spacing));
        for (int i = 0; i < count; ++i) {
            const double x = random.uniform(-reach, reach), z = random.uniform(-reach, reach);
            const double h = height * random.uniform(0.3, 1), w = random.uniform(0.03, 0.12);
            all.push_back({x, z, h, w});
        }
    }
};

double height_at(const Relief& relief, const Bumps& bumps, double x, double z) {
    const double c = std::cos(bumps.yaw), s = std::sin(bumps.yaw), u = c * x + s * z, v = c * z - s * x;
    switch (relief.form) {
        case Relief::Form::flat: return 0;
        case Relief::Form::hill: {
            const double r = std::fabs(relief.radius), square = std::min(x * x + z * z, 0.9 * r * r);
            return (relief.radius > 0 ? -1 : 1) * square / (r + std::sqrt(r * r - square));
        }
        case Relief::Form::ramp: return relief.slope * u;
        case Relief::Form::waves:
            return relief.height * std::sin(kCircle * u / relief.length + bumps.phase_x) *
                   std::cos(kCircle * v / relief.length + bumps.phase_z);
        case Relief::Form::pebbles: {
            double most = 0;
            for (const Bumps::Bump& b : bumps.all) {
                const double square = ((x - b.x) * (x - b.x) + (z - b.z) * (z - b.z)) / (b.width * b.width);
                if (square < 1) most = std::max(most, b.height * (1 - square));
            }
            return most;
        }
        case Relief::Form::rough: return 0;
    }
    return 0;
}

}  // namespace

ShapeId Terrain::add(ShapeStore& store) const {
    HeightfieldOptions field;
    field.spacing_x = field.spacing_z = spacing;
    const Expected<ShapeId> id =
        rows > 0 ? store.add_heightfield(heights, rows, columns, {}, field) : store.add_mesh(vertices, triangles);
    if (id) return *id;
    std::fprintf(stderr, "abut_ground: %s\n", id.error().message.c_str());
    std::exit(2);
}

std::array<Vec3d, 3> Terrain::world_corners(std::size_t triangle) const {
    const oracle::Pose pose = oracle::pose_of(body);
    std::array<Vec3d, 3> out;
    for (std::size_t k = 0; k < 3; ++k)
        out[k] = pose.position + pose.rotation * Vec3d(vertices[triangles[triangle].corners[k]]);
    return out;
}

std::string Terrain::json() const {
    std::string out;
    if (rows > 0) {
        out = fmt::format(
            "{{\"shape\":\"heightfield\",\"rows\":{},\"columns\":{},\"spacing\":[{:.9g},{:.9g}],\"heights\":[", rows,
            columns, spacing, spacing);
        for (std::size_t i = 0; i < heights.size(); ++i) out += fmt::format("{}{:.9g}", i ? "," : "", heights[i]);
        return out + "]}";
    }
    out = "{\"shape\":\"mesh\",\"vertices\":[";
    for (std::size_t i = 0; i < vertices.size(); ++i)
        out += fmt::format("{}[{:.9g},{:.9g},{:.9g}]", i ? "," : "", vertices[i].x, vertices[i].y, vertices[i].z);
    out += "],\"triangles\":[";
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const std::uint32_t* c = triangles[i].corners;
        out += fmt::format("{}[{},{},{}]", i ? "," : "", c[0], c[1], c[2]);
    }
    return out + "]}";
}

Terrain make_relief(Random& random, const Extent& extent, const Relief& relief) {
    Terrain out;
    out.site = extent.site;
    const auto half = std::uint32_t(std::ceil(extent.reach / relief.cell)) + 1;
    const Bumps bumps(random, extent.reach, relief.height);
    const double off_x = relief.cell * random.uniform(-0.5, 0.5), off_z = relief.cell * random.uniform(-0.5, 0.5);
    const auto height = [&](double x, double z) {
        const double own =
            relief.form == Relief::Form::rough ? relief.height * random.uniform(-1, 1) : height_at(relief, bumps, x, z);
        return own + (relief.noise > 0 ? relief.noise * random.uniform(-1, 1) : 0);
    };
    if (relief.form == Relief::Form::ramp) {
        const double c = std::cos(bumps.yaw), s = std::sin(bumps.yaw);
        out.up = normalised(Vec3d{-relief.slope * c, 1, -relief.slope * s});
    }
    if (relief.is_field) {
        out.rows = out.columns = 2 * half + 1;
        out.spacing = float(relief.cell);
        // The first sample is the body's origin.
        const Vec3d origin =
            extent.site + Vec3d{off_x - half * double(out.spacing), 0, off_z - half * double(out.spacing)};
        out.body.position = to_float(origin);
        for (std::uint32_t r = 0; r < out.rows; ++r)
            for (std::uint32_t c = 0; c < out.columns; ++c) {
                const float x = float(c) * out.spacing, z = float(r) * out.spacing;
                const Vec3d from_site = Vec3d(out.body.position) + Vec3d{x, 0, z} - extent.site;
                out.heights.push_back(float(rounded(height(from_site.x, from_site.z), relief.decimals)));
            }
        add_grid(out, out.rows - 1, out.columns - 1, nullptr, [&](std::uint32_t r, std::uint32_t c) {
            return Vec3d{float(c) * out.spacing, out.heights[r * out.columns + c], float(r) * out.spacing};
        });
        return out;
    }
    // Half of the meshes are about their own origin, half far from it.
    const bool is_local = random.chance(0.5);
    if (is_local) out.body.position = to_float(extent.site);
    const Vec3d shift = is_local ? Vec3d{} : extent.site, body_at(out.body.position);
    out.site = body_at + (is_local ? Vec3d{} : extent.site);
    add_grid(out, 2 * half, 2 * half, &random, [&](std::uint32_t r, std::uint32_t c) {
        double x = off_x + (double(c) - half) * relief.cell, z = off_z + (double(r) - half) * relief.cell;
        x += relief.jitter * relief.cell * random.uniform(-1, 1);
        z += relief.jitter * relief.cell * random.uniform(-1, 1);
        const double y = height(x, z);
        return Vec3d{rounded(shift.x + x, relief.decimals), rounded(shift.y + y, relief.decimals),
                     rounded(shift.z + z, relief.decimals)};
    });
    return out;
}

// --- ground of few triangles ---

Terrain make_ridge(Random& random, const Extent& extent) {
    Terrain out;
    out.site = extent.site;
    const double yaw = random.uniform(0, kCircle), c = std::cos(yaw), s = std::sin(yaw), w = 2 * extent.reach;
    const double beside = 0.15 * extent.reach * random.uniform(-1, 1);
    const double left = std::pow(10.0, random.uniform(-2.3, -0.7)), right = std::pow(10.0, random.uniform(-2.3, -0.7));
    const auto at = [&](double u, double v) {
        const double y = -(u < 0 ? left : right) * std::fabs(u), across = u + beside;
        return to_float(extent.site + Vec3d{c * across - s * v, y, s * across + c * v});
    };
    if (random.chance(0.5)) {
        out.vertices = {at(0, -w), at(0, w), at(-w, 0), at(w, 0)};
        out.triangles = {{{0, 2, 1}}, {{0, 1, 3}}};
    } else {
        out.vertices = {at(0, -w), at(0, w), at(-w, -w), at(-w, w), at(w, -w), at(w, w)};
        out.triangles = {{{0, 2, 3}}, {{0, 3, 1}}, {{0, 1, 5}}, {{0, 5, 4}}};
    }
    return out;
}

Terrain make_pit(Random& random, const Extent& extent) {
    Terrain out;
    out.site = extent.site;
    const std::uint32_t around = 3 + random.below(8), rings = 1 + random.below(3);
    const double first = random.uniform(0, kCircle), beside = 0.1 * extent.reach;
    const double x = beside * random.uniform(-1, 1), z = beside * random.uniform(-1, 1);
    out.vertices.push_back(to_float(extent.site + Vec3d{x, 0, z}));
    double radius = 0, height = 0, slope = random.uniform(0.0, 0.1);
    for (std::uint32_t r = 0; r < rings; ++r) {
        const double wide = (r + 1 == rings ? 2.5 : random.uniform(0.1, 0.4)) * extent.reach;
        radius += wide, height += slope * wide, slope += random.uniform(0.02, 0.4);
        for (std::uint32_t k = 0; k < around; ++k) {
            const double yaw = first + kCircle * k / around;
            out.vertices.push_back(
                to_float(extent.site + Vec3d{x + radius * std::cos(yaw), height, z + radius * std::sin(yaw)}));
        }
    }
    for (std::uint32_t r = 0; r < rings; ++r) {
        for (std::uint32_t k = 0; k < around; ++k) {
            const std::uint32_t next = (k + 1) % around, a = 1 + r * around + k, b = 1 + r * around + next;
            if (r == 0) {
                out.triangles.push_back({{0, b, a}});
                continue;
            }
            out.triangles.push_back({{a - around, b - around, b}});
            out.triangles.push_back({{a - around, b, a}});
        }
    }
    return out;
}

// --- flat ground ---

const char* name_of(Floor floor) {
    constexpr const char* kNames[] = {"grid", "random diagonals", "random vertices", "T-junctions", "large triangles"};
    return kNames[int(floor)];
}

namespace {

// A square cut into quarters here and there: T-junctions at most borders.
void add_quarters(Terrain& out, Random& random, double x, double z, double width, double cell) {
    if (width > 4 * cell || (width > 0.75 * cell && random.chance(0.6))) {
        for (const double dx : {0.0, 0.5 * width})
            for (const double dz : {0.0, 0.5 * width}) add_quarters(out, random, x + dx, z + dz, 0.5 * width, cell);
        return;
    }
    const auto first = std::uint32_t(out.vertices.size());
    for (const Vec3d& v :
         {Vec3d{x, 0, z}, Vec3d{x, 0, z + width}, Vec3d{x + width, 0, z + width}, Vec3d{x + width, 0, z}})
        out.vertices.push_back(to_float(v));
    const std::uint32_t start = random.below(2);
    for (const std::uint32_t k : {start, start + 2})
        out.triangles.push_back({{first + k, first + (k + 1) % 4, first + (k + 2) % 4}});
}

}  // namespace

Terrain make_floor(Random& random, const Extent& extent, Floor floor, double cell) {
    Terrain out;
    out.site = extent.site;
    const auto half = std::uint32_t(std::ceil(extent.reach / cell)) + 1;
    const double off_x = cell * random.uniform(-0.5, 0.5), off_z = cell * random.uniform(-0.5, 0.5);
    const double moved = floor == Floor::random_vertices ? 0.45 : 0;
    const auto at = [&](std::uint32_t r, std::uint32_t c) {
        const double dx = moved * random.uniform(-1, 1), dz = moved * random.uniform(-1, 1);
        return extent.site + Vec3d{off_x + (double(c) - half + dx) * cell, 0, off_z + (double(r) - half + dz) * cell};
    };
    if (floor == Floor::large_triangles) {  // two of them
        const double w = 4 * extent.reach, skew = random.uniform(-0.5, 0.5) * w;
        const Vec3d corners[] = {{-w, 0, -w}, {-w + skew, 0, w}, {w + skew, 0, w}, {w, 0, -w}};
        const double x = random.uniform(-0.5, 0.5) * extent.reach, z = random.uniform(-0.5, 0.5) * extent.reach;
        for (const Vec3d& v : corners) out.vertices.push_back(to_float(extent.site + v + Vec3d{x, 0, z}));
        out.triangles = {{{0, 1, 2}}, {{0, 2, 3}}};
    } else if (floor == Floor::junctions) {
        double width = cell;
        while (width < 2 * extent.reach + 2 * cell) width *= 2;
        add_quarters(out, random, extent.site.x + off_x - 0.5 * width, extent.site.z + off_z - 0.5 * width, width,
                     cell);
    } else {
        add_grid(out, 2 * half, 2 * half, floor == Floor::grid ? nullptr : &random, at);
    }
    return out;
}

// --- hard ground ---

namespace {

void add_soup(Terrain& out, Random& random, double reach, double cell) {
    const int count = 30 + int(random.below(60));
    for (int i = 0; i < count; ++i) {
        const auto first = std::uint32_t(out.vertices.size());
        const double x = random.uniform(-reach, reach), y = random.uniform(-0.3, 0.1) * reach,
                     z = random.uniform(-reach, reach);
        for (int k = 0; k < 3; ++k) {
            const Vec3d d = random.direction() * (2 * cell);
            out.vertices.push_back(to_float(Vec3d{x, y, z} + d));
        }
        out.triangles.push_back({{first, first + 1, first + 2}});
    }
}

// Stairs along x, with walls, whose treads are cut as finely as `cell` says.
void add_steps(Terrain& out, Random& random, double reach, double cell) {
    const double tread = random.uniform(0.5, 3) * cell, rise = random.uniform(0.1, 1) * tread;
    const int half = int(std::ceil(reach / tread)), across = std::max(1, int(std::ceil(reach / cell)));
    for (int i = -half; i < half; ++i) {
        const double x0 = i * tread, x1 = x0 + tread, y0 = i * rise, y1 = y0 + rise;
        const Vec3d profile[][2] = {{{x0, y0, 0}, {x1, y0, 0}}, {{x1, y0, 0}, {x1, y1, 0}}};
        for (const auto& part : profile) {
            add_grid(out, std::uint32_t(2 * across), 1, &random, [&](std::uint32_t r, std::uint32_t c) {
                const Vec3d p = part[c];
                return Vec3d{p.x, p.y, (double(r) - across) * cell};
            });
        }
    }
}

// Fans of triangles whose heights are 1e-3 to 1e-5 of their length, on slopes.
void add_slivers(Terrain& out, Random& random, double reach) {
    const int count = 2 + int(random.below(12));
    for (int i = 0; i < count; ++i) {
        const auto first = std::uint32_t(out.vertices.size());
        const double yaw = random.uniform(0, kCircle), length = random.uniform(0.5, 2.5) * reach;
        const double height = length * std::pow(10.0, random.uniform(-5, -3));
        const Vec3d along{std::cos(yaw), random.uniform(-0.3, 0.3), std::sin(yaw)},
            across{-std::sin(yaw), 0, std::cos(yaw)};
        const double x = 0.4 * reach * random.uniform(-1, 1), y = -0.1 * reach * random.uniform(),
                     z = 0.4 * reach * random.uniform(-1, 1);
        const Vec3d middle{x, y, z}, third = along * (length * random.uniform(-0.5, 0.5));
        out.vertices.push_back(to_float(middle - along * (0.5 * length)));
        out.vertices.push_back(to_float(middle - across * height + third));
        out.vertices.push_back(to_float(middle + along * (0.5 * length)));
        out.triangles.push_back({{first, first + 2, first + 1}});
        const MeshTriangle& t = out.triangles.back();
        const Vec3d a(out.vertices[t.corners[0]]), b(out.vertices[t.corners[1]]), c(out.vertices[t.corners[2]]);
        if (cross(b - a, c - a).y < 0) out.triangles.back() = {{first, first + 1, first + 2}};
    }
    // A plane below, at a depth that some bodies reach.
    add_grid(out, 4, 4, nullptr, [&](std::uint32_t r, std::uint32_t c) {
        return Vec3d{(double(c) - 2) * reach, -0.15 * reach, (double(r) - 2) * reach};
    });
}

// Balls and cones of triangles: many normals in touch with a large body.
void add_spikes(Terrain& out, Random& random, double reach, double cell) {
    const int count = 1 + int(random.below(4));
    for (int i = 0; i < count; ++i) {
        const auto first = std::uint32_t(out.vertices.size());
        const double x = 0.7 * reach * random.uniform(-1, 1), z = 0.7 * reach * random.uniform(-1, 1),
                     radius = random.uniform(0.5, 2) * cell;
        const bool is_cone = random.chance(0.3), is_spiky = random.chance(0.7);
        const std::uint32_t around = 12 + random.below(12), rings = is_cone ? 1 : 8;
        for (std::uint32_t r = 0; r <= rings; ++r) {
            for (std::uint32_t k = 0; k < around; ++k) {
                const double up = is_cone ? (r == 0 ? -0.1 : -1) * radius
                                          : std::cos(0.5 * kCircle * (r + 0.5) / (rings + 1)) * radius;
                const double out_by =
                    is_cone ? (r == 0 ? 0.02 : 1) * radius : std::sin(0.5 * kCircle * (r + 0.5) / (rings + 1)) * radius;
                const double much = is_spiky && (r + k) % 2 == 0 ? random.uniform(1.0, 1.3) : 1,
                             yaw = kCircle * k / around;
                out.vertices.push_back(to_float(
                    {x + much * out_by * std::cos(yaw), much * up - 0.5 * radius, z + much * out_by * std::sin(yaw)}));
            }
        }
        for (std::uint32_t r = 0; r < rings; ++r) {
            for (std::uint32_t k = 0; k < around; ++k) {
                const std::uint32_t next = (k + 1) % around, a = first + r * around + k, b = first + r * around + next;
                out.triangles.push_back({{a, b, a + around}});
                out.triangles.push_back({{b, b + around, a + around}});
            }
        }
        const auto apex = std::uint32_t(out.vertices.size());
        out.vertices.push_back(to_float({x, (is_cone ? 0.0 : 1.0) * radius - 0.5 * radius, z}));
        for (std::uint32_t k = 0; k < around; ++k)
            out.triangles.push_back({{apex, first + (k + 1) % around, first + k}});
    }
}

}  // namespace

Terrain make_hard(Random& random, const Extent& extent, Hard hard, double cell) {
    Terrain out;
    switch (hard) {
        case Hard::rough: {
            Relief relief;
            relief.form = Relief::Form::rough, relief.cell = cell, relief.height = cell * random.uniform(0.05, 0.5);
            relief.is_field = random.chance(0.3);
            return make_relief(random, extent, relief);
        }
        case Hard::pebbles: {
            Relief relief;
            relief.form = Relief::Form::pebbles, relief.cell = 0.25 * cell,
            relief.height = cell * random.uniform(0.1, 0.5);
            return make_relief(random, extent, relief);
        }
        case Hard::soup: add_soup(out, random, extent.reach, cell); break;
        case Hard::steps: add_steps(out, random, extent.reach, cell); break;
        case Hard::slivers: add_slivers(out, random, extent.reach); break;
        case Hard::spikes: add_spikes(out, random, extent.reach, cell); break;
    }
    out.body.position = to_float(extent.site);
    out.site = extent.site;
    return out;
}

}  // namespace abut::ground
