// See families.hpp.
#include "surfaces/contacts/families.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace abut::ground {
namespace {

Settings settings_for(const Plan& plan) {
    Settings settings;
    settings.executor = serial_executor();
    settings.isa = plan.isa;
    settings.ground_contacts = plan.contacts;
    return settings;
}

std::uint64_t hash_of(const std::string& name) {
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const char c : name) h = (h ^ std::uint64_t(std::uint8_t(c))) * 0x100000001b3ull;
    return h;
}

Finding examine(const Family& family, const Plan& plan, std::size_t index, NarrowPhase& narrow, bool is_shown) {
    Pose pose{scenes::Random(plan.seed ^ hash_of(family.name), index), narrow, is_shown};
    return family.examine(pose);
}

}  // namespace

std::span<const Family> all_families() {
    static const std::vector<Family> families = [] {
        std::vector<Family> out;
        add_hold_families(out);
        add_load_families(out);
        add_deep_families(out);
        add_served_families(out);
        return out;
    }();
    return families;
}

std::vector<const Family*> find_families(std::string_view name) {
    std::vector<const Family*> out;
    for (const Family& family : all_families()) {
        const std::string_view other = family.name;
        if (other == name || (other.starts_with(name) && other[name.size()] == '/')) out.push_back(&family);
    }
    return out;
}

bool Tally::is_within_limits() const {
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (share(i) > family->faults[i].limit) return false;
    return true;
}

Finding examine_one(const Family& family, const Plan& plan, std::size_t index) {
    NarrowPhase narrow(settings_for(plan));
    return examine(family, plan, index, narrow, true);
}

Tally run(const Family& family, const Plan& plan) {
    std::vector<Finding> findings(plan.poses);
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> threads;
    const unsigned count = plan.threads > 0 ? plan.threads : std::max(std::thread::hardware_concurrency(), 1u);
    const auto work = [&] {
        NarrowPhase narrow(settings_for(plan));
        for (std::size_t i = next++; i < plan.poses; i = next++) findings[i] = examine(family, plan, i, narrow, false);
    };
    for (unsigned i = 1; i < count; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    Tally out;
    out.family = &family, out.poses = plan.poses;
    out.counts.resize(family.faults.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& f = findings[i];
        out.judged += f.is_judged, out.wrong += f.faults != 0;
        for (std::size_t k = 0; k < out.counts.size(); ++k) out.counts[k] += f.faults >> k & 1;
        if (f.faults != 0) out.worst.push_back({i, f.faults, f.worst, f.details});
    }
    std::ranges::stable_sort(out.worst, [](const Example& x, const Example& y) { return x.worst > y.worst; });
    if (out.worst.size() > plan.show) out.worst.resize(plan.show);
    return out;
}

}  // namespace abut::ground
