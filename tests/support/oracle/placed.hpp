// Any core moved into the pair's frame (world axes, A's position the origin), and its support (a half-space has none).
#pragma once

#include "support/oracle/oracle.hpp"
#include "support/oracle/posed.hpp"

namespace abut::oracle {

struct Placed {
    const Solid* solid = nullptr;
    Posed polytope;  // of a polytope
    Rotation rotation;
    Vec3d offset;

    void move(const Solid& what, const Rotation& turn, const Vec3d& by) {
        solid = &what, rotation = turn, offset = by;
        if (what.form == Form::polytope) polytope.move(what.core, turn, by);
    }

    bool is_polytope() const { return solid->form == Form::polytope; }
    bool is_point() const { return is_polytope() && polytope.core->dimension == 0; }
    Vec3d centre() const { return is_polytope() ? polytope.centre : offset; }
    double ball() const { return solid->curved.ball; }  // what the support leaves out all around

    Vec3d support(const Vec3d& direction) const {
        if (is_polytope()) return polytope.support(direction);
        return rotation * oracle::support(solid->form, solid->curved, rotation.back(direction)) + offset;
    }
};

// The Minkowski difference A - B less both balls: the cores overlap where it contains the origin.
struct Difference {
    const Placed &a, &b;

    Vec3d support(const Vec3d& direction) const { return a.support(direction) - b.support(-direction); }
    double reach(const Vec3d& unit) const { return dot(unit, support(unit)); }
};

}  // namespace abut::oracle
