// The signed distance is a convex function of B's position, so that Newton's method from far away along a line falls
// monotonically onto the outermost place with the wanted value; on polytopes, whose distance is linear piece by piece
// when they overlap, in a few steps exactly.
#include "scenes/placing.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace abut::scenes {

namespace {

// A half-space's distance is linear, and has any value somewhere along a direction that is not along its plane.
double place_at_plane(const oracle::Solid& a, const oracle::Pose& pose_a, const oracle::Solid& b,
                      const oracle::Pose& pose_b, const oracle::Vec3d& direction, double wanted) {
    const oracle::Exact exact = oracle::signed_distance(a, pose_a, b, pose_b);
    const double slope = dot(exact.normal, direction);
    return std::fabs(slope) < 0.1 ? -1 : (wanted - exact.signed_distance) / slope;
}

}  // namespace

double place(const oracle::Solid& a, const Quat& orientation_a, const oracle::Solid& b, const Quat& orientation_b,
             const oracle::Vec3d& direction, double wanted) {
    constexpr int kMaxSteps = 40;
    const oracle::Pose pose_a{{}, oracle::rotation_of(orientation_a)};
    oracle::Pose pose_b{{}, oracle::rotation_of(orientation_b)};
    if (a.form == oracle::Form::halfspace || b.form == oracle::Form::halfspace)
        return place_at_plane(a, pose_a, b, pose_b, direction, wanted);
    double along = a.reach + b.reach + std::max(wanted, 0.0);
    oracle::Vec3d hint = direction;
    for (int step = 0; step < kMaxSteps; ++step) {
        pose_b.position = direction * along;
        const oracle::Exact exact = oracle::signed_distance(a, pose_a, b, pose_b, &hint);
        const double excess = exact.signed_distance - wanted, slope = dot(exact.normal, direction);
        if (std::fabs(excess) <= 1e-6 * std::min(a.size, b.size) || excess < 0) return along;
        if (slope < 1e-3) return -1;
        along -= excess / slope;
        hint = exact.normal;
        if (along < 0) return -1;
    }
    return along;
}

void on_all_cores(std::size_t count, const std::function<void(std::size_t first, std::size_t last)>& body) {
    constexpr std::size_t kGrain = 64;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t first; (first = next.fetch_add(kGrain)) < count;) body(first, std::min(first + kGrain, count));
    };
#if defined(__MINGW32__)
    // mingw-w64 frees a thread's thread_local objects before it runs their destructors, and the oracle has such
    // objects.
    const unsigned cores = 1;
#else
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1u);
#endif
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < cores; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
}

}  // namespace abut::scenes
