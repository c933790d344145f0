// Embree 3: rtcIntersect1, and rtcIntersect8 for packets, in the mesh's frame; the robust mode, whose rays slip through no edge.
#include <cmath>

#include <embree3/rtcore.h>

#include "oracle/vec.hpp"
#include "rays/rivals.hpp"
#include "rivals/plain_frame.hpp"

namespace abut::rays {
namespace {

class Embree final : public RayRival {
public:
    Embree(const bench::PlainShape& shape, const RayScene& scene, bool packets) : packets_(packets) {
        device_ = rtcNewDevice("threads=1");
        scene_ = rtcNewScene(device_);
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
        const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* vertices =
            static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3), shape.vertices.size()));
        for (std::size_t i = 0; i < shape.vertices.size(); ++i)
            vertices[3 * i] = shape.vertices[i].x, vertices[3 * i + 1] = shape.vertices[i].y, vertices[3 * i + 2] = shape.vertices[i].z;
        auto* corners = static_cast<std::uint32_t*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(MeshTriangle), shape.triangles.size()));
        for (std::size_t i = 0; i < shape.triangles.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) corners[3 * i + k] = shape.triangles[i].corners[k];
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene_);
        const oracle::Pose pose = oracle::pose_of(scene.bodies[0]);
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            const oracle::Vec3d o = pose.rotation.back(oracle::Vec3d(scene.origins[i]) - pose.position);
            const oracle::Vec3d d = pose.rotation.back(oracle::Vec3d(scene.directions[i]));
            origins_.push_back({float(o.x), float(o.y), float(o.z)});
            directions_.push_back({float(d.x), float(d.y), float(d.z)});
        }
    }
    ~Embree() override {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }
    const char* name() const override { return packets_ ? "Embree, packets of 8" : "Embree"; }
    void run(std::vector<double>& fractions) override { packets_ ? run_packets(fractions) : run_single(fractions); }

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

    bool packets_;
    RTCDevice device_;
    RTCScene scene_;
    std::vector<Vec3> origins_, directions_;
};

}  // namespace

std::unique_ptr<RayRival> make_embree(const RayScene& scene, bool packets) {
    bench::PlainFrame plain;
    const Pair any[] = {{0, 0}};
    if (scene.bodies.size() != 1 || scene.bodies[0].shape.kind() != ShapeKind::mesh) return nullptr;
    if (!bench::read_frame({.shapes = &scene.shapes, .bodies = scene.bodies, .pairs = any}, plain, bench::Meshes::taken)) return nullptr;
    return std::make_unique<Embree>(plain.shapes[0], scene, packets);
}

}  // namespace abut::rays
