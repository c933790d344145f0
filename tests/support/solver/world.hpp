// World: a small rigid-body solver on abut's public API. Soft contacts, substeps and relaxing after [Catto 2024,
// "Solver2D"], as Box2D and Box3D have them; no sleeping and no restitution, so that what a stack does at rest is seen.
#pragma once

#include <cstdint>
#include <vector>

#include <abut/abut.hpp>

#include "mass.hpp"

namespace abut::solver {

// Which impulses of the last step a contact starts from.
enum class Match : std::uint8_t {
    id,    // that of the contact with the same feature id
    full,  // that which WarmTable::carry_over gives it
};

struct WorldSettings {
    double gravity = 9.81;
    double step = 1.0 / 60;
    int substeps = 4;
    int relax_iterations = 1;
    double contact_hertz = 30;  // twice as much against bodies that do not move
    double damping_ratio = 10;
    double push_out = 3;  // metres a second: overlaps end no faster
    double friction = 0.6;
    float margin = 0.02f, follow_distance = 0, manifold_angle = 0;
    std::uint32_t ground_contacts = 4;
    bool margin_of_motion = false;  // a pair's margin is larger by how far its bodies' points move in a step
    bool warm = false;              // WarmTable's caches for abut; impulses are warm started in either case
    Match match = Match::full;
    Isa isa = Isa::best;
    int hold_after =
        0;  // steps after which the contacts stay those of the last call, so that the solver is seen by itself; 0: never
};

struct Quatd {
    double x = 0, y = 0, z = 0, w = 1;
};

struct RigidBody {
    Vec3d position;  // of the centre of mass
    Quatd orientation;
    Vec3d velocity, spin;
    double inverse_mass = 0;  // 0: never moves
    ShapeId shape;
    Vec3d centre_in_body;  // of mass
    Matrix inertia_in_body, inverse_inertia_in_body;
    Matrix rotation, inverse_inertia;  // of the orientation, in world axes
    double reach = 0;                  // from the centre of mass to the farthest point, at most; of bodies that move
};

class World {
public:
    explicit World(const WorldSettings& wanted) : settings(wanted), narrow_(narrow_settings(wanted)) {}

    ShapeStore shapes;
    WorldSettings settings;
    std::vector<RigidBody> bodies;

    // `position` is that of the shape's origin.
    std::size_t add_static(ShapeId shape, const Vec3d& position, const Quatd& orientation = {});
    std::size_t add(const Solid& solid, double mass, const Vec3d& position, const Quatd& orientation = {});

    // Throws std::runtime_error where abut refuses a call or a pair.
    void step();

    double kinetic_energy() const;
    static double kinetic_energy(const RigidBody& body);
    const Frame& frame() const { return frame_; }        // of the last step
    const Manifolds& manifolds() const { return now_; }  // of the last step
    double ids_kept() const { return ids_kept_; }  // share of the last step's contacts that the step before had too
    // Contacts that bore an impulse in the step before, and no contact of the last step in the same pair is so near
    // them, seen from the first body.
    std::size_t lost_load(double distance) const;

private:
    struct Impulse {
        double normal = 0;
        Vec3d friction;
    };
    struct Constraint {
        RigidBody *a, *b;
        Vec3d normal, tangent[2], anchor_a, anchor_b;  // anchors from the centres of mass, at the step's start
        Vec3d local_a, local_b;                        // the same, along the bodies' axes
        double separation;                             // less what the anchors tell of it
        double normal_mass, tangent_k[3];
        double normal_impulse, tangent_impulse[2];
    };
    struct Softness {
        double bias_rate, mass_scale, impulse_scale;
    };

    static Settings narrow_settings(const WorldSettings& settings);
    float margin_of(const RigidBody& a, const RigidBody& b) const;
    void find_pairs();
    void collide();
    void match_contacts();
    void match_by_id();
    Impulse start_of(std::size_t contact);
    void prepare();
    void solve_substep(double h);
    void warm_start();
    void solve(Constraint& c, double h, bool push_out) const;
    void solve_friction(Constraint& c) const;
    void move(double h);
    void store_impulses();

    NarrowPhase narrow_;
    BroadPhase broad_{{.executor = serial_executor()}};
    WarmTable table_;
    Frame frame_;
    std::vector<Body> poses_;
    std::vector<Bounds> bounds_;
    std::vector<Pair> pairs_;
    std::vector<float> margins_, reaches_;
    std::vector<std::uint8_t> moving_;
    Manifolds now_, before_;
    std::vector<std::uint32_t> previous_;  // of each contact of now_: its index in before_.contacts, or kNewContact
    std::vector<Impulse> impulses_;        // of each contact of before_
    std::vector<bool> bore_;               // of each contact of before_: whether it bore an impulse
    std::vector<Constraint> constraints_;  // one per contact of now_
    Softness soft_, soft_on_static_;
    double ids_kept_ = 1;
    int steps_ = 0;
};

}  // namespace abut::solver
