// Tracker: what one pair's contacts do from frame to frame.
#pragma once

#include <cstdint>
#include <vector>

#include "support/oracle/vec.hpp"

namespace abut::steady {

struct Sighting {
    std::uint64_t id = 0;  // feature and children
    oracle::Vec3d point;   // in the world
};

// Of one pair over all frames. A step is a frame against the one before; a step's share is of the larger of the two
// frames' contacts, so that points that appear count as well as those that go. A frame without contacts keeps nothing.
struct Figures {
    double kept = 1, worst_kept = 1;  // share of ids: mean over steps, least
    std::uint32_t worst_frame = 0;    // the second frame of that least step
    double by_distance = 1;  // mean share that would be kept if contacts were matched by the nearest point within reach
    double motion = 0, worst_motion = 0;  // of contacts with the same id, as a share of the size: mean, largest
    double patch = 1;     // least over largest area of the patch; of its length where all contacts lie on a line
    unsigned counts = 0;  // distinct numbers of contacts
    unsigned most_contacts = 0;
};

class Tracker {
public:
    // Patches are seen along `up`. `reach` is that of matching by distance, in metres.
    Tracker(const oracle::Vec3d& up, double size, double reach);
    void see(const std::vector<Sighting>& now);
    Figures figures() const;

private:
    void compare(const std::vector<Sighting>& now);
    void measure_patch(const std::vector<Sighting>& now);

    oracle::Vec3d side_, other_side_;
    double size_, reach_;
    std::vector<Sighting> before_;
    std::uint32_t frames_ = 0, worst_frame_ = 0;
    double kept_ = 0, worst_kept_ = 1, by_distance_ = 0;
    double motion_ = 0, worst_motion_ = 0;
    std::size_t matched_ = 0;
    double least_area_ = 1e30, largest_area_ = 0, least_length_ = 1e30, largest_length_ = 0;
    std::uint64_t counts_seen_ = 0;
    unsigned most_contacts_ = 0;
};

}  // namespace abut::steady
