#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include <time.h>

#include "solids.hpp"
#include "support/oracle/manifold.hpp"

namespace abut::tools {
namespace {

using GeomPair = std::pair<int, int>;

constexpr std::size_t kTurn = 15;  // steps: whatever else the machine does slows all runs alike
constexpr double kKeptShare = 0.05;

// Of this thread alone: other programs' time does not count.
double processor_seconds() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

struct AskedPair {
    GeomPair geoms;
    double margin;
};
std::vector<AskedPair> asked;

template <class Data, class Contact>
int record(const mjModel*, Data*, Contact*, int geom1, int geom2, mjtNum margin) {
    asked.push_back({{geom1, geom2}, margin});
    return 0;
}
template <class Data, class Contact>
int find_nothing(const mjModel*, Data*, Contact*, int, int, mjtNum) {
    return 0;
}

struct Table {
    mjfCollision functions[mjNGEOMTYPES][mjNGEOMTYPES];
    static Table now() {
        Table table;
        std::memcpy(table.functions, mjCOLLISIONFUNC, sizeof table.functions);
        return table;
    }
    static Table of(mjfCollision function) {
        Table table = now();
        for (auto& row : table.functions) {
            for (mjfCollision& entry : row) entry = entry ? function : nullptr;
        }
        return table;
    }
    void use() const { std::memcpy(mjCOLLISIONFUNC, functions, sizeof functions); }
};

// MuJoCo's table and abut's, and a model for each kind of run.
class Stage {
public:
    Stage(const MujocoScene& scene, const CompareOptions& options)
        : mujoco_(Table::now()),
          plugin_(options.plugin),
          abut_(Table::now()),
          none_(Table::of(find_nothing)),
          recorder_(Table::of(record)) {
        model_ = load_model(scene.xml(options.margin));
        flagged_.reset(mj_copyModel(nullptr, model_.get()));
        flagged_->opt.enableflags |= mjENBL_MULTICCD;
        (void)plugin_.add(*model_);
        for (int geom = 0; geom < model_->ngeom; ++geom) solids_.push_back(solid_of(*model_, geom));
    }
    ~Stage() { abut_.use(); }  // as the plug-in left it

    const mjModel& use(Functions functions) const {
        (functions == Functions::abut ? abut_ : functions == Functions::none ? none_ : mujoco_).use();
        return functions == Functions::multiccd ? *flagged_ : *model_;
    }
    // The pairs that MuJoCo asks for at `data`'s poses.
    const std::vector<AskedPair>& pairs(mjData& data) const {
        asked.clear();
        recorder_.use();
        mj_collision(model_.get(), &data);
        return asked;
    }
    const mjModel& model() const { return *model_; }
    const mujoco::Plugin& plugin() const { return plugin_; }
    const oracle::Solid& solid(int geom) const { return solids_[std::size_t(geom)]; }

private:
    Table mujoco_;
    mujoco::Plugin plugin_;
    Table abut_, none_, recorder_;
    ModelPointer model_, flagged_;
    std::vector<oracle::Solid> solids_;
};

// A contact's position in the frame of its second geom, which moves.
oracle::Vec3d local_position(const mjModel& model, const mjData& data, const mjContact& contact) {
    const oracle::Pose pose = pose_of(model, data, contact.geom2);
    return pose.rotation.back(oracle::Vec3d(contact.pos[0], contact.pos[1], contact.pos[2]) - pose.position);
}

class Run {
public:
    Run(const Stage& stage, Functions functions, double seconds)
        : stage_(stage), functions_(functions), data_(mj_makeData(&stage.model())) {
        steps_ = std::size_t(seconds / stage.model().opt.timestep);
    }

    std::size_t steps() const { return steps_; }
    void step() {
        const mjModel& model = stage_.use(functions_);
        if (functions_ == Functions::mujoco) states.emplace_back(data_->qpos, data_->qpos + model.nq);
        const double start = processor_seconds();
        mj_step(&model, data_.get());
        seconds_ += processor_seconds() - start;
        ++done_;
        contacts_ += std::size_t(data_->ncon);
        compare_contacts(2 * done_ > steps_);
        if (double(steps_ - done_) * model.opt.timestep < 0.5) energy_ += data_->energy[1], ++energies_;
    }
    Measured finish() const {
        Measured m;
        m.contacts = double(contacts_) / double(done_);
        m.kept = compared_ == 0 ? 1 : double(kept_) / double(compared_);
        m.energy = energy_ / double(energies_);
        m.step_microseconds = 1e6 * seconds_ / double(done_);
        if (functions_ == Functions::abut) m.work = stage_.plugin().work(*data_);
        return m;
    }

    std::vector<std::vector<mjtNum>> states;  // the positions before each step, of MuJoCo's own run

private:
    void compare_contacts(bool counts) {
        std::map<GeomPair, std::vector<oracle::Vec3d>> now;
        for (int i = 0; i < data_->ncon; ++i) {
            const mjContact& contact = data_->contact[i];
            const GeomPair pair(contact.geom1, contact.geom2);
            const oracle::Vec3d position = local_position(stage_.model(), *data_, contact);
            now[pair].push_back(position);
            if (!counts) continue;
            ++compared_;
            const auto before = previous_.find(pair);
            if (before == previous_.end()) continue;
            const double most = kKeptShare * oracle::smaller_size(stage_.solid(pair.first), stage_.solid(pair.second));
            kept_ += std::any_of(before->second.begin(), before->second.end(),
                                 [&](const auto& p) { return length(p - position) <= most; });
        }
        previous_ = std::move(now);
    }

    const Stage& stage_;
    Functions functions_;
    DataPointer data_;
    std::size_t steps_ = 0, done_ = 0, contacts_ = 0, kept_ = 0, compared_ = 0, energies_ = 0;
    double seconds_ = 0, energy_ = 0;
    std::map<GeomPair, std::vector<oracle::Vec3d>> previous_;
};

// Contacts of recorded poses.
class Replay {
public:
    Replay(const Stage& stage, Functions functions)
        : stage_(stage), functions_(functions), data_(mj_makeData(&stage.model())) {}

    void pose(const std::vector<mjtNum>& positions) {
        std::copy(positions.begin(), positions.end(), data_->qpos);
        mj_kinematics(&stage_.model(), data_.get());
    }
    void collide() {
        const mjModel& model = stage_.use(functions_);
        const double start = processor_seconds();
        mj_collision(&model, data_.get());
        seconds += processor_seconds() - start;
    }
    mjData& data() { return *data_; }

    double seconds = 0;

private:
    const Stage& stage_;
    Functions functions_;
    DataPointer data_;
};

struct ExactPair {
    AskedPair asked;
    double distance, size, tolerance;
};

std::vector<ExactPair> exact_pairs(const Stage& stage, mjData& data) {
    std::vector<ExactPair> exact;
    for (const AskedPair& pair : stage.pairs(data)) {
        const int a = pair.geoms.first, b = pair.geoms.second;
        const oracle::Solid &solid_a = stage.solid(a), &solid_b = stage.solid(b);
        const double distance =
            oracle::signed_distance(solid_a, pose_of(stage.model(), data, a), solid_b, pose_of(stage.model(), data, b))
                .signed_distance;
        exact.push_back(
            {pair, distance, oracle::smaller_size(solid_a, solid_b), oracle::tolerance(solid_a, solid_b, distance)});
    }
    return exact;
}

void judge(Judged& judged, const std::vector<ExactPair>& pairs, const mjData& data) {
    std::map<GeomPair, double> least;
    for (int i = 0; i < data.ncon; ++i) {
        const mjContact& contact = data.contact[i];
        const auto [found, is_new] = least.try_emplace(GeomPair(contact.geom1, contact.geom2), contact.dist);
        if (!is_new) found->second = std::min(found->second, double(contact.dist));
    }
    judged.contacts += std::size_t(data.ncon);
    for (const ExactPair& pair : pairs) {
        const auto found = least.find(pair.asked.geoms);
        const bool is_near = pair.distance < pair.asked.margin;
        judged.near += is_near;
        if (found == least.end()) {
            judged.missed += pair.distance < pair.asked.margin - pair.tolerance;
            continue;
        }
        const double error = std::fabs(found->second - pair.distance);
        judged.invented += pair.distance > pair.asked.margin + pair.tolerance;
        judged.wrong += is_near && error > pair.tolerance;
        judged.coarse += is_near && error > oracle::kSlackShare * pair.size + pair.tolerance;
        if (is_near) judged.worst = std::max(judged.worst, error / pair.size);
    }
}

void replay(const Stage& stage, const std::vector<std::vector<mjtNum>>& states, std::size_t judged_steps,
            std::span<Measured> measured) {
    std::vector<Replay> replays, judged;
    for (const Functions functions : kCompared)
        replays.emplace_back(stage, functions), judged.emplace_back(stage, functions);
    replays.emplace_back(stage, Functions::none);
    Replay& poses = replays.back();
    const std::size_t every = std::max<std::size_t>(1, states.size() / std::max<std::size_t>(1, judged_steps));
    std::size_t pairs = 0;
    for (std::size_t done = 0; done < states.size(); done += kTurn) {
        const std::size_t end = std::min(done + kTurn, states.size());
        for (Replay& run : replays) {
            for (std::size_t i = done; i < end; ++i) run.pose(states[i]), run.collide();
        }
        for (std::size_t i = done; i < end; ++i) {
            poses.pose(states[i]);
            pairs += stage.pairs(poses.data()).size();
            if (i % every != every - 1) continue;
            const std::vector<ExactPair> exact = exact_pairs(stage, poses.data());
            for (std::size_t k = 0; k < kCompared.size(); ++k) {
                judged[k].pose(states[i]), judged[k].collide();
                judge(measured[k].judged, exact, judged[k].data());
            }
        }
    }
    for (std::size_t k = 0; k < kCompared.size(); ++k) {
        measured[k].pair_nanoseconds = 1e9 * (replays[k].seconds - replays.back().seconds) / double(pairs);
        measured[k].pairs = double(pairs) / double(states.size());
    }
}

}  // namespace

std::array<Measured, kCompared.size()> compare(const MujocoScene& scene, const CompareOptions& options) {
    const Stage stage(scene, options);
    std::vector<Run> runs;
    for (const Functions functions : kCompared) runs.emplace_back(stage, functions, options.seconds);
    for (std::size_t done = 0; done < runs.front().steps(); done += kTurn) {
        for (Run& run : runs) {
            for (std::size_t i = done; i < std::min(done + kTurn, run.steps()); ++i) run.step();
        }
    }
    std::array<Measured, kCompared.size()> measured;
    for (std::size_t k = 0; k < runs.size(); ++k) measured[k] = runs[k].finish();
    replay(stage, runs.front().states, options.judged_steps, measured);
    return measured;
}

}  // namespace abut::tools
