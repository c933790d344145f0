// See rivals.hpp. Any contact is enough for an overlap.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "surfaces/distances/rivals.hpp"

namespace abut::surfaces {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::unique_ptr<Model> make_model(const Mesh& mesh) {
    auto model = std::make_unique<Model>();
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3 v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
    for (const MeshTriangle& t : mesh.triangles) triangles.emplace_back(t.corners[0], t.corners[1], t.corners[2]);
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

fcl::Transform3d transform_of(const Body& body) {
    const Quat q = body.orientation;
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
    transform.translation() = fcl::Vector3d(body.position.x, body.position.y, body.position.z);
    return transform;
}

class Fcl final : public SurfaceRival {
public:
    Fcl(const Mesh& first, const Mesh& second) : first_(make_model(first)), second_(make_model(second)) {}

    void overlap(const std::vector<Body>& bodies, std::vector<double>& hits) override {
        const fcl::CollisionRequestd request(1, false);
        for (std::size_t i = 0; i < hits.size(); ++i) {
            fcl::CollisionResultd result;
            hits[i] = fcl::collide(first_.get(), transform_of(bodies[2 * i]), second_.get(),
                                   transform_of(bodies[2 * i + 1]), request, result) != 0;
        }
    }
    void distance(const std::vector<Body>& bodies, std::vector<double>& distances) override {
        const fcl::DistanceRequestd request(true);
        for (std::size_t i = 0; i < distances.size(); ++i) {
            fcl::DistanceResultd result;
            distances[i] = fcl::distance(first_.get(), transform_of(bodies[2 * i]), second_.get(),
                                         transform_of(bodies[2 * i + 1]), request, result);
        }
    }

private:
    std::unique_ptr<Model> first_, second_;
};

}  // namespace

std::unique_ptr<SurfaceRival> make_fcl(const Mesh& first, const Mesh& second) {
    return std::make_unique<Fcl>(first, second);
}

}  // namespace abut::surfaces
