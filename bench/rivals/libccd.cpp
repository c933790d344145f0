// libccd 2.1: GJK with EPA, and MPR. It gives no gap between shapes that are apart, so no separation and no signed
// distance.
#include <limits>
#include <memory>
#include <vector>

#include <ccd/ccd.h>

#include "rivals/rival.hpp"
#include "rivals/support.hpp"

namespace abut::bench {
namespace {

struct Object {
    const SupportShape<double>* shape;
    double rotation[9];  // row-major, local to world
    double position[3];
};

struct World {
    std::vector<SupportShape<double>> shapes;
    std::vector<Object> objects;
    std::vector<Pair> pairs;
    ccd_t settings;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const Object& o = *static_cast<const Object*>(object);
    const double *r = o.rotation, *d = direction->v;
    double local[3];
    o.shape->full(r[0] * d[0] + r[3] * d[1] + r[6] * d[2], r[1] * d[0] + r[4] * d[1] + r[7] * d[2],
                  r[2] * d[0] + r[5] * d[1] + r[8] * d[2], local);
    for (int i = 0; i < 3; ++i) {
        out->v[i] = r[3 * i] * local[0] + r[3 * i + 1] * local[1] + r[3 * i + 2] * local[2] + o.position[i];
    }
}

void centre(const void* object, ccd_vec3_t* out) {
    const Object& o = *static_cast<const Object*>(object);
    const double *r = o.rotation, *c = o.shape->centre;
    for (int i = 0; i < 3; ++i) out->v[i] = r[3 * i] * c[0] + r[3 * i + 1] * c[1] + r[3 * i + 2] * c[2] + o.position[i];
}

Object pose(const SupportShape<double>& shape, const Body& body) {
    const double x = body.orientation.x, y = body.orientation.y, z = body.orientation.z, w = body.orientation.w;
    return {&shape,
            {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w),
             1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w),
             1 - 2 * (x * x + y * y)},
            {body.position.x, body.position.y, body.position.z}};
}

void* prepare(const Frame& frame, Query) {
    PlainFrame plain;
    if (!read_frame(frame, plain)) return nullptr;
    auto world = std::make_unique<World>();
    for (const PlainShape& shape : plain.shapes) {
        if (shape.view.kind == ShapeKind::halfspace) return nullptr;  // it has no support function
        world->shapes.emplace_back(shape);
    }
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
        world->objects.push_back(pose(world->shapes[plain.shape_of[i]], plain.bodies[i]));
    }
    world->pairs = std::move(plain.pairs);
    CCD_INIT(&world->settings);
    world->settings.support1 = world->settings.support2 = support;
    world->settings.center1 = world->settings.center2 = centre;
    world->settings.max_iterations = 200;  // its default is none at all, and it does cycle
    return world.release();
}

template <auto kIntersect>
void run_overlap(void* opaque, Answers& out) {
    const World& world = *static_cast<const World*>(opaque);
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Pair pair = world.pairs[i];
        out.hit[i] = kIntersect(&world.objects[pair.a], &world.objects[pair.b], &world.settings) != 0;
    }
}

template <auto kPenetration>
void run_collide(void* opaque, Answers& out) {
    const World& world = *static_cast<const World*>(opaque);
    for (std::size_t i = 0; i < world.pairs.size(); ++i) {
        const Pair pair = world.pairs[i];
        double depth = 0;
        ccd_vec3_t direction = {}, position = {};
        const bool hit = kPenetration(&world.objects[pair.a], &world.objects[pair.b], &world.settings, &depth,
                                      &direction, &position) == 0;
        out.hit[i] = hit;
        out.contacts[i] = hit;
        out.signed_distance[i] = hit ? float(-depth) : std::numeric_limits<float>::infinity();
        out.normal[i] = {float(direction.v[0]), float(direction.v[1]), float(direction.v[2])};
        out.point_a[i] = {float(position.v[0]), float(position.v[1]), float(position.v[2])};
    }
}

void release(void* world) { delete static_cast<World*>(world); }

constexpr Rival kRivals[] = {
    {"libccd", "gjk", bit(Query::overlap), prepare, run_overlap<ccdGJKIntersect>, release},
    {"libccd", "mpr", bit(Query::overlap), prepare, run_overlap<ccdMPRIntersect>, release},
    {"libccd", "gjk-epa", bit(Query::collide), prepare, run_collide<ccdGJKPenetration>, release},
    {"libccd", "mpr", bit(Query::collide), prepare, run_collide<ccdMPRPenetration>, release},
};

}  // namespace

std::span<const Rival> libccd_rivals() { return kRivals; }

}  // namespace abut::bench
