// The pairs of one mjData and their answers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cook.hpp"
#include "plugin.hpp"

namespace abut::mujoco {

struct Answer {
    Vec3 normal;
    std::uint32_t count = 0;
    std::array<Contact, 4> contacts;  // relative to the first geom's position
    Status status = Status::ok;
};

class Batch {
public:
    Batch(const Cooked& cooked, const Options& options);

    bool is_of(const Cooked& cooked) const { return cooked_ == &cooked; }
    bool knows(int geom) const { return cooked_->known[std::size_t(geom)] != 0; }
    // The answer for the poses that `data` has now; null if abut was refused memory. Valid until the next call.
    const Answer* find(NarrowPhase& narrow, const mjData& data, std::uint32_t geom1, std::uint32_t geom2, float margin);

    Work work;

private:
    struct Entry {
        Pair pair;
        float margin = 0;
        std::uint32_t asked = 0;  // the batch in which MuJoCo last asked
        Answer answer;
    };
    // What the answers were computed for; `batch` says when it was read.
    struct GeomPose {
        mjtNum position[3] = {};
        mjtNum matrix[9] = {};
        Quat orientation;
        std::uint32_t batch = 0;
    };

    bool has_moved(const mjData& data, std::uint32_t geom) const;
    void read_pose(const mjData& data, std::uint32_t geom);
    void begin_batch();
    std::size_t slot_of(Pair pair) const;
    std::uint32_t add(Pair pair, float margin);
    void index_entries();
    bool compute(NarrowPhase& narrow, std::size_t first, std::size_t count);

    const Cooked* cooked_;
    bool keeps_pairs_, keeps_caches_;
    std::uint32_t batch_ = 1;
    std::vector<GeomPose> poses_;  // a geom's
    std::vector<Entry> entries_;
    std::vector<WarmCache> caches_;  // an entry's; none without warm caches
    std::vector<std::uint32_t>
        slots_;  // hash table of entries by pair, open addressing: the entry's index plus one, 0 if free
    Manifolds manifolds_;
};

}  // namespace abut::mujoco
