// Contacts of the plane as contacts of 3D, so that the same warm table serves both.
#include <abut/d2/warm_table_2d.hpp>

#include "batch/frame_checks.hpp"
#include "d2/shapes/body_checks.hpp"

namespace abut::d2 {
namespace {

// A quaternion of any length, which carry_over allows.
Quat orientation_of(Rot r) { return r.c >= 0 ? Quat{0, 0, r.s, 1 + r.c} : Quat{0, 0, 1 - r.c, r.s}; }

abut::Body solid_of(const Body& body) {
    // While a body slides over a chain, its manifold names other segments. As on a mesh, the manifold is found by its
    // normal.
    const bool is_chain = body.shape.kind() == ShapeKind::chain;
    return {{body.position.x, body.position.y, 0},
            abut::ShapeId::make(is_chain ? abut::ShapeKind::mesh : abut::ShapeKind::hull, 0, 0),
            orientation_of(body.rotation)};
}

}  // namespace

CallResult FrameContacts::fill(const Frame& frame, std::span<const Manifold> manifolds) {
    if (const CallResult r = check_bodies("d2::Frame::bodies", frame.bodies); !r) return r;
    if (const CallResult r = check_strided("d2::Frame::pairs", frame.pairs); !r) return r;
    for (std::size_t i = 0; i < bodies_.size(); ++i) bodies_[i] = solid_of(frame.bodies[i]);
    for (std::size_t i = 0; i < double_positions_.size(); ++i) {
        const DVec2 at = frame.bodies.position(i);
        double_positions_[i] = {at.x, at.y, 0};
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) pairs_[i] = frame.pairs[i];
    for (std::uint32_t m = 0; m < manifolds.size(); ++m) {
        const Manifold& from = manifolds[m];
        manifolds_[m] = {from.pair,         from.child_a,
                         from.child_b,      {from.normal.x, from.normal.y, 0},
                         kMostContacts * m, std::min(from.contact_count, kMostContacts)};
        for (std::uint32_t k = 0; k < kMostContacts; ++k) {
            const Contact& one = from.contacts[k];
            contacts_[kMostContacts * m + k] = {{one.position.x, one.position.y, 0}, one.separation, one.feature};
        }
    }
    return {};
}

abut::FrameContacts FrameContacts::view() const {
    abut::BodyColumns columns = abut::Bodies(bodies_).columns();
    if (!double_positions_.empty()) columns.positions = {}, columns.double_positions = double_positions_;
    return {double_positions_.empty() ? abut::Bodies(bodies_) : abut::Bodies(columns), pairs_, first_, manifolds_,
            contacts_};
}

}  // namespace abut::d2
