#include "plugin.hpp"

#include <algorithm>

#include "batch.hpp"
#include "cook.hpp"

namespace abut::mujoco {
namespace {

Plugin* active = nullptr;
std::uint64_t editions = 0;

constexpr int kTypes[] = {mjGEOM_PLANE,    mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID,
                          mjGEOM_CYLINDER, mjGEOM_BOX,    mjGEOM_MESH};
// Precondition: type1 <= type2, as in the table.
bool has_closed_form(int type1, int type2) {
    switch (type1) {
        case mjGEOM_PLANE:
            return type2 == mjGEOM_SPHERE || type2 == mjGEOM_CAPSULE || type2 == mjGEOM_ELLIPSOID ||
                   type2 == mjGEOM_BOX;
        case mjGEOM_SPHERE:
        case mjGEOM_CAPSULE: return type2 == mjGEOM_SPHERE || type2 == mjGEOM_CAPSULE || type2 == mjGEOM_BOX;
        default: return false;
    }
}

// Data that was deleted is noticed by their number alone; to forget living data costs a step without prediction.
constexpr std::size_t kMostData = 1024;

// What a thread has of the plug-in.
struct ThreadState {
    std::uint64_t edition = 0;
    NarrowPhase narrow;
    std::unordered_map<const mjData*, Batch> batches;
    const mjData* data = nullptr;    // of the last pair
    const mjModel* model = nullptr;  // of the last pair
    Batch* batch = nullptr;          // theirs; null: the model is MuJoCo's
};

ThreadState& thread_state() {
    static thread_local ThreadState state;
    return state;
}

// A mjData may be stepped with several models in turns.
Batch& batch_of(ThreadState& state, const mjData& data, const Cooked& cooked, const Options& options) {
    if (const auto found = state.batches.find(&data); found != state.batches.end()) {
        if (!found->second.is_of(cooked)) found->second = Batch(cooked, options);
        return found->second;
    }
    if (state.batches.size() >= kMostData) state.batches.clear();
    return state.batches.try_emplace(&data, cooked, options).first->second;
}

// Newer versions of MuJoCo 3 have a struct for it with the names `normal` and `tangent`.
template <class Contact>
void set_normal(Contact& contact, const Vec3& normal) {
    mjtNum *to, *tangent;
    if constexpr (requires { contact.normal; }) {
        to = contact.normal, tangent = contact.tangent;
    } else {
        to = contact.frame, tangent = contact.frame + 3;
    }
    to[0] = normal.x, to[1] = normal.y, to[2] = normal.z;
    std::fill_n(tangent, 3, mjtNum(0));  // MuJoCo chooses it
}

// In the table. MuJoCo's versions differ in these types, and the table picks the right ones.
template <class Data, class Contact>
int collide_geoms(const mjModel* model, Data* data, Contact* contacts, int geom1, int geom2, mjtNum margin) {
    const int count = active->collide(*model, *data, contacts, geom1, geom2, margin);
    if (count >= 0) return count;
    return active->found(model->geom_type[geom1], model->geom_type[geom2])(model, data, contacts, geom1, geom2, margin);
}

}  // namespace

Plugin::Plugin(const Options& options) : options_(options) {
    if (active) {
        error_ = {ErrorCode::bad_argument, "another plug-in has MuJoCo's table"};
        return;
    }
    if (const CallResult usable = NarrowPhase(options.settings).usable(); !usable) {
        error_ = usable.error();
        return;
    }
    active = this;
    edition_ = ++editions;
    for (const int type1 : kTypes) {
        for (const int type2 : kTypes) {
            mjfCollision& entry = mjCOLLISIONFUNC[type1][type2];
            found_[type1][type2] = entry;
            if (entry && (options.all_kinds || !has_closed_form(type1, type2))) entry = collide_geoms;
        }
    }
}

Plugin::~Plugin() {
    if (active != this) return;
    for (const int type1 : kTypes) {
        for (const int type2 : kTypes) mjCOLLISIONFUNC[type1][type2] = found_[type1][type2];
    }
    active = nullptr;
}

CallResult Plugin::add(const mjModel& model) {
    auto cooked = std::make_unique<Cooked>();
    const CallResult result = cook(model, *cooked);
    models_[&model] = std::move(cooked);
    edition_ = ++editions;
    return result;
}

void Plugin::remove(const mjModel& model) {
    models_.erase(&model);
    edition_ = ++editions;
}

const Cooked* Plugin::cooked(const mjModel& model) const {
    const auto found = models_.find(&model);
    return found == models_.end() ? nullptr : found->second.get();
}

bool Plugin::knows(const mjModel& model, int geom) const {
    const Cooked* const found = cooked(model);
    return found && geom >= 0 && std::size_t(geom) < found->known.size() && found->known[std::size_t(geom)];
}

Work Plugin::work(const mjData& data) const {
    const ThreadState& state = thread_state();
    const auto found = state.batches.find(&data);
    return state.edition == edition_ && found != state.batches.end() ? found->second.work : Work{};
}

Batch* Plugin::find_batch(const mjModel& model, const mjData& data) const {
    ThreadState& state = thread_state();
    if (state.edition != edition_) state = {edition_, NarrowPhase(options_.settings), {}};
    if (state.data == &data && state.model == &model) return state.batch;
    const Cooked* const shapes = cooked(model);
    const bool fits = shapes && shapes->known.size() == std::size_t(model.ngeom);
    state.data = nullptr;
    state.batch = fits ? &batch_of(state, data, *shapes, options_) : nullptr;
    state.data = &data, state.model = &model;
    return state.batch;
}

template <class Contact>
int Plugin::collide(const mjModel& model, const mjData& data, Contact* contacts, int geom1, int geom2,
                    mjtNum margin) const noexcept try {
    Batch* const batch = find_batch(model, data);
    if (!batch || !batch->knows(geom1) || !batch->knows(geom2)) return -1;
    const Answer* const answer = batch->find(thread_state().narrow, data, std::uint32_t(geom1), std::uint32_t(geom2),
                                             std::max(float(margin), 0.0f));
    if (!answer || (answer->status != Status::ok && answer->status != Status::not_converged)) {
        ++batch->work.failed;
        return -1;
    }
    const mjtNum* const origin = data.geom_xpos + 3 * geom1;
    for (std::uint32_t i = 0; i < answer->count; ++i) {
        const abut::Contact& from = answer->contacts[i];
        Contact& to = contacts[i];
        to.dist = from.separation;
        to.pos[0] = origin[0] + from.position.x, to.pos[1] = origin[1] + from.position.y,
        to.pos[2] = origin[2] + from.position.z;
        set_normal(to, answer->normal);
    }
    ++batch->work.pairs, batch->work.contacts += answer->count;
    return int(answer->count);
} catch (...) {
    return -1;
}

}  // namespace abut::mujoco
