// Time is taken around dispatchAllCollisionPairs, Bullet's and the adapter's alike; all else is looked at between
// steps.
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <time.h>

#include <btBulletDynamicsCommon.h>

#include "adapter.hpp"
#include "scenes/asleep.hpp"
#include "simulation.hpp"

namespace abut::tools {
namespace {

constexpr double kStep = 1.0 / 60.0;
constexpr double kLies = 0.7071;                        // cosine of the angle between a domino's axis and upright
constexpr double kOut = -20.0;                          // metres: below this a body has left the scene
constexpr double kRestSpeed = 0.05, kRestSpin = 0.1;    // m/s, rad/s
constexpr double kOtherNormal = 0.985, kSame = 0.9986;  // cosines of 10 and 3 degrees

double now(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// With one thread: its own time, so that whatever else runs on the machine does not count; where that is short, the
// wall's, which is cheaper to ask.
class Stopwatch {
public:
    explicit Stopwatch(bool one_thread) : one_thread_(one_thread) {}
    double seconds() const {
        const double wall = now(CLOCK_MONOTONIC) - wall_;
        return one_thread_ ? std::min(wall, now(CLOCK_THREAD_CPUTIME_ID) - own_) : wall;
    }

private:
    bool one_thread_;
    double own_ = now(CLOCK_THREAD_CPUTIME_ID), wall_ = now(CLOCK_MONOTONIC);
};

struct Dispatch {
    std::size_t pairs;
    double seconds, collect_seconds = 0, call_seconds = 0, write_seconds = 0;
};

struct Log {
    bool one_thread;
    std::vector<Dispatch> dispatches;
};

class TimedBullet final : public btCollisionDispatcher {
public:
    TimedBullet(btCollisionConfiguration* configuration, Log& log) : btCollisionDispatcher(configuration), log_(log) {}
    void dispatchAllCollisionPairs(btOverlappingPairCache* cache, const btDispatcherInfo& info,
                                   btDispatcher* dispatcher) override {
        handled_ = 0;
        const Stopwatch watch(log_.one_thread);
        btCollisionDispatcher::dispatchAllCollisionPairs(cache, info, dispatcher);
        log_.dispatches.push_back({handled_, watch.seconds()});
    }
    bool needsCollision(const btCollisionObject* a, const btCollisionObject* b) override {
        const bool needs = btCollisionDispatcher::needsCollision(a, b);
        handled_ += needs;
        return needs;
    }

private:
    Log& log_;
    std::size_t handled_ = 0;
};

class TimedAbut final : public bullet::Dispatcher {
public:
    TimedAbut(btCollisionConfiguration* configuration, const bullet::Options& options, Log& log)
        : Dispatcher(configuration, options), log_(log) {}
    void dispatchAllCollisionPairs(btOverlappingPairCache* cache, const btDispatcherInfo& info,
                                   btDispatcher* dispatcher) override {
        const Stopwatch watch(log_.one_thread);
        Dispatcher::dispatchAllCollisionPairs(cache, info, dispatcher);
        const double whole = watch.seconds();
        log_.dispatches.push_back(
            {work().pairs, whole, work().collect_seconds, work().call_seconds, work().write_seconds});
    }

private:
    Log& log_;
};

double kinetic_energy(const btRigidBody& body) {
    const btVector3 velocity = body.getLinearVelocity();
    const btVector3 spin = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
    return 0.5 *
           (double(velocity.length2()) / double(body.getInvMass()) + double((spin * spin).dot(body.getLocalInertia())));
}

bool is_out(const btVector3& position) { return double(position.y()) < kOut; }

bool at_rest(const btCollisionObject& object) {
    const btRigidBody& body = *btRigidBody::upcast(&object);
    return double(body.getLinearVelocity().length()) < kRestSpeed &&
           double(body.getAngularVelocity().length()) < kRestSpin;
}

// The normals of each manifold in the last two frames.
class Normals {
public:
    std::size_t alternating() const { return alternating_; }
    void next_frame() { ++frame_; }
    void look(const btPersistentManifold& manifold, const btVector3& normal) {
        Entry& entry = entries_[&manifold];
        const bool same_bodies = entry.a == manifold.getBody0() && entry.b == manifold.getBody1();
        if (!same_bodies || entry.frame + 1 != frame_)
            entry = {manifold.getBody0(), manifold.getBody1(), 0, 0, false, {}, {}};
        if (entry.seen >= 2 && !entry.alternates && at_rest(*entry.a) && at_rest(*entry.b)) {
            entry.alternates =
                double(normal.dot(entry.last))<kOtherNormal&& double(normal.dot(entry.before_last))> kSame;
            alternating_ += entry.alternates;
        }
        entry.before_last = entry.last;
        entry.last = normal;
        entry.frame = frame_;
        ++entry.seen;
    }

private:
    struct Entry {
        const btCollisionObject *a = nullptr, *b = nullptr;
        long frame = 0, seen = 0;
        bool alternates = false;
        btVector3 last, before_last;
    };
    std::unordered_map<const btPersistentManifold*, Entry> entries_;
    long frame_ = 0;
    std::size_t alternating_ = 0;
};

// What happens after a scene should be at rest.
class Rest {
public:
    Rest(Simulation& simulation, const Scene& scene) : simulation_(simulation), scene_(scene) {}

    void look(Measured& measured) {
        look_at_bodies(measured);
        look_at_contacts(measured);
    }
    void finish(Measured& measured) const {
        measured.mean_energy = frames_ > 0 ? energies_ / double(frames_) : 0.0;
        measured.contacts_kept = contacts_ > 0 ? double(kept_) / double(contacts_) : 1.0;
        measured.alternating = normals_.alternating();
    }

private:
    void look_at_bodies(Measured& measured) {
        const bool first = start_.empty();
        double energy = 0;
        for (std::size_t i = scene_.fixed_bodies; i < scene_.bodies.size(); ++i) {
            const btRigidBody& body = simulation_.body(i);
            const btVector3& position = body.getWorldTransform().getOrigin();
            if (first) start_.push_back(position);
            if (is_out(position)) continue;
            measured.drift = std::max(measured.drift, double((position - start_[i - scene_.fixed_bodies]).length()));
            energy += kinetic_energy(body);
        }
        energies_ += energy;
        ++frames_;
        measured.highest_energy = std::max(measured.highest_energy, energy);
    }

    void look_at_contacts(Measured& measured) {
        normals_.next_frame();
        btDispatcher& dispatcher = *simulation_.world().getDispatcher();
        for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
            const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
            const btManifoldPoint* deepest = nullptr;
            for (int k = 0; k < manifold.getNumContacts(); ++k) {
                const btManifoldPoint& point = manifold.getContactPoint(k);
                if (!deepest || point.getDistance() < deepest->getDistance()) deepest = &point;
                ++contacts_;
                kept_ += point.getLifeTime() > scene_.substeps;
            }
            if (!deepest) continue;
            measured.deepest = std::max(measured.deepest, -double(deepest->getDistance()));
            normals_.look(manifold, deepest->m_normalWorldOnB);
        }
    }

    Simulation& simulation_;
    const Scene& scene_;
    std::vector<btVector3> start_;
    Normals normals_;
    std::size_t contacts_ = 0, kept_ = 0, frames_ = 0;
    double energies_ = 0;
};

// What is looked at from the start.
class Course {
public:
    Course(Simulation& simulation, const Scene& scene, std::size_t steps)
        : simulation_(simulation),
          scene_(scene),
          asleep_(scene.bodies.size() - scene.fixed_bodies, kStep),
          steps_(steps) {}

    void look(Measured& measured) {
        double energy = 0;
        for (std::size_t i = scene_.fixed_bodies; i < scene_.bodies.size(); ++i) {
            const btRigidBody& body = simulation_.body(i);
            const bool has_left = is_out(body.getWorldTransform().getOrigin());
            const btVector3 velocity = body.getLinearVelocity();
            asleep_.look(i - scene_.fixed_bodies, double(velocity.length()), double(body.getAngularVelocity().length()),
                         has_left);
            if (has_left) continue;
            energy += kinetic_energy(body);
            if (scene_.ground_normal && double(done_) * kStep >= kLanded)
                measured.fastest_rise =
                    std::max(measured.fastest_rise, double(velocity.dot(to_bullet(*scene_.ground_normal))));
        }
        asleep_.next_step();
        const auto last = std::min(steps_, std::size_t(std::lround(1 / kStep)));
        if (++done_ + last > steps_) measured.last_energy += energy / double(last);
    }
    void finish(Measured& measured) const {
        measured.awake = asleep_.awake();
        measured.all_asleep = asleep_.all_asleep();
        for (std::size_t i = scene_.fixed_bodies; scene_.stack_height > 0 && i < scene_.bodies.size();
             i += scene_.stack_height) {
            const std::size_t top = i + scene_.stack_height - 1;
            const btVector3 at_first = to_bullet(scene_.bodies[top].position) - to_bullet(scene_.bodies[i].position);
            const btVector3 moved = simulation_.body(top).getWorldTransform().getOrigin() -
                                    simulation_.body(i).getWorldTransform().getOrigin() - at_first;
            measured.lean = std::max(measured.lean, std::hypot(double(moved.x()), double(moved.z())));
        }
    }

private:
    static constexpr double kLanded = 0.25;  // seconds
    static btVector3 to_bullet(Vec3 v) { return {v.x, v.y, v.z}; }

    Simulation& simulation_;
    const Scene& scene_;
    scenes::Asleep asleep_;
    std::size_t steps_, done_ = 0;
};

bool ends_as_expected(const NamedScene& scene, const btTransform& pose, Vec3 start) {
    const btVector3& p = pose.getOrigin();
    switch (scene.outcome) {
        case Outcome::stands: return double((p - btVector3(start.x, start.y, start.z)).length()) < scene.stands_within;
        case Outcome::falls: return std::fabs(double(pose.getBasis().getColumn(1).y())) < kLies;
        default: return double(p.y()) > kOut;
    }
}

// The median over the steps of nanoseconds per pair.
double median_ns(const std::vector<Dispatch>& log, double Dispatch::*part) {
    std::vector<double> values;
    for (const Dispatch& dispatch : log) {
        if (dispatch.pairs > 0) values.push_back(1e9 * dispatch.*part / double(dispatch.pairs));
    }
    if (values.empty()) return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void sum_up(const std::vector<Dispatch>& log, double step_seconds, std::size_t steps, Measured& measured) {
    double narrow_seconds = 0, pairs = 0;
    for (const Dispatch& dispatch : log) {
        narrow_seconds += dispatch.seconds;
        pairs += double(dispatch.pairs);
    }
    measured.pairs = log.empty() ? 0.0 : pairs / double(log.size());
    measured.share = step_seconds > 0 ? narrow_seconds / step_seconds : 0.0;
    measured.step_ms = steps > 0 ? 1e3 * step_seconds / double(steps) : 0.0;
    measured.ns_a_pair = median_ns(log, &Dispatch::seconds);
    measured.collect_ns_a_pair = median_ns(log, &Dispatch::collect_seconds);
    measured.call_ns_a_pair = median_ns(log, &Dispatch::call_seconds);
    measured.write_ns_a_pair = median_ns(log, &Dispatch::write_seconds);
}

MakeDispatcher dispatcher_of(NarrowPhaseKind kind, const Settings& settings, Log& log) {
    return [kind, settings, &log](btCollisionConfiguration* configuration) -> std::unique_ptr<btCollisionDispatcher> {
        if (kind == NarrowPhaseKind::bullet) return std::make_unique<TimedBullet>(configuration, log);
        const bullet::Options options{settings, kind == NarrowPhaseKind::abut_warm};
        auto dispatcher = std::make_unique<TimedAbut>(configuration, options, log);
        if (dispatcher->error().code != ErrorCode::none) throw InputError(dispatcher->error().message);
        return dispatcher;
    };
}

double count_contacts(btDispatcher& dispatcher) {
    int count = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
        count += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    return count;
}

}  // namespace

const char* to_string(NarrowPhaseKind kind) {
    switch (kind) {
        case NarrowPhaseKind::bullet: return "Bullet";
        case NarrowPhaseKind::abut_cold: return "abut cold";
        default: return "abut warm";
    }
}

struct Run::Impl {
    const NamedScene& named;
    Scene scene;
    Log log;
    Simulation simulation;
    Rest rest{simulation, scene};
    Measured measured = {};
    std::size_t steps, done = 0, settled;
    Course course;
    double step_seconds = 0;

    Impl(const NamedScene& named_, const Scene& scene_, NarrowPhaseKind kind, const Settings& settings, double seconds)
        : named(named_),
          scene(scene_),
          log{settings.threads == 1, {}},
          simulation(scene, dispatcher_of(kind, settings, log)),
          steps(std::size_t(std::lround(seconds / kStep))),
          settled(std::size_t(named.settled * double(steps))),
          course(simulation, scene, steps) {}
};

Run::Run(const NamedScene& named, const Scene& scene, NarrowPhaseKind kind, const Settings& settings, double seconds)
    : impl_(std::make_unique<Impl>(named, scene, kind, settings, seconds)) {}

Run::~Run() = default;
Run::Run(Run&&) noexcept = default;

std::size_t Run::steps() const { return impl_->steps; }

void Run::step() {
    Impl& run = *impl_;
    const Stopwatch watch(run.log.one_thread);
    run.simulation.step(kStep);
    run.step_seconds += watch.seconds();
    run.measured.contacts += count_contacts(*run.simulation.world().getDispatcher()) / double(run.steps);
    run.course.look(run.measured);
    if (run.done++ >= run.settled) run.rest.look(run.measured);
}

Measured Run::finish() const {
    Impl& run = *impl_;
    Measured measured = run.measured;
    run.rest.finish(measured);
    run.course.finish(measured);
    sum_up(run.log.dispatches, run.step_seconds, run.done, measured);
    for (std::size_t i = run.scene.fixed_bodies; i < run.scene.bodies.size(); ++i) {
        const btTransform& pose = run.simulation.body(i).getWorldTransform();
        measured.mass += 1 / double(run.simulation.body(i).getInvMass());
        ++measured.bodies;
        measured.as_expected += ends_as_expected(run.named, pose, run.scene.bodies[i].position);
    }
    return measured;
}

}  // namespace abut::tools
