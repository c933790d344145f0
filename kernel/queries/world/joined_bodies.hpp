// Two sets of bodies as one: the shapes of a query, then the bodies of a world.
#pragma once

#include <abut/frame.hpp>

#include "base/memory.hpp"

namespace abut {

class JoinedBodies {
public:
    // Joins the first set and those bodies of the second that the pairs name (Pair::b). The joined pairs have the
    // indices of the joined set.
    void join(const Bodies& first, const Bodies& second, std::span<const Pair> pairs);
    // Replaces the poses of the first set: the ends of their motions.
    void join_ends(const JoinedBodies& start, const Bodies& ends);

    Bodies bodies() const;
    std::span<const Pair> pairs() const { return pairs_; }

private:
    void add(const Bodies& from, std::size_t k);
    void clear();

    Vector<Body> records_;
    Vector<DVec3> positions_;  // if one of the sets has positions in double
    Vector<Pair> pairs_;
    Vector<std::uint32_t> joined_;  // by body of the second set: kNoBody between calls
    bool has_doubles_ = false;
};

}  // namespace abut
