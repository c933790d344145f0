// A point cloud is a compound of instances of one sphere.
#include <abut/point_cloud.hpp>

#include "base/memory.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/rollback.hpp"
#include "cooking/shape_checks.hpp"

namespace abut {

Expected<ShapeId> add_point_cloud(ShapeStore& store, std::span<const Vec3> points, float radius,
                                  const InstanceOptions& options) {
    return guarded_call([&]() -> Expected<ShapeId> {
        if (auto error = check_data("points", points)) return *error;
        if (points.empty()) return bad_shape("points is empty: a point cloud needs one at least");
        const auto ball = store.add_sphere(radius);
        if (!ball) return ball.error();
        const Rollback remove_ball([&] { store.remove(*ball); });
        Vector<CompoundChild> children;
        children.reserve(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (auto error = check_each(numbered("points", i).c_str(), points[i], check_finite)) return *error;
            children.push_back({*ball, points[i], {}});
        }
        return store.add_compound(children, options);
    });
}

}  // namespace abut
