// A small solver for stepping_engine.cpp after Catto, "Solver2D" (2024): crates of one size, contacts as damped
// springs, friction, substeps. Of abut it knows the contacts and the impulses alone.
#pragma once

#include <abut/abut.hpp>
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "vectors.hpp"

struct Crate {
    abut::Vec3 velocity, spin;
    float inverse_mass = 1, inverse_inertia = 6;  // of a cube with an edge of 1 m: the same about every axis
    int quiet_steps = 0;
    bool asleep = false;
    bool moves() const { return inverse_mass > 0 && !asleep; }
};

// What the solver needs of a contact. Anchors are relative to the bodies' centres.
struct Constraint {
    abut::Pair pair;
    abut::Vec3 normal, anchor_a, anchor_b;
    float separation;
    abut::ContactImpulse* impulse;  // in the warm table: that of the frame before, then that of this frame
};

struct SmallSolver {
    static constexpr int kSubsteps = 4;
    static constexpr float kGravity = 9.81f, kFriction = 0.6f, kDamping = 10, kRate = 2 * 3.14159f * 30;  // 30 Hz
    std::span<abut::Body> bodies;
    std::span<Crate> crates;  // one per body
    std::span<Constraint> constraints;

    void step(float dt) {
        for (int i = 0; i < kSubsteps; ++i) substep(dt / kSubsteps);
    }

private:
    void substep(float h) {
        for (Crate& crate : crates)
            if (crate.moves()) crate.velocity.y -= kGravity * h;
        for (const Constraint& c : constraints) apply(c, c.normal * c.impulse->normal + c.impulse->friction);
        solve(h, false);
        for (Constraint& c : constraints) c.separation -= dot(closing_velocity(c), c.normal) * h;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!crates[i].moves()) continue;
            bodies[i].position = bodies[i].position + crates[i].velocity * h;
            const float rate = length(crates[i].spin);
            if (rate > 0)
                bodies[i].orientation =
                    normalised(about(crates[i].spin * (1 / rate), rate * h) * bodies[i].orientation);
        }
        solve(h, true);
    }

    // A damped spring pushes overlaps out; the second round takes the spring's speed away.
    void solve(float h, bool relax) {
        const float a1 = 2 * kDamping + h * kRate, a2 = h * kRate * a1;
        for (const Constraint& c : constraints) {
            const bool soft = !relax && c.separation <= 0;
            float allowed = 0;
            if (c.separation > 0) allowed = c.separation / h;
            if (soft) allowed = std::max(kRate / a1 * c.separation, -3.0f);
            const float push = (dot(closing_velocity(c), c.normal) - allowed) / inverse_mass(c, c.normal);
            const float before = c.impulse->normal;
            c.impulse->normal = std::max(before + (soft ? (push * a2 - before) / (1 + a2) : push), 0.0f);
            apply(c, c.normal * (c.impulse->normal - before));

            const abut::Vec3 closing = closing_velocity(c), slip = closing - c.normal * dot(closing, c.normal);
            if (length(slip) < 1e-9f) continue;
            const abut::Vec3 old = c.impulse->friction;
            abut::Vec3 friction = old + slip * (1 / inverse_mass(c, slip * (1 / length(slip))));
            const float most = kFriction * c.impulse->normal, size = length(friction);
            if (size > most) friction = friction * (most / size);
            apply(c, friction - old);
            c.impulse->friction = friction;
        }
    }

    abut::Vec3 closing_velocity(const Constraint& c) const {
        const Crate &a = crates[c.pair.a], &b = crates[c.pair.b];
        return a.velocity + cross(a.spin, c.anchor_a) - b.velocity - cross(b.spin, c.anchor_b);
    }
    float inverse_mass(const Constraint& c, abut::Vec3 along) const {
        const auto of = [&](const Crate& crate, abut::Vec3 anchor) {
            const abut::Vec3 arm = cross(anchor, along);
            return crate.moves() ? crate.inverse_mass + crate.inverse_inertia * dot(arm, arm) : 0;
        };
        return of(crates[c.pair.a], c.anchor_a) + of(crates[c.pair.b], c.anchor_b);
    }
    void apply(const Constraint& c, abut::Vec3 impulse) const {
        const auto to = [](Crate& crate, abut::Vec3 anchor, abut::Vec3 p) {
            if (!crate.moves()) return;
            crate.velocity = crate.velocity + p * crate.inverse_mass;
            crate.spin = crate.spin + cross(anchor, p) * crate.inverse_inertia;
        };
        to(crates[c.pair.a], c.anchor_a, impulse * -1.0f), to(crates[c.pair.b], c.anchor_b, impulse);
    }
};

// An island for each body: those that touch each other, directly or through others, have the same. Static bodies join
// nothing.
inline std::vector<std::uint32_t> islands_of(std::span<const Crate> crates, std::span<const abut::Pair> touching) {
    std::vector<std::uint32_t> island(crates.size());
    std::iota(island.begin(), island.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (island[i] != i) i = island[i] = island[island[i]];
        return i;
    };
    for (const abut::Pair p : touching)
        if (crates[p.a].inverse_mass > 0 && crates[p.b].inverse_mass > 0) island[root(p.a)] = root(p.b);
    for (std::uint32_t i = 0; i < island.size(); ++i) island[i] = root(i);
    return island;
}
