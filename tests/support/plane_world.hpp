// A small engine in the plane on abut's public API: broad phase, contacts, warm table, sequential impulses [Catto 2006]
// in small steps. After the positions, a second pass without push: velocities are then those of the bodies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <abut/d2.hpp>

namespace abut::plane {

inline d2::Vec2 plus(d2::Vec2 a, d2::Vec2 b, float times = 1) { return {a.x + b.x * times, a.y + b.y * times}; }
inline d2::Vec2 left_of(d2::Vec2 a) { return {-a.y, a.x}; }
inline float dot(d2::Vec2 a, d2::Vec2 b) { return a.x * b.x + a.y * b.y; }
inline float cross(d2::Vec2 a, d2::Vec2 b) { return a.x * b.y - a.y * b.x; }
inline float length(d2::Vec2 a) { return std::sqrt(dot(a, a)); }

struct Mover {
    d2::Vec2 velocity;
    float spin = 0, angle = 0, inverse_mass = 0, inverse_inertia = 0, friction = 0.6f;

    bool is_static() const { return inverse_mass == 0; }
    d2::Vec2 velocity_at(d2::Vec2 arm) const { return plus(velocity, left_of(arm), spin); }
    void push(d2::Vec2 arm, d2::Vec2 impulse, float times) {
        velocity = plus(velocity, impulse, times * inverse_mass);
        spin += times * inverse_inertia * cross(arm, impulse);
    }
};

// Two bodies at a contact. The impulse acts on B.
struct Constraint {
    Mover *a, *b;
    d2::Vec2 normal, arm_a, arm_b;
    float bias, friction;
    ContactImpulse* impulse;

    void apply(d2::Vec2 p) const { a->push(arm_a, p, -1), b->push(arm_b, p, 1); }
    float inverse_mass(d2::Vec2 n) const {
        const float of_a = cross(arm_a, n), of_b = cross(arm_b, n);
        return a->inverse_mass + a->inverse_inertia * of_a * of_a + b->inverse_mass + b->inverse_inertia * of_b * of_b;
    }
    // Brings the velocity along n to `target`, by an accumulated impulse between two bounds.
    float solve(d2::Vec2 n, float target, float low, float high, float old) const {
        const d2::Vec2 velocity = plus(b->velocity_at(arm_b), a->velocity_at(arm_a), -1);
        const float now = std::clamp(old + (target - dot(velocity, n)) / inverse_mass(n), low, high);
        apply({n.x * (now - old), n.y * (now - old)});
        return now;
    }
    void solve(float target) const {
        const d2::Vec2 left = left_of(normal), old = {impulse->friction.x, impulse->friction.y};
        const float most = friction * impulse->normal, along = solve(left, 0, -most, most, dot(old, left));
        impulse->friction = {along * left.x, along * left.y, 0};
        impulse->normal = solve(normal, target, 0, 1e9f, impulse->normal);
    }
    void start() const {
        apply({impulse->normal * normal.x + impulse->friction.x, impulse->normal * normal.y + impulse->friction.y});
    }
};

struct World {
    static constexpr float kGravity = 9.81f, kSlop = 0.002f, kPush = 0.1f;
    static constexpr float kMargin = 0.02f;

    float step_time = 1.0f / 240;
    int iterations = 8;
    d2::ShapeStore shapes;
    std::vector<d2::Body> bodies;
    std::vector<Mover> movers;
    d2::PairList near;
    d2::Manifolds found;
    d2::WarmTable table;
    // Of the last step; those that continue one by its id, and those that continue none.
    std::size_t contact_count = 0, kept_count = 0, new_count = 0;

    // Returns the body's number. `density` 0: static.
    std::uint32_t add(d2::ShapeId shape, d2::Vec2 position, float angle = 0, float density = 1) {
        bodies.push_back({position, d2::rotation_of(angle), shape});
        movers.emplace_back();
        movers.back().angle = angle;
        if (density > 0) {
            const auto mass = *d2::mass_properties(shapes, shape, density);
            movers.back().inverse_mass = 1 / mass.mass, movers.back().inverse_inertia = 1 / mass.inertia;
        }
        return std::uint32_t(bodies.size() - 1);
    }

    // The contacts of the bodies, with the impulses of the step before.
    bool find_contacts() {
        bounds_.resize(bodies.size()), moving_.resize(bodies.size());
        for (std::size_t i = 0; i < bodies.size(); ++i) moving_[i] = movers[i].is_static() ? 0 : 1;
        d2::Boxes boxes = {bounds_, kMargin / 2};
        boxes.moving = moving_;
        if (!d2::world_bounds(shapes, bodies, bounds_) || !broad_.find_pairs(boxes, near)) return false;
        const d2::Frame frame = {&shapes, bodies, near.pairs};
        table.begin(frame.pairs);
        return narrow_.collide(frame, found) && copy_.assign(frame, found) &&
               table.carry_over(copy_.view(), {.match_distance = kMargin});
    }

    bool step() {
        if (!find_contacts()) return false;
        list_constraints();
        for (Mover& m : movers)
            if (!m.is_static()) m.velocity.y -= kGravity * step_time;
        for (const Constraint& c : constraints_) c.start();
        for (int i = 0; i < iterations; ++i)
            for (const Constraint& c : constraints_) c.solve(c.bias);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (movers[i].is_static()) continue;
            bodies[i].position = plus(bodies[i].position, movers[i].velocity, step_time);
            bodies[i].rotation = d2::rotation_of(movers[i].angle += movers[i].spin * step_time);
        }
        for (int i = 0; i < iterations / 2; ++i)
            for (const Constraint& c : constraints_) c.solve(std::min(c.bias, 0.0f));
        return true;
    }

private:
    static Settings settings() {
        Settings out;
        out.executor = serial_executor();
        out.speculative_margin = kMargin;
        return out;
    }
    void list_constraints() {
        constraints_.clear();
        contact_count = kept_count = new_count = 0;
        for (std::size_t m = 0; m < found.manifolds.size(); ++m) {
            const d2::Manifold& manifold = found.manifolds[m];
            const auto [a, b] = near.pairs[manifold.pair];
            const d2::Vec2 from_b = plus(bodies[a].position, bodies[b].position, -1);
            for (std::uint32_t k = 0; k < manifold.contact_count; ++k) {
                const d2::Contact& contact = manifold.contacts[k];
                const float s = contact.separation;
                const float bias = s > 0 ? -s / step_time : std::min(-kPush * (s + kSlop), 0.1f * kSlop) / step_time;
                const std::size_t at = d2::kMostContacts * m + k;
                constraints_.push_back({&movers[a], &movers[b], manifold.normal, contact.position,
                                        plus(contact.position, from_b), s < -kSlop || s > 0 ? bias : 0.0f,
                                        std::sqrt(movers[a].friction * movers[b].friction), &table.impulses()[at]});
                const CarriedBy rule = table.carried_by()[at];
                ++contact_count, kept_count += rule == CarriedBy::id, new_count += rule == CarriedBy::nothing;
            }
        }
    }

    d2::NarrowPhase narrow_{settings()};
    d2::BroadPhase broad_{{serial_executor()}};
    d2::FrameContacts copy_;
    std::vector<Bounds> bounds_;
    std::vector<std::uint8_t> moving_;
    std::vector<Constraint> constraints_;
};

}  // namespace abut::plane
