// Embree 3: rtcIntersect1, and rtcIntersect8 for packets, in the mesh's frame; the robust mode, whose rays slip through
// no edge. rtcPointQuery, whose callback measures a point and a triangle in floats [Ericson, Real-Time Collision
// Detection, 5.1.5].
#include <cmath>

#include <embree3/rtcore.h>

#include "queries/rays/rivals.hpp"
#include "rivals/plain_frame.hpp"
#include "support/oracle/vec.hpp"

namespace abut::rays {
namespace {

float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

// From the nearest point of a triangle.
Vec3 offset_from(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = minus(b, a), ac = minus(c, a), ap = minus(p, a), bp = minus(p, b), cp = minus(p, c);
    const auto past = [&](const Vec3& from, const Vec3& along, float by) {
        return minus(from, {along.x * by, along.y * by, along.z * by});
    };
    const float d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
                d6 = dot(ac, cp);
    if (d1 <= 0 && d2 <= 0) return ap;
    if (d3 >= 0 && d4 <= d3) return bp;
    if (d6 >= 0 && d5 <= d6) return cp;
    const float over_ab = d1 * d4 - d3 * d2, over_ac = d5 * d2 - d1 * d6, over_bc = d3 * d6 - d5 * d4;
    if (over_ab <= 0 && d1 >= 0 && d3 <= 0) return past(ap, ab, d1 / (d1 - d3));
    if (over_ac <= 0 && d2 >= 0 && d6 <= 0) return past(ap, ac, d2 / (d2 - d6));
    if (over_bc <= 0 && d4 >= d3 && d5 >= d6) return past(bp, minus(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const float sum = over_ab + over_ac + over_bc;
    return past(past(ap, ab, over_ac / sum), ac, over_ab / sum);
}

class Embree final : public RayRival {
public:
    Embree(const bench::PlainShape& shape, const RayScene& scene, EmbreeQuery query)
        : query_(query), triangles_(shape.triangles), vertices_(shape.vertices) {
        device_ = rtcNewDevice("threads=1");
        scene_ = rtcNewScene(device_);
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
        const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3), shape.vertices.size()));
        for (std::size_t i = 0; i < shape.vertices.size(); ++i)
            vertices[3 * i] = shape.vertices[i].x, vertices[3 * i + 1] = shape.vertices[i].y,
                         vertices[3 * i + 2] = shape.vertices[i].z;
        auto* corners = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(MeshTriangle), shape.triangles.size()));
        for (std::size_t i = 0; i < shape.triangles.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) corners[3 * i + k] = shape.triangles[i].corners[k];
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene_);
        const oracle::Pose pose = oracle::pose_of(scene.bodies[0]);
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            const oracle::Vec3d o = pose.rotation.back(oracle::Vec3d(scene.origins[i]) - pose.position);
            const oracle::Vec3d d =
                scene.directions.empty() ? oracle::Vec3d{} : pose.rotation.back(oracle::Vec3d(scene.directions[i]));
            origins_.push_back({float(o.x), float(o.y), float(o.z)});
            directions_.push_back({float(d.x), float(d.y), float(d.z)});
        }
    }
    ~Embree() override {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }
    const char* name() const override {
        return query_ == EmbreeQuery::single    ? "Embree"
               : query_ == EmbreeQuery::packets ? "Embree, packets of 8"
                                                : "Embree, point query";
    }
    void run(std::vector<double>& answers) override {
        query_ == EmbreeQuery::single    ? run_single(answers)
        : query_ == EmbreeQuery::packets ? run_packets(answers)
                                         : run_points(answers);
    }

private:
    void run_single(std::vector<double>& fractions) {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        for (std::size_t i = 0; i < origins_.size(); ++i) {
            RTCRayHit ray = {};
            ray.ray.org_x = origins_[i].x, ray.ray.org_y = origins_[i].y, ray.ray.org_z = origins_[i].z;
            ray.ray.dir_x = directions_[i].x, ray.ray.dir_y = directions_[i].y, ray.ray.dir_z = directions_[i].z;
            ray.ray.tfar = 1, ray.ray.mask = ~0u;
            ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene_, &context, &ray);
            fractions[i] = ray.hit.geomID == RTC_INVALID_GEOMETRY_ID ? 2.0 : double(ray.ray.tfar);
        }
    }
    void run_packets(std::vector<double>& fractions) {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        for (std::size_t i = 0; i < origins_.size(); i += 8) {
            RTCRayHit8 rays = {};
            alignas(32) int valid[8] = {};
            for (std::size_t k = 0; k < 8 && i + k < origins_.size(); ++k) {
                const Vec3 &o = origins_[i + k], &d = directions_[i + k];
                valid[k] = -1;
                rays.ray.org_x[k] = o.x, rays.ray.org_y[k] = o.y, rays.ray.org_z[k] = o.z;
                rays.ray.dir_x[k] = d.x, rays.ray.dir_y[k] = d.y, rays.ray.dir_z[k] = d.z;
                rays.ray.tfar[k] = 1, rays.ray.mask[k] = ~0u;
                rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
            }
            rtcIntersect8(valid, scene_, &context, &rays);
            for (std::size_t k = 0; k < 8 && i + k < origins_.size(); ++k)
                fractions[i + k] = rays.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID ? 2.0 : double(rays.ray.tfar[k]);
        }
    }

    void run_points(std::vector<double>& distances) {
        for (std::size_t i = 0; i < origins_.size(); ++i) {
            RTCPointQueryContext context;
            rtcInitPointQueryContext(&context);
            RTCPointQuery query = {origins_[i].x, origins_[i].y, origins_[i].z, 0, HUGE_VALF};
            rtcPointQuery(scene_, &query, &context, measure_triangle, this);
            distances[i] = double(query.radius);
        }
    }
    static bool measure_triangle(RTCPointQueryFunctionArguments* arguments) {
        const auto& self = *static_cast<const Embree*>(arguments->userPtr);
        RTCPointQuery& query = *arguments->query;
        const MeshTriangle& t = self.triangles_[arguments->primID];
        const Vec3 offset = offset_from({query.x, query.y, query.z}, self.vertices_[t.corners[0]],
                                        self.vertices_[t.corners[1]], self.vertices_[t.corners[2]]);
        const float distance = std::sqrt(dot(offset, offset));
        if (!(distance < query.radius)) return false;
        query.radius = distance;
        return true;
    }

    EmbreeQuery query_;
    std::vector<MeshTriangle> triangles_;
    std::vector<Vec3> vertices_;
    RTCDevice device_;
    RTCScene scene_;
    std::vector<Vec3> origins_, directions_;
};

}  // namespace

std::unique_ptr<RayRival> make_embree(const RayScene& scene, EmbreeQuery query) {
    bench::PlainFrame plain;
    const Pair any[] = {{0, 0}};
    if (scene.bodies.size() != 1 || scene.bodies[0].shape.kind() != ShapeKind::mesh) return nullptr;
    if (!bench::read_frame({.shapes = &scene.shapes, .bodies = scene.bodies, .pairs = any}, plain,
                           bench::Meshes::taken))
        return nullptr;
    return std::make_unique<Embree>(plain.shapes[0], scene, query);
}

}  // namespace abut::rays
