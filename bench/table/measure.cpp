#include "table/measure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "harness/abut_runner.hpp"
#include "harness/check.hpp"
#include "harness/timing.hpp"
#include "rivals/rival.hpp"

namespace abut::bench {
namespace {

// A contestant that may be timed: its call, and what one took when it was checked.
struct Entry {
    Contestant result;
    std::function<void()> call;
    double first_ns = 0;
    Samples samples;

    double first_pair_ns() const { return first_ns / double(std::max<std::size_t>(1, result.pairs)); }
};

void add_abut(const Row& row, Query query, Isa isa, std::vector<Entry>& entries) {
    auto runner = std::make_shared<AbutRunner>(row.frame(), query, on_one_core(isa));
    Entry entry;
    entry.result.library = "abut";
    entry.result.variant = to_string(isa);
    entry.result.pairs = row.pairs.size();
    if (!runner->run()) {
        entry.result.trouble = runner->refusal();
        entries.push_back(std::move(entry));
        return;
    }
    const AbutCheck check = check_abut(row, query, runner->answers(), runner->margin());
    entry.result.counts = check.right();
    entry.result.trouble = check.right() ? "" : std::to_string(check.wrong) + " wrong; " + check.first_wrong;
    entry.result.hit_share = 1 - double(check.wrong) / double(std::max<std::size_t>(1, row.pairs.size()));
    entry.result.error_p99 = check.worst;
    entry.call = [runner] { runner->run(); };
    entry.first_ns = time_call(1, entry.call);
    entries.push_back(std::move(entry));
}

constexpr unsigned kPatienceSeconds = 20;

// Builds and runs the rival on `row`, in a child process first. False where it cannot take the row, or does not come
// back.
bool try_rival(const Rival& rival, const Row& row, Query query, Entry& entry, Answers& answers) {
    auto world = std::make_shared<RivalWorld>(rival, row.frame(), query);
    if (!*world) return false;
    if (!survives(*world, answers, kPatienceSeconds)) {
        entry.result.trouble = "crashed, or was stopped after " + std::to_string(kPatienceSeconds) + " s";
        return false;
    }
    entry.call = [world, out = &answers] { world->run(*out); };
    entry.first_ns = time_call(1, entry.call);
    return true;
}

void add_rival(const Rival& rival, const Row& row, Query query, const Effort& effort, std::vector<Entry>& entries) {
    auto answers = std::make_shared<Answers>(row.pairs.size());
    Entry entry;
    entry.result.library = rival.library;
    entry.result.variant = rival.variant;
    std::size_t pairs = std::min(row.pairs.size(), effort.rival_pairs);
    bool came_back = try_rival(rival, row.first(pairs), query, entry, *answers);
    if (came_back && pairs < row.pairs.size()) {
        const double affordable = effort.rival_ns / std::max(entry.first_ns, 1.0) * double(pairs);
        pairs = std::clamp(std::size_t(affordable), pairs, row.pairs.size());
        came_back = try_rival(rival, row.first(pairs), query, entry, *answers);
    }
    if (came_back) {
        const RivalCheck check = check_rival(row.first(pairs), query, *answers);
        entry.result.counts = check.counts();
        entry.result.hit_share = check.hit_share;
        entry.result.error_p99 = check.error_p99;
        entry.call = [run = entry.call, answers] { run(); };
    } else if (entry.result.trouble.empty()) {
        return;  // it has not these shapes
    }
    entry.result.pairs = pairs;
    entries.push_back(std::move(entry));
}

// Of a library, only those near its best right one are worth the rounds.
bool is_worth_timing(const Entry& entry, const std::vector<Entry>& entries, const Effort& effort) {
    if (entry.result.is_abut()) return bool(entry.call);
    if (!entry.result.counts) return false;
    double best = HUGE_VAL;
    for (const Entry& other : entries) {
        if (other.result.library == entry.result.library && other.result.counts)
            best = std::min(best, other.first_pair_ns());
    }
    return entry.first_pair_ns() <= effort.hopeless * best;
}

void time_in_turn(std::vector<Entry>& entries, const Effort& effort) {
    double round_ns = 0;
    std::vector<Entry*> timed;
    for (Entry& entry : entries) {
        if (!is_worth_timing(entry, entries, effort)) continue;
        timed.push_back(&entry);
        round_ns += std::max(entry.first_ns, effort.sample_ns);
    }
    const int rounds = std::clamp(int(effort.cell_ns / std::max(round_ns, 1.0)), effort.min_rounds, effort.max_rounds);
    for (int round = 0; round < rounds; ++round) {
        for (Entry* entry : timed) {
            const std::size_t calls = std::size_t(std::ceil(effort.sample_ns / std::max(entry->first_ns, 1.0)));
            entry->samples.ns.push_back(time_call(std::max<std::size_t>(calls, 1), entry->call));
        }
    }
}

const Contestant* best(const std::vector<Contestant>& contestants,
                       const std::function<bool(const Contestant&)>& eligible) {
    const Contestant* found = nullptr;
    for (const Contestant& contestant : contestants) {
        if (!contestant.counts || !contestant.timed() || !eligible(contestant)) continue;
        if (!found || contestant.ns_min < found->ns_min) found = &contestant;
    }
    return found;
}

}  // namespace

bool Cell::has(const std::string& library) const {
    return std::any_of(contestants.begin(), contestants.end(),
                       [&](const Contestant& c) { return c.library == library; });
}
const Contestant* Cell::best_abut() const {
    return best(contestants, [](const Contestant& c) { return c.is_abut(); });
}
const Contestant* Cell::abut_on(Isa isa) const {
    return best(contestants, [&](const Contestant& c) { return c.is_abut() && c.variant == to_string(isa); });
}
const Contestant* Cell::best_rival() const {
    return best(contestants, [](const Contestant& c) { return !c.is_abut(); });
}
const Contestant* Cell::best_rival(const std::string& library) const {
    return best(contestants, [&](const Contestant& c) { return c.library == library; });
}
double Cell::ahead() const {
    const Contestant *ours = best_abut(), *theirs = best_rival();
    return ours && theirs ? theirs->ns_min / ours->ns_min : 0;
}
double Cell::best_wrong_share(const std::string& library) const {
    double share = -1;
    for (const Contestant& c : contestants) {
        if (c.library == library && !c.counts) share = std::max(share, c.hit_share);
    }
    return share;
}

Cell measure(const Row& row, Query query, const std::vector<Isa>& isas, const Effort& effort) {
    std::vector<Entry> entries;
    for (const Isa isa : isas) add_abut(row, query, isa, entries);
    if (effort.rivals) {
        for (const Rival& rival : rivals()) {
            if (rival.answers(query)) add_rival(rival, row, query, effort, entries);
        }
    }
    time_in_turn(entries, effort);

    Cell cell;
    cell.row = row.name;
    cell.query = query;
    cell.pairs = row.pairs.size();
    const auto hits = std::count_if(row.exact.begin(), row.exact.end(), [](double d) { return d <= 0; });
    cell.hit_rate = double(hits) / double(std::max<std::size_t>(1, row.exact.size()));
    for (Entry& entry : entries) {
        const double pairs = double(std::max<std::size_t>(1, entry.result.pairs));
        entry.result.rounds = int(entry.samples.ns.size());
        entry.result.ns_min = entry.samples.minimum() / pairs;
        entry.result.ns_median = entry.samples.median() / pairs;
        cell.contestants.push_back(std::move(entry.result));
    }
    return cell;
}

}  // namespace abut::bench
