// abut_hunt: looks for broken promises in families of hard pairs, for as long as it is given.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "arguments.hpp"
#include "programs/hunt/batch.hpp"
#include "programs/hunt/report.hpp"
#include "scenes/environment.hpp"
#include "scenes/random.hpp"
#include "support/pair_answer.hpp"

namespace abut::hunt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kAbout =
    "Looks for broken promises in families of hard pairs. Each answer of overlap, distance and collide is judged in "
    "double precision, both\n"
    "orders of the bodies and all instruction sets are compared. Ends at the first broken promise with a line for abut "
    "query.";
constexpr const char* kExamples =
    "Examples:\n"
    "  abut_hunt --minutes 5                             all families in turn\n"
    "  abut_hunt --family split --family off-centre      some of them, for ten seconds\n"
    "  abut_hunt --hours 2 --keep-going --json           counts by family, as one JSON object\n"
    "  abut_hunt --family ties --batch-seed 123          one batch again\n"
    "  abut_hunt --list                                  the families\n"
    "  abut_hunt --2d --pairs 2000000 --keep-going       those of the plane, casts and rays of some pairs, too\n"
    "Exit code: 0 nothing wrong, 1 something is, 2 the command line is wrong.";

struct Options {
    double seconds = 0, minutes = 0, hours = 0;
    std::size_t pairs = 0, batch = 1024, show = 1;
    std::uint64_t seed = 1, batch_seed = 0;
    std::vector<std::string> families, isas;
    unsigned threads = 0;
    bool keep_going = false, json = false, list = false, plane = false;

    double time() const {
        const double given = seconds + 60 * minutes + 3600 * hours;
        return given > 0 ? given : pairs > 0 ? 1e18 : 10;
    }
};

void describe(tools::Arguments& app, Options& o) {
    std::vector<std::string> isas;
    for (const Isa isa : test::usable_isas()) isas.push_back(to_string(isa));
    app.footer(kExamples);
    app.add("--seconds", o.seconds, "how long; 10 where nothing else says so").in_range(1e-3, 1e9);
    app.add("--minutes", o.minutes, "... in minutes").in_range(1e-3, 1e9);
    app.add("--hours", o.hours, "... in hours").in_range(1e-3, 1e9);
    app.add("--pairs", o.pairs, "how many pairs in all, to a whole batch");
    app.add("--seed", o.seed, "another one gives other pairs").show_default();
    app.add("--family", o.families, "only these families (--list)").comma_separated();
    app.add_flag("--2d", o.plane, "two dimensions");
    app.add("--threads", o.threads, "threads; 0: all cores").show_default().in_range(0, 1024);
    app.add("--isa", o.isas, "only these instruction sets; the first is judged, the others are compared with it")
        .one_of(isas)
        .comma_separated();
    app.add("--batch", o.batch, "pairs of a batch, which has its own shapes").show_default().in_range(1, 1 << 20);
    app.add("--batch-seed", o.batch_seed, "the batch of this seed and nothing else, of one family");
    app.add_flag("--keep-going", o.keep_going, "count what is wrong and go on");
    app.add("--show", o.show, "findings of each kind and family to print, the worst").show_default().in_range(1, 1000);
    app.add_flag("--json", o.json, "print one JSON object");
    app.add_flag("--list", o.list, "print the families and end");
}

// Empty if a name is unknown.
std::vector<std::size_t> chosen_families(const Options& o, std::span<const Game> games) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < games.size(); ++i)
        if (o.families.empty()) chosen.push_back(i);
    for (const std::string& name : o.families) {
        const auto found = std::ranges::find(games, name, &Game::name);
        if (found == games.end())
            return fmt::print(stderr, "--family: no family is called \"{}\"\n", name), std::vector<std::size_t>{};
        chosen.push_back(std::size_t(found - games.begin()));
    }
    return chosen;
}

// Widest first: it is judged.
std::vector<Isa> chosen_isas(const Options& o) {
    std::vector<Isa> isas;
    for (const std::string& name : o.isas) isas.push_back(*parse_isa(name));
    if (isas.empty()) isas = test::usable_isas(), std::ranges::reverse(isas);
    return isas;
}

// A line over itself on a terminal, after two seconds.
class ProgressLine {
public:
    void show(std::size_t pairs, std::size_t wrong, double seconds) {
        if (!terminal_ || seconds < next_) return;
        next_ = seconds + 0.5;
        shown_ = true;
        fmt::print(stderr, "\r\033[K{:.0f} s, {} pairs, {:.0f} pairs/s, {} wrong", seconds, pairs,
                   double(pairs) / seconds, wrong);
        std::fflush(stderr);
    }
    ~ProgressLine() {
        if (shown_) std::fputs("\r\033[K", stderr);
    }

private:
    bool terminal_ = isatty(STDERR_FILENO) == 1, shown_ = false;
    double next_ = 2;
};

// Workers take the batches by their number; which pairs those have does not depend on the workers.
class Hunt {
public:
    Hunt(const Options& options, std::span<const Game> games, std::vector<std::size_t> chosen)
        : options_(options), games_(games), chosen_(std::move(chosen)), tallies_(games.size()) {
        plan_.isas = chosen_isas(options);
        plan_.pairs = options.batch;
        plan_.first_only = !options.keep_going;
        plan_.keep = options.show;
    }

    void run() {
        std::vector<std::thread> threads;
        const unsigned count =
            options_.threads > 0 ? options_.threads : std::max(std::thread::hardware_concurrency(), 1u);
        for (unsigned i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
        for (std::thread& thread : threads) thread.join();
    }

    std::span<const Tally> tallies() const { return tallies_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    std::size_t wrong() const { return wrong_; }

private:
    void work() {
        for (;;) {
            const std::size_t number = next_++;
            if (done(number)) return;
            const std::size_t family = chosen_[number % chosen_.size()];
            const std::uint64_t seed =
                options_.batch_seed ? options_.batch_seed : scenes::Random(options_.seed, number).bits();
            const Tally tally = games_[family].run_batch(seed, plan_);
            const std::lock_guard lock(mutex_);
            tallies_[family].add(tally, plan_.keep);
            pairs_ += tally.pairs, wrong_ += tally.wrong;
            progress_.show(pairs_, wrong_, seconds());
        }
    }

    bool done(std::size_t number) const {
        if (options_.batch_seed && number > 0) return true;
        if (options_.pairs > 0 && number * options_.batch >= options_.pairs) return true;
        return seconds() >= options_.time() || (wrong_ > 0 && !options_.keep_going);
    }

    const Options& options_;
    const std::span<const Game> games_;
    const std::vector<std::size_t> chosen_;
    Plan plan_;
    std::atomic<std::size_t> next_{0}, wrong_{0};
    std::size_t pairs_ = 0;
    std::mutex mutex_;
    std::vector<Tally> tallies_;
    ProgressLine progress_;
    const Clock::time_point start_ = Clock::now();
};

int list(std::span<const Game> games) {
    for (const Game& game : games) fmt::print("{:<20} {}\n", game.name, game.what);
    return 0;
}

std::string command_line(int argc, char** argv) {
    std::string command = "abut_hunt";
    for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
    return command;
}

}  // namespace

int main(int argc, char** argv) {
    if (!scenes::obey_environment("abut_hunt")) return 2;
    abut::tools::CommandLine app(kAbout);
    Options options;
    describe(app, options);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    const std::vector<Game> all = options.plane ? plane_games() : games();
    if (options.list) return list(all);
    const std::vector<std::size_t> chosen = chosen_families(options, all);
    if (chosen.empty()) return 2;
    if (options.batch_seed && options.families.size() != 1) {
        fmt::print(stderr, "--batch-seed is of one family: name it with --family\n");
        return 2;
    }
    Hunt hunt(options, all, chosen);
    hunt.run();
    fmt::print("{}", options.json ? to_json(all, hunt.tallies(), hunt.seconds(), command_line(argc, argv))
                                  : to_text(all, hunt.tallies(), hunt.seconds(), options.keep_going));
    return hunt.wrong() > 0 ? 1 : 0;
}

}  // namespace abut::hunt

int main(int argc, char** argv) { return abut::hunt::main(argc, argv); }
