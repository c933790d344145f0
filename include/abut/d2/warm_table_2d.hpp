/// @file
/// A solver's impulses from frame to frame, by 3D's WarmTable and carry_over (warm_table.hpp, carry_over.hpp), whose rules
/// hold. FrameContacts shows them the contacts of a frame in the plane, with z 0 and each chain as a mesh.
///
/// Usage, once in each frame:
///   table.begin(frame.pairs);
///   narrow.collide(frame, manifolds);
///   contacts.assign(frame, manifolds);
///   table.carry_over(contacts.view());
///   solve(manifolds, table.impulses());  // starts from them, and writes its own in their place
///
/// Contact k of manifold m has the impulse, and the rule in carried_by(), with the index kMostContacts * m + k.
/// Impulses that belong to no contact are 0. Caches have no use in the plane.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/d2/results_2d.hpp>
#include <abut/warm_table.hpp>

namespace abut::d2 {

using abut::CarriedBy;
using abut::CarryOverOptions;
using abut::ContactImpulse;
using abut::WarmTable;

/// A copy of what a frame and the answer of `collide` say of contacts. It allocates nothing once it has held as much.
class ABUT_API FrameContacts {
public:
    /// The manifolds of an answer to `frame`: d2::Manifolds, d2::ManifoldColumns as far as they are filled, or a struct
    /// of the caller with the same members. An error names the argument; the copy is then empty.
    template <class Answer>
    CallResult assign(const Frame& frame, const Answer& now) {
        std::span<const Manifold> manifolds = now.manifolds;
        if constexpr (requires { now.manifold_count; })
            manifolds = manifolds.first(std::min<std::size_t>(now.manifold_count, manifolds.size()));
        const CallResult room = abut::detail::within_memory([&] {
            bodies_.resize(frame.bodies.size()), pairs_.resize(frame.pairs.size());
            double_positions_.resize(frame.bodies.columns().double_positions.empty() ? 0 : frame.bodies.size());
            first_.assign(now.first_manifold.begin(), now.first_manifold.end());
            manifolds_.resize(manifolds.size()), contacts_.resize(kMostContacts * manifolds.size());
        });
        const CallResult result = room ? fill(frame, manifolds) : room;
        if (!result) *this = {};
        return result;
    }
    /// Valid until the next call of assign, or the end of this object.
    abut::FrameContacts view() const;

private:
    CallResult fill(const Frame& frame, std::span<const Manifold> manifolds);

    std::vector<abut::Body> bodies_;
    std::vector<DVec3> double_positions_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> first_;
    std::vector<abut::Manifold> manifolds_;
    std::vector<abut::Contact> contacts_;
};

}  // namespace abut::d2
