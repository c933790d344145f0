// FCL 0.7: continuousCollide of interpolated motions by conservative advancement, in double.
#include <exception>

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/continuous_collision.h>

#include "queries/casts/rivals.hpp"
#include "rivals/plain_frame.hpp"

namespace abut::casts {
namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry make_shape(const bench::PlainShape& shape) {
    const ShapeView& view = shape.view;
    switch (view.kind) {
        case ShapeKind::sphere: return std::make_shared<fcl::Sphered>(view.radius);
        case ShapeKind::capsule: return std::make_shared<fcl::Capsuled>(view.radius, 2 * view.half_height);
        case ShapeKind::cylinder: return std::make_shared<fcl::Cylinderd>(view.radius, 2 * view.half_height);
        case ShapeKind::cone: return std::make_shared<fcl::Coned>(view.radius, 2 * view.half_height);
        case ShapeKind::box:
            return std::make_shared<fcl::Boxd>(2 * view.half_extents.x, 2 * view.half_extents.y,
                                               2 * view.half_extents.z);
        case ShapeKind::hull: break;
        default: return nullptr;
    }
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Vec3 v : shape.vertices) vertices->emplace_back(double(v.x), double(v.y), double(v.z));
    auto faces = std::make_shared<std::vector<int>>();
    const std::size_t face_count = shape.face_first.size() - 1;
    for (std::size_t f = 0; f < face_count; ++f) {
        faces->push_back(int(shape.face_first[f + 1] - shape.face_first[f]));
        for (std::size_t i = shape.face_first[f]; i < shape.face_first[f + 1]; ++i) faces->push_back(shape.loop[i]);
    }
    return std::make_shared<fcl::Convexd>(vertices, int(face_count), faces);
}

// FCL's capsules, cylinders and cones are along z, abut's along y.
fcl::Transform3d transform_of(const Body& body, ShapeKind kind) {
    const Quat& q = body.orientation;
    fcl::Transform3d out = fcl::Transform3d::Identity();
    fcl::Quaterniond turned(q.w, q.x, q.y, q.z);
    turned.normalize();
    if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone)
        turned = turned * fcl::Quaterniond(Eigen::AngleAxisd(-0.5 * 3.14159265358979323846, fcl::Vector3d::UnitX()));
    out.linear() = turned.toRotationMatrix();
    out.translation() = fcl::Vector3d(body.position.x, body.position.y, body.position.z);
    return out;
}

class Fcl final : public CastRival {
public:
    Fcl(const bench::PlainFrame& plain, const MotionScene& motions) : pairs_(plain.pairs) {
        for (const bench::PlainShape& shape : plain.shapes) shapes_.push_back(make_shape(shape));
        for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
            const ShapeKind kind = plain.shapes[plain.shape_of[i]].view.kind;
            starts_.push_back(transform_of(plain.bodies[i], kind)),
                ends_.push_back(transform_of(motions.ends[i], kind));
            shape_of_.push_back(shapes_[plain.shape_of[i]].get());
        }
    }
    bool is_complete() const {
        for (const Geometry& shape : shapes_)
            if (!shape) return false;
        return true;
    }
    const char* name() const override { return "FCL, advancement"; }
    void run(std::vector<double>& times) override {
        const fcl::ContinuousCollisionRequestd request(100, 1e-4, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
                                                       fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const std::uint32_t a = pairs_[i].a, b = pairs_[i].b;
            fcl::ContinuousCollisionResultd result;
            try {
                fcl::continuousCollide(shape_of_[a], starts_[a], ends_[a], shape_of_[b], starts_[b], ends_[b], request,
                                       result);
                times[i] = result.is_collide ? result.time_of_contact : 2.0;
            } catch (const std::exception&) {
                times[i] = 2.0;
            }
        }
    }

private:
    std::vector<Geometry> shapes_;
    std::vector<const fcl::CollisionGeometryd*> shape_of_;
    std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> starts_, ends_;
    std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<CastRival> make_fcl(const MotionScene& motions) {
    bench::PlainFrame plain;
    if (!bench::read_frame(motions.scene.frame(), plain)) return nullptr;
    auto made = std::make_unique<Fcl>(plain, motions);
    if (!made->is_complete()) return nullptr;
    return made;
}

}  // namespace abut::casts
