// See uneven_ground.hpp.
#include "studies/steady/uneven_ground.hpp"

#include <algorithm>
#include <cmath>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "scenes/turning.hpp"
#include "uneven.hpp"

namespace abut::steady {
namespace {

using oracle::Vec3d;
using scenes::Random;

struct Ground {
    const char* name;
    void (*build)(solver::World&, int);
};
constexpr Ground kGrounds[] = {
    {"waves", solver::planks_on_waves},
    {"relief", solver::bodies_on_field},
    {"ridges", solver::bodies_on_ridges},
};

// Half the longest extent of a shape along its own axes.
double size_of(const ShapeStore& shapes, ShapeId shape) {
    const Body pose = {{}, shape, {}};
    Bounds bounds;
    if (!world_bounds(shapes, std::span(&pose, 1), std::span(&bounds, 1))) return 1;
    return 0.5 *
           double(std::max({bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y, bounds.max.z - bounds.min.z}));
}

// Bodies at rest, each in a pair with the ground, which is body 0.
struct Settled {
    solver::World world;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<double> sizes;  // of the pairs' bodies
};

void settle(Settled& out, const Ground& ground, const UnevenPlan& plan) {
    constexpr double kSlowSpeed = 0.05, kSlowSpin = 0.1;
    out.world.settings.margin_of_motion = true;
    ground.build(out.world, plan.rows);
    for (int i = 0; i < int(plan.settle_seconds * 60); ++i) out.world.step();
    const Frame& frame = out.world.frame();
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) out.bodies.push_back(frame.bodies[i]);
    for (std::size_t i = 1; i < out.bodies.size(); ++i) {
        const solver::RigidBody& body = out.world.bodies[i];
        if (length(body.velocity) > kSlowSpeed || length(body.spin) > kSlowSpin) continue;
        out.pairs.push_back({0, std::uint32_t(i)});
        out.sizes.push_back(size_of(out.world.shapes, body.shape));
    }
}

struct Sighting {
    std::uint32_t feature = 0;
    Vec3d normal, point;
    double separation = 0;
};
using Sightings = std::vector<std::vector<Sighting>>;  // a pair

Sightings see(const Settled& settled, const Manifolds& manifolds) {
    Sightings out(settled.pairs.size());
    for (const Manifold& m : manifolds.manifolds)
        for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k)
            out[m.pair].push_back({manifolds.contacts[k].feature, Vec3d(m.normal),
                                   Vec3d(manifolds.contacts[k].position), double(manifolds.contacts[k].separation)});
    return out;
}

void compare(const std::vector<Sighting>& before, const std::vector<Sighting>& now, double size, UnevenFigures& out) {
    constexpr double kSameNormal = 0.985;
    // `counts(distance, same id)`; each contact before is found at most once, by the first of now.
    const auto count = [&](auto&& counts, auto&& found) {
        std::vector<bool> taken(before.size());
        for (const Sighting& contact : now) {
            for (std::size_t k = 0; k < before.size(); ++k) {
                const double far = length(contact.point - before[k].point) / size;
                if (taken[k] || dot(contact.normal, before[k].normal) < kSameNormal ||
                    !counts(far, contact.feature == before[k].feature))
                    continue;
                taken[k] = true;
                found(far);
                break;
            }
        }
    };
    out.contacts += std::max(now.size(), before.size());
    for (const Sighting& old : before) {
        const auto is_near = [&](const Sighting& contact) {
            return length(contact.point - old.point) <= kSamePoint * size;
        };
        out.lost_load += old.separation < 0 && std::none_of(now.begin(), now.end(), is_near);
    }
    count([](double far, bool same_id) { return same_id && far <= kSamePoint; }, [&](double) { ++out.id_and_point; });
    count([](double far, bool) { return far <= kSamePoint; }, [&](double) { ++out.points; });
    count([](double, bool same_id) { return same_id; },
          [&](double far) {
        ++out.ids;
        out.other_points += far > kSamePoint;
    });
}

// What the table made of it: by the indices that its carry_over has in both frames, found again by an impulse that
// numbers each contact.
void look_at_table(const Settled& settled, const Manifolds& before, const Manifolds& now, WarmTable& table,
                   UnevenFigures& out) {
    const std::span<ContactImpulse> impulses = table.impulses();
    for (const Manifold& m : now.manifolds) {
        for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k) {
            if (table.carried_by()[k] == CarriedBy::nothing) continue;
            ++out.table_kept;
            if (table.carried_by()[k] != CarriedBy::id) continue;
            ++out.table_ids;
            const Contact& old = before.contacts[std::size_t(std::lround(impulses[k].normal)) - 1];
            const double far = length(Vec3d(now.contacts[k].position) - Vec3d(old.position)) / settled.sizes[m.pair];
            out.table_jumps += far > kSamePoint;
            out.table_farthest = std::max(out.table_farthest, far);
        }
    }
}

Body disturbed(const Body& rest, double size, double noise, Random& random) {
    const Vec3d turn = random.direction() * noise;
    const Vec3d position = Vec3d(rest.position) + random.direction() * (noise * size);
    return {{float(position.x), float(position.y), float(position.z)},
            rest.shape,
            scenes::slightly_turned(rest.orientation, turn)};
}

// The matching distance: as far as the smallest body's point may go.
float match_distance(const Settled& settled) {
    return float(kSamePoint * *std::min_element(settled.sizes.begin(), settled.sizes.end()));
}

CallResult run(const Settled& settled, const UnevenPlan& plan, std::size_t level, Start start, UnevenFigures& out) {
    NarrowPhase narrow({.speculative_margin = plan.margin, .executor = serial_executor(), .isa = plan.isa});
    Manifolds before, now;
    Sightings seen_before, seen;
    WarmTable table;
    std::vector<Body> bodies = settled.bodies;
    for (std::size_t f = 0; f < plan.frames; ++f) {
        for (std::size_t i = 0; i < settled.pairs.size(); ++i) {
            const std::uint32_t body = settled.pairs[i].b;
            Random random(plan.seed + level, std::uint64_t(f) << 32 | body);
            bodies[body] = disturbed(settled.bodies[body], settled.sizes[i], kUnevenNoises[level], random);
        }
        Frame frame{&settled.world.shapes, bodies, settled.pairs};
        const std::span<WarmCache> caches = table.begin(frame.pairs);
        if (start == kWarm) frame.caches = caches;
        std::swap(before, now);
        if (CallResult result = narrow.collide(frame, now); !result) return result;
        if (CallResult result = table.carry_over(frame, now, {.match_distance = match_distance(settled)}); !result)
            return result;
        seen_before.swap(seen);
        seen = see(settled, now);
        if (f > 0) {
            for (std::size_t i = 0; i < seen.size(); ++i) compare(seen_before[i], seen[i], settled.sizes[i], out);
            look_at_table(settled, before, now, table, out);
        }
        for (std::size_t k = 0; k < now.contacts.size(); ++k) table.impulses()[k] = {float(k + 1), {}};
    }
    return {};
}

CallResult find_lost_load(const Settled& settled, const UnevenPlan& plan, UnevenOutcome& out) {
    constexpr float kBears = 0.0005f;  // metres
    std::vector<Manifolds> answers(std::size(kUnevenMargins));
    for (std::size_t m = 0; m < answers.size(); ++m) {
        NarrowPhase narrow(
            {.speculative_margin = float(kUnevenMargins[m]), .executor = serial_executor(), .isa = plan.isa});
        const Frame frame{&settled.world.shapes, settled.bodies, settled.pairs};
        if (CallResult result = narrow.collide(frame, answers[m]); !result) return result;
    }
    const auto contacts_of = [](const Manifolds& m, std::size_t pair) {
        const auto first = m.first_manifold[pair] < m.manifolds.size()
                               ? m.manifolds[m.first_manifold[pair]].first_contact
                               : m.contacts.size();
        const auto last = m.first_manifold[pair + 1] < m.manifolds.size()
                              ? m.manifolds[m.first_manifold[pair + 1]].first_contact
                              : m.contacts.size();
        return std::span(m.contacts).subspan(first, last - first);
    };
    for (std::size_t i = 0; i < settled.pairs.size(); ++i) {
        for (std::size_t m = 0; m < answers.size(); ++m) {
            const std::span<const Contact> own = contacts_of(answers[m], i);
            const auto has_near = [&](const Contact& wanted) {
                return std::any_of(own.begin(), own.end(), [&](const Contact& contact) {
                    return length(Vec3d(contact.position) - Vec3d(wanted.position)) <= kSamePoint * settled.sizes[i];
                });
            };
            bool loses = false;
            for (const Manifolds& other : answers)
                for (const Contact& contact : contacts_of(other, i))
                    loses = loses || (contact.separation <= kBears && !has_near(contact));
            out.lose_load[m] += loses;
        }
    }
    return {};
}

}  // namespace

std::vector<UnevenOutcome> measure_uneven(const UnevenPlan& plan) {
    std::vector<UnevenOutcome> outcomes;
    for (const Ground& ground : kGrounds) {
        UnevenOutcome out;
        out.ground = ground.name;
        Settled settled{solver::World({.isa = plan.isa}), {}, {}, {}};
        settle(settled, ground, plan);
        out.bodies = settled.pairs.size();
        CallResult result = find_lost_load(settled, plan, out);
        for (const Start start : {kCold, kWarm})
            for (std::size_t level = 0; level < kUnevenNoiseCount && result; ++level)
                result = run(settled, plan, level, start, out.figures[start][level]);
        if (!result) out.trouble = result.error().message;
        outcomes.push_back(std::move(out));
    }
    return outcomes;
}

}  // namespace abut::steady
