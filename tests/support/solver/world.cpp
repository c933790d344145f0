#include "world.hpp"

#include <algorithm>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace abut::solver {
namespace {

Quat to_float(const Quatd& q) { return {float(q.x), float(q.y), float(q.z), float(q.w)}; }
Vec3 to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

Matrix matrix_of(const Quatd& q) {
    return {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
            {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
            {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}

Quatd turned(const Quatd& q, const Vec3d& angle) {
    const Vec3d w = angle * 0.5, v{q.x, q.y, q.z};
    const Vec3d u = v + w * q.w + cross(w, v);
    const double real = q.w - dot(w, v), norm = std::sqrt(dot(u, u) + real * real);
    return {u.x / norm, u.y / norm, u.z / norm, real / norm};
}

void update_rotation(RigidBody& body) {
    body.rotation = matrix_of(body.orientation);
    if (body.inverse_mass > 0)
        body.inverse_inertia = product(product(body.rotation, body.inverse_inertia_in_body), transposed(body.rotation));
}

// What abut sees: floats, and the shape's own origin.
Body pose_of(const RigidBody& body) {
    return {to_float(body.position - body.rotation * body.centre_in_body), body.shape, to_float(body.orientation)};
}

void apply(RigidBody& body, const Vec3d& impulse, const Vec3d& anchor) {
    body.velocity = body.velocity + impulse * body.inverse_mass;
    body.spin = body.spin + body.inverse_inertia * cross(anchor, impulse);
}

bool overlap(const Bounds& a, const Bounds& b, float margin) {
    return a.min.x <= b.max.x + margin && b.min.x <= a.max.x + margin && a.min.y <= b.max.y + margin &&
           b.min.y <= a.max.y + margin && a.min.z <= b.max.z + margin && b.min.z <= a.max.z + margin;
}

// How much the two bodies' velocity along `v` at their anchors changes by an impulse along `u`.
double response(const RigidBody& a, const RigidBody& b, const Vec3d& on_a, const Vec3d& on_b, const Vec3d& u,
                const Vec3d& v) {
    return (a.inverse_mass + b.inverse_mass) * dot(u, v) + dot(cross(on_a, v), a.inverse_inertia * cross(on_a, u)) +
           dot(cross(on_b, v), b.inverse_inertia * cross(on_b, u));
}

Vec3d relative_velocity(const RigidBody& a, const RigidBody& b, const Vec3d& on_a, const Vec3d& on_b) {
    return b.velocity + cross(b.spin, on_b) - a.velocity - cross(a.spin, on_a);
}

// Of the corners of its bounds along the body's axes.
double reach_of(const ShapeStore& shapes, const RigidBody& body) {
    const Body pose = {{}, body.shape, {}};
    Bounds bounds;
    if (!world_bounds(shapes, std::span(&pose, 1), std::span(&bounds, 1))) return 0;
    const Vec3d low = Vec3d(bounds.min) - body.centre_in_body, high = Vec3d(bounds.max) - body.centre_in_body;
    return length(Vec3d{std::max(-low.x, high.x), std::max(-low.y, high.y), std::max(-low.z, high.z)});
}

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

}  // namespace

Settings World::narrow_settings(const WorldSettings& settings) {
    Settings narrow;
    narrow.speculative_margin = settings.margin;
    narrow.follow_distance = settings.follow_distance;
    narrow.ground_contacts = settings.ground_contacts;
    narrow.manifold_angle = settings.manifold_angle;
    narrow.threads = 1;
    narrow.isa = settings.isa;
    return narrow;
}

std::size_t World::add_static(ShapeId shape, const Vec3d& position, const Quatd& orientation) {
    RigidBody body;
    body.shape = shape;
    body.position = position;
    body.orientation = orientation;
    body.inverse_inertia = {{}, {}, {}};
    update_rotation(body);
    bodies.push_back(body);
    return bodies.size() - 1;
}

std::size_t World::add(const Solid& solid, double mass, const Vec3d& position, const Quatd& orientation) {
    RigidBody body;
    const double density = mass / solid.moments.volume;
    const Matrix& unit = solid.moments.inertia;
    body.shape = solid.shape;
    body.inverse_mass = 1 / mass;
    body.inertia_in_body = {unit.row_x * density, unit.row_y * density, unit.row_z * density};
    body.inverse_inertia_in_body = inverse(body.inertia_in_body);
    body.centre_in_body = solid.moments.centre;
    body.orientation = turned(orientation, {});
    update_rotation(body);
    body.position = position + body.rotation * body.centre_in_body;
    body.reach = reach_of(shapes, body);
    bodies.push_back(body);
    return bodies.size() - 1;
}

double World::kinetic_energy(const RigidBody& body) {
    if (body.inverse_mass == 0) return 0;
    const Vec3d spin = body.rotation.back(body.spin);
    return 0.5 * dot(body.velocity, body.velocity) / body.inverse_mass + 0.5 * dot(spin, body.inertia_in_body * spin);
}

double World::kinetic_energy() const {
    double energy = 0;
    for (const RigidBody& body : bodies) energy += kinetic_energy(body);
    return energy;
}

void World::step() {
    if (settings.hold_after == 0 || steps_ < settings.hold_after) {
        find_pairs();
        collide();
        match_contacts();
        prepare();
    }
    ++steps_;
    const double h = settings.step / settings.substeps;
    for (int i = 0; i < settings.substeps; ++i) solve_substep(h);
    store_impulses();
}

// By how much any point of one body can near the other in a step, beyond the settings' margin.
float World::margin_of(const RigidBody& a, const RigidBody& b) const {
    if (!settings.margin_of_motion) return settings.margin;
    const double speed = length(a.velocity - b.velocity) + length(a.spin) * a.reach + length(b.spin) * b.reach;
    return settings.margin + float(speed * settings.step);
}

// Boxes larger by each body's share of the margin, then the margin of the pair.
void World::find_pairs() {
    poses_.clear(), reaches_.clear(), moving_.clear();
    for (const RigidBody& body : bodies) {
        poses_.push_back(pose_of(body));
        const double motion =
            settings.margin_of_motion ? (length(body.velocity) + length(body.spin) * body.reach) * settings.step : 0.0;
        reaches_.push_back(float(1.001 * (0.5 * settings.margin + motion)));
        moving_.push_back(body.inverse_mass != 0);
    }
    bounds_.resize(bodies.size());
    if (const CallResult result = world_bounds(shapes, poses_, bounds_); !result) fail(result.error().message);
    pairs_.clear();
    margins_.clear();
    if (const CallResult result = broad_.find_pairs({.bounds = bounds_, .margins = reaches_, .moving = moving_});
        !result)
        fail(result.error().message);
    for (const Pair pair : broad_.pairs()) {
        const float margin = margin_of(bodies[pair.a], bodies[pair.b]);
        if (!overlap(bounds_[pair.a], bounds_[pair.b], margin)) continue;
        pairs_.push_back(pair);
        margins_.push_back(margin);
    }
}

void World::collide() {
    std::swap(now_, before_);
    bore_.clear();
    for (const Impulse& impulse : impulses_) bore_.push_back(impulse.normal > 0);
    frame_ = {&shapes, poses_, pairs_, margins_};
    const std::span<WarmCache> caches = table_.begin(frame_.pairs);
    if (settings.warm) frame_.caches = caches;
    if (const CallResult result = narrow_.collide(frame_, now_); !result) fail(result.error().message);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        if (now_.status[i] != Status::ok)
            fail("pair " + std::to_string(pairs_[i].a) + "-" + std::to_string(pairs_[i].b) + ": " +
                 to_string(now_.status[i]));
}

// The one place that knows how a contact finds its impulse of the last step.
void World::match_contacts() {
    match_by_id();
    std::size_t kept = 0;
    for (const std::uint32_t index : previous_) kept += index != kNewContact;
    ids_kept_ = previous_.empty() ? 1 : double(kept) / double(previous_.size());
    if (settings.match == Match::id) return;
    if (const CallResult result = table_.carry_over(frame_, now_); !result) fail(result.error().message);
}

void World::match_by_id() {
    const std::span<const PreviousPair> previous_pairs = table_.previous_pairs();
    previous_.assign(now_.contacts.size(), kNewContact);
    for (const Manifold& m : now_.manifolds) {
        const std::uint32_t pair = previous_pairs[m.pair].index;  // never swapped: find_pairs has the lower body first
        if (pair == kNoPair) continue;
        for (std::uint32_t k = before_.first_manifold[pair]; k < before_.first_manifold[pair + 1]; ++k) {
            const Manifold& old = before_.manifolds[k];
            // A surface's child is a triangle, which changes; its manifolds have a normal each.
            const auto is_same = [&](std::uint32_t body, std::uint32_t was, std::uint32_t is) {
                const ShapeKind kind = bodies[body].shape.kind();
                return was == is || kind == ShapeKind::mesh || kind == ShapeKind::heightfield;
            };
            const Pair of = pairs_[m.pair];
            if (!is_same(of.a, old.child_a, m.child_a) || !is_same(of.b, old.child_b, m.child_b) ||
                dot(Vec3d(old.normal), Vec3d(m.normal)) < 0.99)
                continue;
            for (std::uint32_t i = m.first_contact; i < m.first_contact + m.contact_count; ++i)
                for (std::uint32_t j = old.first_contact; j < old.first_contact + old.contact_count; ++j)
                    if (before_.contacts[j].feature == now_.contacts[i].feature) previous_[i] = j;
        }
    }
}

std::size_t World::lost_load(double distance) const {
    const std::span<const PreviousPair> previous_pairs = table_.previous_pairs();
    std::size_t lost = 0;
    for (std::size_t pair = 0; pair < previous_pairs.size(); ++pair) {
        const std::uint32_t old = previous_pairs[pair].index;
        if (old == kNoPair) continue;
        const auto has_near = [&](const Contact& contact) {
            for (std::uint32_t m = now_.first_manifold[pair]; m < now_.first_manifold[pair + 1]; ++m)
                for (std::uint32_t k = 0; k < now_.manifolds[m].contact_count; ++k)
                    if (length(Vec3d(now_.contacts[now_.manifolds[m].first_contact + k].position) -
                               Vec3d(contact.position)) <= distance)
                        return true;
            return false;
        };
        for (std::uint32_t m = before_.first_manifold[old]; m < before_.first_manifold[old + 1]; ++m)
            for (std::uint32_t i = before_.manifolds[m].first_contact;
                 i < before_.manifolds[m].first_contact + before_.manifolds[m].contact_count; ++i)
                lost += bore_[i] && !has_near(before_.contacts[i]);
    }
    return lost;
}

// What contact i of this step starts from.
World::Impulse World::start_of(std::size_t i) {
    if (settings.match == Match::id) return previous_[i] != kNewContact ? impulses_[previous_[i]] : Impulse{};
    const ContactImpulse& carried = table_.impulses()[i];
    return {carried.normal, Vec3d(carried.friction)};
}

void World::prepare() {
    const double h = settings.step / settings.substeps;
    const auto softness = [&](double hertz) {
        const double omega = 2 * std::numbers::pi * hertz, a1 = 2 * settings.damping_ratio + h * omega,
                     a2 = h * omega * a1;
        return Softness{omega / a1, a2 / (1 + a2), 1 / (1 + a2)};
    };
    soft_ = softness(settings.contact_hertz);
    soft_on_static_ = softness(2 * settings.contact_hertz);
    constraints_.clear();
    for (const Manifold& m : now_.manifolds) {
        const Pair pair = pairs_[m.pair];
        for (std::uint32_t i = m.first_contact; i < m.first_contact + m.contact_count; ++i) {
            const Contact& contact = now_.contacts[i];
            Constraint c{};
            c.a = &bodies[pair.a];
            c.b = &bodies[pair.b];
            c.normal = Vec3d(m.normal);
            const Vec3d& n = c.normal;
            c.tangent[0] = normalised(std::abs(n.x) < 0.6 ? cross(n, {1, 0, 0}) : cross(n, {0, 1, 0}));
            c.tangent[1] = cross(n, c.tangent[0]);
            // Relative to the poses that abut saw, so that nothing is lost far from the origin.
            const Vec3d origin_a = Vec3d(poses_[pair.a].position), origin_b = Vec3d(poses_[pair.b].position),
                        p(contact.position);
            c.anchor_a = p - c.a->rotation * c.a->centre_in_body;
            c.anchor_b = p + (origin_a - origin_b) - c.b->rotation * c.b->centre_in_body;
            c.local_a = c.a->rotation.back(c.anchor_a);
            c.local_b = c.b->rotation.back(c.anchor_b);
            // What the anchors are apart along the normal is taken off here and added from the bodies' motion in every
            // substep.
            c.separation = double(contact.separation) - dot(c.b->position + c.anchor_b - c.a->position - c.anchor_a, n);
            c.normal_mass = 1 / response(*c.a, *c.b, c.anchor_a, c.anchor_b, n, n);
            for (int k = 0; k < 3; ++k)
                c.tangent_k[k] = response(*c.a, *c.b, c.anchor_a, c.anchor_b, c.tangent[k / 2], c.tangent[(k + 1) / 2]);
            const Impulse start = start_of(i);
            c.normal_impulse = start.normal;
            c.tangent_impulse[0] = dot(start.friction, c.tangent[0]);
            c.tangent_impulse[1] = dot(start.friction, c.tangent[1]);
            constraints_.push_back(c);
        }
    }
}

void World::solve_substep(double h) {
    for (RigidBody& body : bodies)
        if (body.inverse_mass > 0) body.velocity.y -= settings.gravity * h;
    warm_start();
    for (Constraint& c : constraints_) solve(c, h, true);
    move(h);
    for (int i = 0; i < settings.relax_iterations; ++i)
        for (Constraint& c : constraints_) solve(c, h, false);
}

void World::warm_start() {
    for (Constraint& c : constraints_) {
        const Vec3d impulse =
            c.normal * c.normal_impulse + c.tangent[0] * c.tangent_impulse[0] + c.tangent[1] * c.tangent_impulse[1];
        apply(*c.a, -impulse, c.anchor_a);
        apply(*c.b, impulse, c.anchor_b);
    }
}

void World::solve(Constraint& c, double h, bool push_out) const {
    const Vec3d apart = c.b->position + c.b->rotation * c.local_b - c.a->position - c.a->rotation * c.local_a;
    const double separation = c.separation + dot(apart, c.normal);
    double bias = 0, mass_scale = 1, impulse_scale = 0;
    if (separation > 0) {
        bias = separation / h;
    } else if (push_out) {
        const Softness& soft = c.a->inverse_mass == 0 || c.b->inverse_mass == 0 ? soft_on_static_ : soft_;
        bias = std::max(soft.bias_rate * separation, -settings.push_out);
        mass_scale = soft.mass_scale;
        impulse_scale = soft.impulse_scale;
    }
    const double speed = dot(relative_velocity(*c.a, *c.b, c.anchor_a, c.anchor_b), c.normal);
    const double wanted =
        c.normal_impulse - c.normal_mass * mass_scale * (speed + bias) - impulse_scale * c.normal_impulse;
    const double impulse = std::max(wanted, 0.0) - c.normal_impulse;
    c.normal_impulse += impulse;
    apply(*c.a, c.normal * -impulse, c.anchor_a);
    apply(*c.b, c.normal * impulse, c.anchor_b);
    solve_friction(c);  // after the normal, whose impulse the soft pass has lessened
}

// Coulomb's cone. What sticks is solved for both tangents at once. What slides takes a step against its velocity: the
// solution for both points elsewhere, and cut short it would brake a sliding box by 0.52 where 0.6 is asked for.
void World::solve_friction(Constraint& c) const {
    const Vec3d velocity = relative_velocity(*c.a, *c.b, c.anchor_a, c.anchor_b);
    const double u = dot(velocity, c.tangent[0]), v = dot(velocity, c.tangent[1]);
    const double determinant = c.tangent_k[0] * c.tangent_k[2] - c.tangent_k[1] * c.tangent_k[1];
    double s = c.tangent_impulse[0] - (c.tangent_k[2] * u - c.tangent_k[1] * v) / determinant;
    double t = c.tangent_impulse[1] - (c.tangent_k[0] * v - c.tangent_k[1] * u) / determinant;
    const double most = settings.friction * c.normal_impulse;
    if (s * s + t * t > most * most) {
        const double slowest = std::max(c.tangent_k[0], c.tangent_k[2]);
        s = c.tangent_impulse[0] - u / slowest;
        t = c.tangent_impulse[1] - v / slowest;
        const double size = std::sqrt(s * s + t * t);
        if (size > most) {
            s *= most / size;
            t *= most / size;
        }
    }
    const Vec3d impulse = c.tangent[0] * (s - c.tangent_impulse[0]) + c.tangent[1] * (t - c.tangent_impulse[1]);
    c.tangent_impulse[0] = s;
    c.tangent_impulse[1] = t;
    apply(*c.a, -impulse, c.anchor_a);
    apply(*c.b, impulse, c.anchor_b);
}

// Angular momentum is kept while the body turns, and the spin follows from it.
void World::move(double h) {
    for (RigidBody& body : bodies) {
        if (body.inverse_mass == 0) continue;
        const Vec3d momentum = body.rotation * (body.inertia_in_body * body.rotation.back(body.spin));
        body.position = body.position + body.velocity * h;
        body.orientation = turned(body.orientation, body.spin * h);
        update_rotation(body);
        body.spin = body.inverse_inertia * momentum;
    }
}

void World::store_impulses() {
    impulses_.clear();
    for (const Constraint& c : constraints_)
        impulses_.push_back(
            {c.normal_impulse, c.tangent[0] * c.tangent_impulse[0] + c.tangent[1] * c.tangent_impulse[1]});
    if (settings.match == Match::id) return;
    for (std::size_t i = 0; i < impulses_.size(); ++i) {
        const Vec3d& f = impulses_[i].friction;
        table_.impulses()[i] = {float(impulses_[i].normal), {float(f.x), float(f.y), float(f.z)}};
    }
}

}  // namespace abut::solver
