// abut inside Bullet: a dispatcher that answers all pairs of a step in one call.
//
//     abut::bullet::Dispatcher dispatcher(&configuration);  // where there was a btCollisionDispatcher
//     btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
//
// A step's way: `take_all` puts each overlapping pair that Bullet's filters let through, and bodies not seen in this
// step yet, into abut's frame; `collide` is called once; `write` fills the persistent manifolds. All the rest of Bullet
// - filters and near callbacks, sleeping, islands, the solver, removal of pairs - stays as it is: what is remembered of
// a pair hangs where Bullet hangs what it remembers of one, on the pair, as its collision algorithm.
//
// Left to Bullet: pairs with a shape that abut has not (multi-spheres, soft bodies, ...), objects that are in no world,
// and friction anchors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <btBulletCollisionCommon.h>

#include <abut/abut.hpp>

#include "shapes.hpp"

namespace abut::bullet {

class PairRecord;
struct ChildManifold;

struct Options {
    // The speculative margin stands for Bullet's gContactBreakingThreshold, and is 0.02 m like it. As there it counts
    // in units of the smaller shape's size (its angular motion disc), unless CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD
    // is switched off. A pair's margin is larger by how far its bodies' points move in a step (docs/integrate.md).
    Settings settings = {};
    bool warm_caches = true;  // carry abut's caches from step to step
};

// The last step's work.
struct Work {
    std::size_t pairs = 0, contacts = 0;  // that abut answered
    std::size_t failed = 0;  // pairs without an answer, and so without contacts: a pose that is not finite, two planes
    double collect_seconds = 0, call_seconds = 0, write_seconds = 0;
};

// The caches of all pairs of the world, in no order.
class CachePool {
public:
    std::uint32_t take();  // the index of an empty one
    void give_back(std::uint32_t index) { free_.push_back(index); }
    std::vector<WarmCache>& all() { return caches_; }

private:
    std::vector<WarmCache> caches_;
    std::vector<std::uint32_t> free_;
};

// Like Bullet's own, for one thread at a time; the call itself runs on settings.executor.
class Dispatcher : public btCollisionDispatcher {
public:
    explicit Dispatcher(btCollisionConfiguration* configuration, const Options& options = {});
    ~Dispatcher() override;

    void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                   btDispatcher* dispatcher) override;

    // Optional, when a shape is deleted for good: gives abut's copy back. A changed shape, or another at its address,
    // is found out.
    void forget(const btCollisionShape* shape);
    const Work& work() const { return work_; }
    // Why abut cannot be called (settings that this machine cannot meet); Bullet then does everything itself.
    const Error& error() const { return error_; }

private:
    friend class PairRecord;
    class TakeEach;

    // A pair of the frame.
    struct Taken {
        PairRecord* record;
        btPersistentManifold* manifold;  // the record's, of the last step: null where nothing touched
        std::vector<ChildManifold>*
            children;  // in place of it where one of the two is a compound or a surface, else null
    };
    // A collision object, at its index in the world; so are the frame's bodies.
    struct BodyRecord {
        const btCollisionObject* object = nullptr;
        CookedShape cooked;
    };

    void take(btBroadphasePair& pair, btOverlappingPairCache& cache, const btDispatcherInfo& info);
    void take_all(btOverlappingPairCache& cache, const btDispatcherInfo& info);
    bool add_body(const btCollisionObject& object);
    bool bring_up_to_date(const btCollisionObject& object, std::size_t index);
    void add_pair(PairRecord& record, const btCollisionObject& a, const btCollisionObject& b);
    PairRecord& record_of(btBroadphasePair& pair);
    void match_children(std::size_t pair);
    void write();
    void write(std::size_t found);

    Options options_;
    NarrowPhase narrow_;
    Shapes shapes_;
    Error error_;
    Work work_;

    std::uint64_t step_ = 0;
    std::vector<std::uint64_t> seen_;  // a body: 2 * the step that last looked at it, plus 1 where abut has its shape
    std::vector<BodyRecord> body_records_;
    std::vector<Body> bodies_;
    std::vector<Pair> pairs_;
    std::vector<Taken> taken_;            // a pair
    std::vector<ChildManifold> matched_;  // scratch
    CachePool caches_;
    std::vector<std::uint32_t> cache_indices_;  // a pair
    std::vector<float> reaches_;                // a body, its shape's
    std::vector<float> margins_;                // a pair
    std::vector<float> motions_;  // a pair: how far one body's position moves relative to the other's in the step
    float step_seconds_ = 0;
    Manifolds manifolds_;
};

}  // namespace abut::bullet
