// abut_cast_table: nanoseconds per cast beside Bullet and FCL, and what each of them missed.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "queries/casts/motions.hpp"
#include "queries/casts/rivals.hpp"
#include "support/beside_rivals.hpp"

using namespace abut;

namespace {

// Of the pairs that the oracle decides. Deep: a reported time, or the end of a reported miss, is more than a hundredth
// of the smaller size after the first touch, as a motion of the fastest point.
struct Faults {
    std::size_t hits = 0, missed = 0, late = 0, early = 0;
};

Faults faults_of(const std::vector<double>& times, const std::vector<casts::Touch>& touches) {
    Faults faults;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const casts::Touch& touch = touches[i];
        if (touch.time > 1) continue;
        ++faults.hits;
        const double by = touch.speed * (times[i] - touch.time) / touch.size;
        faults.missed += times[i] > 1;
        faults.late += times[i] <= 1 && by > 0.01;
        faults.early += by < -0.01;
    }
    return faults;
}

double minimum_ns(int rounds, std::size_t pairs, const auto& call) {
    double best = INFINITY;
    for (int i = 0; i < rounds; ++i) best = std::min(best, 1e9 * test::seconds_of(call) / double(pairs));
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Nanoseconds per cast on one thread, beside Bullet and FCL, and what each of them missed.\n\nExamples:\n"
        "  abut_cast_table\n"
        "  abut_cast_table --rows box-box --angles 0,1.5 --pairs 4096 --isa avx2\n");
    std::vector<std::string> rows = {"box-box", "hull32-hull32", "capsule-box", "cylinder-cylinder"};
    std::vector<double> angles = {0, 0.5, 1.5, 3};
    std::size_t pairs = 2048;
    int rounds = 5;
    test::RivalOptions options;
    app.add("--rows", rows, "rows of abut_table").comma_separated().show_default();
    app.add("--angles", angles, "rotation of both bodies in the step, radians").comma_separated().show_default();
    app.add("--pairs", pairs, "per row").show_default();
    app.add("--rounds", rounds, "of which the fastest counts").show_default();
    options.add_to(app);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    NarrowPhase narrow({.threads = 1, .isa = options.isa()});
    fmt::print("{:<20} {:>6} {:<20} {:>9} {:>7} {:>7} {:>6} {:>6} {:>10}\n", "row", "angle", "library", "ns", "hits",
               "missed", "late", "early", "distances");
    for (const std::string& row : rows) {
        for (const double angle : angles) {
            const casts::MotionScene motions = casts::make_row_motions(row, pairs, 17, angle);
            const std::vector<casts::Touch> touches = casts::first_touches(motions);
            std::vector<double> times(pairs);
            const auto print = [&](const char* name, double ns, double distances) {
                const Faults faults = faults_of(times, touches);
                fmt::print("{:<20} {:>6} {:<20} {:>9.0f} {:>7} {:>7} {:>6} {:>6} {:>10.1f}\n", row, angle, name, ns,
                           faults.hits, faults.missed, faults.late, faults.early, distances);
            };
            const Bodies ends[] = {motions.ends};
            Casts answers;
            CallResult result;
            const double ns =
                minimum_ns(rounds + 1, pairs, [&] { result = narrow.cast(motions.scene.frame(), {ends}, answers); });
            test::require(result);
            for (std::size_t i = 0; i < pairs; ++i) times[i] = answers.hit(i) ? answers.time[i] : 2.0;
            print("abut", ns, double(narrow.counters().pairs) / double(pairs));
            if (options.no_rivals) continue;
            std::vector<std::unique_ptr<casts::CastRival>> rivals;
            rivals.push_back(casts::make_bullet(motions, casts::BulletCast::continuous));
            if (angle == 0) {
                rivals.push_back(casts::make_bullet(motions, casts::BulletCast::gjk));
                rivals.push_back(casts::make_bullet(motions, casts::BulletCast::subsimplex));
            }
            rivals.push_back(casts::make_fcl(motions));
            for (const auto& rival : rivals) {
                if (!rival) continue;
                const double rival_ns = minimum_ns(rounds, pairs, [&] { rival->run(times); });
                print(rival->name(), rival_ns, 0);
            }
        }
    }
    return 0;
}
