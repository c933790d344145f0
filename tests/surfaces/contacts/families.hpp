// What abut_ground counts: families of bodies on ground, each pose judged in double precision. Line `name`, seed and
// index name a pose on any machine.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"

namespace abut::ground {

// One way to be wrong, and how many of the judged poses may be.
struct Fault {
    const char* name;
    double limit = 0;  // a share
};

struct Finding {
    bool is_judged = false;    // false: the pose is not one that the family is about
    std::uint32_t faults = 0;  // a bit for each fault of the family
    double worst = 0;          // orders examples
    std::string details;       // of a faulty pose
    std::string lists;         // with Pose::is_shown: the contacts that there are and those found, a line each
    std::string query;         // ... a line of `abut query`
};

struct Pose {
    scenes::Random random;
    NarrowPhase& narrow;
    bool is_shown = false;
};

struct Family {
    std::string name;  // group/case
    std::string what;
    std::vector<Fault> faults;
    std::function<Finding(Pose&)> examine;
};

std::span<const Family> all_families();
// Those whose name is `name` or begins with it and a slash.
std::vector<const Family*> find_families(std::string_view name);

struct Example {
    std::size_t index = 0;
    std::uint32_t faults = 0;
    double worst = 0;
    std::string details;
};
struct Tally {
    const Family* family = nullptr;
    std::size_t poses = 0, judged = 0, wrong = 0;  // `wrong`: with any fault
    std::vector<std::size_t> counts;               // by fault
    std::vector<Example> worst;                    // first

    bool is_within_limits() const;
    double share(std::size_t fault) const { return judged == 0 ? 0 : double(counts[fault]) / double(judged); }
};

struct Plan {
    std::size_t poses = 1000;
    std::uint64_t seed = 1;
    unsigned threads = 0;  // 0: all cores
    std::size_t show = 3;  // examples
    Isa isa = Isa::best;
    std::uint32_t contacts = 4;  // Settings::ground_contacts
};
Tally run(const Family& family, const Plan& plan);
Finding examine_one(const Family& family, const Plan& plan, std::size_t index);

// --- for families.cpp: the groups ---
void add_hold_families(std::vector<Family>& out);
void add_load_families(std::vector<Family>& out);
void add_deep_families(std::vector<Family>& out);
void add_served_families(std::vector<Family>& out);

}  // namespace abut::ground
