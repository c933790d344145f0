// See measure.hpp. A row's configurations at all levels of noise are one batch.
#include "studies/steady/measure.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include <abut/abut.hpp>

#include "studies/steady/bullet.hpp"

namespace abut::steady {
namespace {

using oracle::Vec3d;

// Pair i is configuration i / kNoiseCount at level i % kNoiseCount. Its lower body is 2 i, its upper 2 i + 1.
struct Batch {
    ShapeStore shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<float> margins;
    std::vector<Noise> noises;
    std::vector<WarmCache> caches;
    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs, .margins = margins}; }
};

// Shapes depend on the size alone.
struct Shapes {
    double size = 0;
    ShapeId lower, upper;
};

Batch make_batch(const Row& row, const Plan& plan) {
    Batch batch;
    std::vector<Shapes> known;
    for (const Configuration& c : row.configurations) {
        auto shapes = std::find_if(known.begin(), known.end(), [&](const Shapes& s) { return s.size == c.size; });
        if (shapes == known.end())
            shapes = known.insert(known.end(), {c.size, add(batch.shapes, c.lower), add(batch.shapes, c.upper)});
        for (std::size_t level = 0; level < kNoiseCount; ++level) {
            const auto lower = std::uint32_t(batch.bodies.size()), upper = lower + 1;
            batch.bodies.push_back({c.lower_body.position, shapes->lower, c.lower_body.orientation});
            batch.bodies.push_back({c.upper_body.position, shapes->upper, c.upper_body.orientation});
            batch.pairs.push_back(c.swapped ? Pair{upper, lower} : Pair{lower, upper});
            batch.margins.push_back(c.margin());
            batch.noises.emplace_back(row, c, level, plan.mode, plan.seed);
        }
    }
    batch.caches.resize(batch.pairs.size());
    return batch;
}

void move(Batch& batch) {
    for (std::size_t i = 0; i < batch.noises.size(); ++i) {
        Body& body = batch.bodies[2 * i + 1];
        const Body next = batch.noises[i].next();
        body.position = next.position;
        body.orientation = next.orientation;
    }
}

void see(const Batch& batch, const Manifolds& manifolds, std::vector<Tracker>& trackers) {
    std::vector<Sighting> sightings;
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
        sightings.clear();
        const Vec3d origin(batch.bodies[batch.pairs[i].a].position);
        for (std::uint32_t m = manifolds.first_manifold[i]; m < manifolds.first_manifold[i + 1]; ++m) {
            const Manifold& manifold = manifolds.manifolds[m];
            for (std::uint32_t k = 0; k < manifold.contact_count; ++k) {
                const Contact& contact = manifolds.contacts[manifold.first_contact + k];
                const std::uint64_t children = std::uint64_t(manifold.child_a) << 16 | manifold.child_b;
                sightings.push_back({children << 32 | contact.feature, origin + Vec3d(contact.position)});
            }
        }
        trackers[i].see(sightings);
    }
}

std::vector<Tracker> make_trackers(const Row& row) {
    std::vector<Tracker> trackers;
    for (const Configuration& c : row.configurations)
        trackers.insert(trackers.end(), kNoiseCount, {c.up, c.size, kBreakingShare * c.size});
    return trackers;
}

std::optional<BulletPairs> make_bullet(const Row& row, const Plan& plan) {
    std::optional<BulletPairs> bullet;
    if (!plan.bullet || !has_bullet()) return bullet;
    bullet.emplace();
    for (const Configuration& c : row.configurations)
        for (std::size_t level = 0; level < kNoiseCount; ++level) bullet->add(c);
    return bullet;
}

void gather(RowOutcome& out, const std::vector<Tracker> (&trackers)[kStarts], const std::vector<double>& bullet) {
    out.outcomes.resize(out.row.configurations.size());
    for (std::size_t i = 0; i < trackers[kCold].size(); ++i) {
        Outcome& outcome = out.outcomes[i / kNoiseCount];
        for (std::size_t start = 0; start < kStarts; ++start)
            outcome.abut[start][i % kNoiseCount] = trackers[start][i].figures();
        if (!bullet.empty()) outcome.bullet[i % kNoiseCount] = bullet[i];
    }
}

}  // namespace

RowOutcome measure(const Row& row, const Plan& plan) {
    RowOutcome out{row, {}, {}};
    Batch batch = make_batch(row, plan);
    std::optional<BulletPairs> bullet = make_bullet(row, plan);
    std::vector<Tracker> trackers[kStarts] = {make_trackers(row), make_trackers(row)};
    NarrowPhase narrow({.executor = serial_executor(), .isa = plan.isa});
    Manifolds manifolds;
    std::vector<Body> upper(batch.pairs.size());
    for (std::size_t f = 0; f < plan.frames; ++f) {
        move(batch);
        for (std::size_t start = 0; start < kStarts; ++start) {
            Frame frame = batch.frame();
            if (start == kWarm) frame.caches = batch.caches;
            if (const CallResult result = narrow.collide(frame, manifolds); !result) {
                out.trouble = result.error().message;
                return out;
            }
            see(batch, manifolds, trackers[start]);
        }
        for (std::size_t i = 0; i < upper.size(); ++i) upper[i] = batch.bodies[2 * i + 1];
        if (bullet) bullet->step(upper);
    }
    gather(out, trackers, bullet ? bullet->kept() : std::vector<double>());
    return out;
}

std::vector<RowOutcome> measure(const std::vector<Row>& rows, const Plan& plan, unsigned threads) {
    std::vector<RowOutcome> outcomes(rows.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i; (i = next++) < rows.size();) outcomes[i] = measure(rows[i], plan);
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < (threads ? threads : std::max(std::thread::hardware_concurrency(), 1u)); ++i)
        others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    return outcomes;
}

}  // namespace abut::steady
