// abut_instructions: calls to be counted by callgrind, each dumped under its name. count.py runs it, and compares with
// the record; bounds.py runs it once more for times.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <abut/warm_table.hpp>

#include "arguments.hpp"
#include "capture.hpp"
#include "harness/abut_runner.hpp"
#include "harness/ground.hpp"
#include "instructions/rays.hpp"
#include "plane/row.hpp"
#include "scenes/scene.hpp"
#include "shape_spec.hpp"

using namespace abut;
using namespace abut::bench;

namespace {

constexpr std::size_t kPairs = 1024;
constexpr std::uint32_t kGroundSide = 22;  // cells of ground: 968 triangles

constexpr const char* kRows[] = {"sphere-sphere",     "capsule-capsule",  "sphere-box",         "capsule-box",
                                 "box-box",           "hull8-hull8",      "hull16-hull16",      "hull32-hull32",
                                 "hull64-hull64",     "hull256-hull256",  "cylinder-cylinder",  "mixed",
                                 "resting-boxes",     "resting-prisms6",  "resting-prisms12",   "resting-prisms24",
                                 "resting-cylinders", "resting-capsules", "resting-boxes-yawed"};

// Rows whose bodies also drift, with fewer pairs.
constexpr const char* kDriftRows[] = {
    "capsule-box",   "box-box",          "hull8-hull8",       "hull32-hull32",    "mixed",
    "resting-boxes", "resting-prisms12", "resting-cylinders", "resting-capsules", "resting-boxes-yawed"};
constexpr std::size_t kDriftPairs = 256;

// The last frame but one of the pile: bodies at rest.
struct Pile {
    ShapeStore shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;

    explicit Pile(const std::string& path) {
        const tools::CaptureFile file(path);
        std::vector<ShapeId> ids;
        for (const tools::ShapeSpec& spec : file.capture().shapes) {
            const Expected<ShapeId> id = tools::add_shape(shapes, spec);
            if (!id) throw std::runtime_error(fmt::format("{}: {}", path, id.error().message.c_str()));
            ids.push_back(*id);
        }
        const auto& frames = file.capture().frames;
        const tools::CaptureFrame& frame = frames[frames.size() - 2];
        for (const tools::CaptureBody& body : frame.bodies)
            bodies.push_back({body.position, ids[body.shape], body.orientation});
        pairs.assign(frame.pairs.begin(), frame.pairs.end());
    }

    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }

    // Half a turn about x and an offset for every shape, and bodies where that leaves the shapes.
    void pose_shapes() {
        constexpr RelativePose kPose = {{0.3f, -0.2f, 0.1f}, {1, 0, 0, 0}};
        for (Body& body : bodies) {
            if (!shapes.set_instance(body.shape, {.pose = kPose})) throw std::runtime_error("the pile: no pose");
            const Quat q = body.orientation;
            body.orientation = {q.w, q.z, -q.y, -q.x};
            const oracle::Vec3d at =
                oracle::Vec3d(body.position) - oracle::rotation_of(body.orientation) * oracle::Vec3d(kPose.position);
            body.position = {float(at.x), float(at.y), float(at.z)};
        }
    }
};

void require(AbutRunner& runner) {
    if (!runner.run()) throw std::runtime_error(runner.refusal());
}

// What is counted: everything, or rows and queries of these names alone.
struct Wanted {
    double seconds = 0;  // to time each row for; 0: no times
    float follow = 0;    // Settings::follow_distance of warm calls, metres
    std::vector<std::string> isas = {"avx2", "sse2"}, rows, queries;

    static bool has(const std::vector<std::string>& names, const std::string& name) {
        return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    }
    bool row(const std::string& name) const { return has(rows, name); }
    bool query(const std::string& name) const { return has(queries, name); }
};

template <class Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Cycles a second, from a chain of multiplications (3 cycles) and additions (1 cycle), as on all current x86 cores; the
// fastest of some.
double clock_now() {
    constexpr std::uint64_t kSteps = 2000000;
    double best = 0;
    for (int i = 0; i < 5; ++i) {
        volatile std::uint64_t factor = 0x9e3779b97f4a7c15u;
        std::uint64_t x = 1;
        const double seconds = seconds_of([&] {
            const std::uint64_t by = factor;
            for (std::uint64_t k = 0; k < kSteps; ++k) x = x * by + k;
        });
        factor = x;
        best = std::max(best, 4.0 * double(kSteps) / seconds);
    }
    return best;
}

// Bytes a second that one core reads in order from memory; the fastest of some.
double bandwidth_now() {
    const std::vector<std::uint64_t> words(std::size_t(1) << 25, 1);
    double best = 0;
    for (int i = 0; i < 3; ++i) {
        volatile std::uint64_t sum = 0;
        const double seconds = seconds_of([&] {
            std::uint64_t all[4] = {};
            for (std::size_t k = 0; k < words.size(); k += 4)
                for (std::size_t j = 0; j < 4; ++j) all[j] += words[k + j];
            sum = all[0] + all[1] + all[2] + all[3];
        });
        best = std::max(best, 8.0 * double(words.size()) / seconds);
    }
    return best;
}

// The fastest of the rounds in so many seconds; `restart` comes before each, untimed.
template <class Work, class Restart>
double fastest(const Work& work, double seconds, const Restart& restart) {
    double best = 1e30;
    for (double all = 0; all < seconds;) {
        restart();
        const double round = seconds_of(work);
        best = std::min(best, round), all += round;
    }
    return best;
}

// Counts one round of `work`, which is about so many pairs, and with --time times more of them.
template <class Work, class Restart>
void dump(const Wanted& wanted, const std::string& label, std::size_t pairs, const Work& work, const Restart& restart) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    work();
    CALLGRIND_DUMP_STATS_AT(label.c_str());
    CALLGRIND_STOP_INSTRUMENTATION;
    if (wanted.seconds == 0) return fmt::print("{}\n", label);
    const double seconds = fastest(work, wanted.seconds, restart);
    fmt::print("{} {:.2f} ns {:.1f} cycles\n", label, 1e9 * seconds / double(pairs),
               clock_now() * seconds / double(pairs));
}

template <class Work>
void dump(const Wanted& wanted, const std::string& label, std::size_t pairs, const Work& work) {
    dump(wanted, label, pairs, work, [] {});
}

// Calls of `at_once` pairs each until all are answered; the counted round is the third, which allocates nothing.
void count(const Wanted& wanted, const std::string& name, const Frame& frame, std::size_t at_once, Query query, Isa isa,
           float warm_step = kWarmStep) {
    if (!wanted.row(name) || !wanted.query(to_string(query))) return;
    const std::size_t pairs = frame.pairs.size(), calls = pairs / at_once;
    std::vector<AbutRunner> runners;
    runners.reserve(calls);
    for (std::size_t i = 0; i < calls; ++i) {
        Frame part = frame;
        part.pairs = frame.pairs.subspan(i * at_once, at_once);
        Settings settings = on_one_core(isa);
        settings.follow_distance = wanted.follow;
        runners.emplace_back(part, query, settings, warm_step);
        require(runners.back());
        require(runners.back());
    }
    const std::size_t counted = calls * at_once;
    dump(wanted, fmt::format("{} {} {} {}", to_string(isa), name, to_string(query), counted), counted, [&] {
        for (AbutRunner& runner : runners) require(runner);
    });
}

// Bodies that keep moving: the mean of some frames after the first three, with caches and without them.
void count_drift(const Wanted& wanted, const std::string& name, const Frame& frame, Isa isa, float step) {
    constexpr std::size_t kFirst = 3, kFrames = 12;
    if (!wanted.row(name)) return;
    std::vector<std::vector<Body>> bodies = {moved_bodies(frame, step)};
    Frame now = frame;
    while (bodies.size() < kFirst + kFrames) now.bodies = bodies.back(), bodies.push_back(moved_bodies(now, step));
    Settings settings = on_one_core(isa);
    settings.follow_distance = wanted.follow;
    std::vector<WarmCache> caches(frame.pairs.size());
    Manifolds manifolds;
    NarrowPhase narrow(settings);
    const auto run = [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k) {
            now.bodies = bodies[k];
            if (!narrow.collide(now, manifolds)) throw std::runtime_error("NarrowPhase::collide");
        }
    };
    for (const auto& [query, given] :
         {std::pair("drift-cold", std::span<WarmCache>()), std::pair("drift-warm", std::span<WarmCache>(caches))}) {
        if (!wanted.query(query)) continue;
        now.caches = given;
        run(0, kFirst + kFrames);
        const auto forget = [&] { std::fill(caches.begin(), caches.end(), WarmCache()), run(0, kFirst); };
        forget();
        const std::size_t counted = kFrames * frame.pairs.size();
        dump(
            wanted, fmt::format("{} {} {} {}", to_string(isa), name, query, counted), counted,
            [&] { run(kFirst, kFirst + kFrames); }, forget);
    }
}

// What WarmTable takes beside the call: for pairs that rest ("table"), for bodies that alternate between two poses
// ("table-moving"), and if also every eighth pair is in every second frame only ("table-changing"). Tables of few
// pairs: callgrind counts long fills byte by byte.
void count_table(const Wanted& wanted, const std::string& name, const Frame& frame, std::size_t at_once, Isa isa) {
    if (!wanted.row(name)) return;
    struct Followed {
        std::vector<Body> bodies[2];
        std::vector<Pair> pairs[2];
        Frame frames[2];
        Manifolds manifolds[2];
        WarmTable table;
        void begin(int k) { frames[k].caches = table.begin(frames[k].pairs); }
        void carry_over(int k) {
            if (!table.carry_over(frames[k], manifolds[k])) throw std::runtime_error("WarmTable::carry_over");
        }
    };
    const std::vector<Body> moved = moved_bodies(frame, kWarmStep);
    for (const char* query : {"table", "table-moving", "table-changing"}) {
        if (!wanted.query(query)) continue;
        const bool rests = std::string_view(query) == "table", changes = std::string_view(query) == "table-changing";
        Settings settings = on_one_core(isa);
        settings.follow_distance = wanted.follow;
        NarrowPhase narrow(settings);
        std::vector<Followed> all(frame.pairs.size() / at_once);
        for (std::size_t i = 0; i < all.size(); ++i) {
            Followed& one = all[i];
            for (int k = 0; k < 2; ++k) {
                for (std::size_t p = i * at_once; p < (i + 1) * at_once; ++p) {
                    const auto count = std::uint32_t(one.bodies[k].size());
                    for (const std::uint32_t body : {frame.pairs[p].a, frame.pairs[p].b})
                        one.bodies[k].push_back(k == 1 && !rests ? moved[body] : frame.bodies[body]);
                    if (!changes || k == 0 || p % 8 != 3) one.pairs[k].push_back({count, count + 1});
                }
                one.frames[k] = {.shapes = frame.shapes, .bodies = one.bodies[k], .pairs = one.pairs[k]};
            }
            for (int k = 0; k < 6; ++k) {
                one.begin(k % 2);
                if (!narrow.collide(one.frames[k % 2], one.manifolds[k % 2]))
                    throw std::runtime_error("NarrowPhase::collide");
                one.carry_over(k % 2);
            }
        }
        std::size_t counted = 0;
        for (const Followed& one : all) counted += one.pairs[0].size() + one.pairs[1].size();
        dump(wanted, fmt::format("{} {} {} {}", to_string(isa), name, query, counted), counted, [&] {
            for (Followed& one : all)
                for (int k = 0; k < 2; ++k) one.begin(k), one.carry_over(k);
        });
    }
}

void count_rays(const Wanted& wanted, const std::string& shape, Isa isa) {
    const std::string name = fmt::format("rays-{}", shape);
    if (!wanted.row(name)) return;
    const RayRow row = make_ray_row(shape, kPairs);
    NarrowPhase narrow(on_one_core(isa));
    RayHits hits;
    if (!narrow.raycast(row.frame(), row.rays(), hits)) throw std::runtime_error("NarrowPhase::raycast");
    // All columns but the faces, which cost 13 to 20 instructions per ray.
    RayColumns columns = {.bits = hits.bits,
                          .fraction = hits.fraction,
                          .point = hits.point,
                          .normal = hits.normal,
                          .child = hits.child,
                          .inside = hits.inside,
                          .status = hits.status,
                          .hits = hits.hits};
    for (const auto& [query, reduction] :
         {std::pair("raycast", RayReduction::every_pair), std::pair("raycast-first", RayReduction::first_of_ray)}) {
        if (!wanted.query(query)) continue;
        const auto cast = [&, reduction = reduction] {
            if (!narrow.raycast(row.frame(), row.rays(), columns, {reduction}))
                throw std::runtime_error("NarrowPhase::raycast");
        };
        cast();
        dump(wanted, fmt::format("{} {} {} {}", to_string(isa), name, query, kPairs), kPairs, cast);
    }
}

void count_plane(const Wanted& wanted, const char* row, Isa isa) {
    std::string name = fmt::format("plane-{}", row);
    std::replace(name.begin(), name.end(), ' ', '-');
    if (!wanted.row(name)) return;
    const auto scene = make_plane_row(row, false, kPairs);
    for (const PlaneQuery query : {PlaneQuery::overlap, PlaneQuery::distance, PlaneQuery::collide}) {
        if (!wanted.query(to_string(query))) continue;
        const PlaneContestant contestant = abut_contestant(*scene, query, isa);
        contestant.run(), contestant.run();
        const std::size_t pairs = scene->pairs.size();
        dump(wanted, fmt::format("{} {} {} {}", to_string(isa), name, to_string(query), pairs), pairs, contestant.run);
    }
}

}  // namespace

int main(int argc, char** argv) try {
    abut::tools::CommandLine app(
        "Makes the calls whose instructions bench/instructions/count.py counts, under callgrind or without it.\n"
        "Example: abut_instructions tools/demo/pile.abut --isa avx2 --rows pile,box-box --queries collide\n"
        "Where they go: valgrind --tool=callgrind --instr-atstart=no abut_instructions ... ; callgrind_annotate");
    std::string pile_path;
    Wanted wanted;
    app.add("PILE", pile_path, "the capture of a pile").required();
    app.add("--isa", wanted.isas, "instruction sets, narrower than AVX-512, which callgrind lacks")
        .comma_separated()
        .show_default();
    app.add("--rows", wanted.rows, "of these names alone").comma_separated();
    app.add("--queries", wanted.queries,
            "overlap, distance, collide, collide-warm, drift-cold, drift-warm, table, table-moving, table-changing, "
            "raycast, raycast-first (default: all)")
        .comma_separated();
    app.add("--follow", wanted.follow, "let the contacts of warm calls follow their bodies so far, metres")
        .in_range(0.0, 1.0);
    app.add(
           "--time", wanted.seconds,
           "time each row for so many seconds, and print nanoseconds and cycles per pair, and bytes of memory a second")
        .in_range(0.0, 60.0);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    if (wanted.seconds > 0) fmt::print("memory {:.4g} bytes/s\n", bandwidth_now());

    const Pile pile(pile_path);
    Pile posed_pile(pile_path);
    posed_pile.pose_shapes();
    const Frame pile_frame = pile.frame(), posed_pile_frame = posed_pile.frame();
    for (const std::string& name : wanted.isas) {
        const Expected<Isa> isa = parse_isa(name);
        if (!isa || !is_supported(*isa))
            throw std::runtime_error(fmt::format("--isa {}: not an instruction set of this machine and build", name));
        constexpr Query kCounted[] = {Query::overlap, Query::distance, Query::collide, Query::collide_warm};
        for (const char* row : kRows) {
            if (!wanted.row(row)) continue;
            const scenes::Scene scene = scenes::make_row(row, kPairs);
            for (const Query query : kCounted) count(wanted, row, scene.frame(), kPairs, query, *isa);
            // Under a solver's noise, and without a motion.
            if (std::string_view(row).starts_with("resting-"))
                count(wanted, fmt::format("{}~", row), scene.frame(), kPairs, Query::collide_warm, *isa, kRestingStep);
            if (std::string_view(row) == "resting-boxes")
                count(wanted, "resting-boxes=", scene.frame(), kPairs, Query::collide_warm, *isa, 0.0f);
        }
        for (const char* row : kDriftRows) {
            if (!wanted.query("drift-cold") && !wanted.query("drift-warm")) continue;
            const scenes::Scene scene = scenes::make_row(row, kDriftPairs);
            for (const auto& [end, step] : {std::pair(">", kWarmStep), std::pair("~>", kRestingStep)})
                count_drift(wanted, fmt::format("{}{}", row, end), scene.frame(), *isa, step);
        }
        count(wanted, "pile~", pile_frame, pile.pairs.size(), Query::collide_warm, *isa, kRestingStep);
        for (const Query query : kCounted) {
            count(wanted, "pile", pile_frame, pile.pairs.size(), query, *isa);
            count(wanted, "posed-pile", posed_pile_frame, pile.pairs.size(), query, *isa);
        }
        for (const char* body : {"box", "capsule", "hull", "car"}) {
            for (const Terrain terrain : {Terrain::hills, Terrain::flat}) {
                const std::string row = fmt::format("{}-{}", terrain == Terrain::flat ? "flat" : "ground", body);
                const std::string resting_row = row + "~";
                if (!wanted.row(row) && !wanted.row(resting_row)) continue;
                const Ground ground = make_ground(body, kGroundSide, terrain);
                for (const Query query : kCounted) count(wanted, row, ground.frame(), ground.pairs.size(), query, *isa);
                count(wanted, resting_row, ground.frame(), ground.pairs.size(), Query::collide_warm, *isa,
                      kRestingStep);
            }
        }
        for (const char* shape : kRayRows) count_rays(wanted, shape, *isa);
        for (const char* row : plane_row_names()) count_plane(wanted, row, *isa);
        // What a pair costs must grow with its triangles, and not with their square.
        const Ground soup = make_soup(8000);
        count(wanted, "ground-soup", soup.frame(), 1, Query::collide, *isa);
        for (const char* row : {"resting-boxes", "resting-prisms12", "mixed"})
            count_table(wanted, row, scenes::make_row(row, 256).frame(), 16, *isa);
        // Calls for few pairs.
        const scenes::Scene boxes = scenes::make_row("box-box", 64), mixed = scenes::make_row("mixed", 64);
        const scenes::Scene hulls = scenes::make_row("hull32-hull32", 64);
        Frame some_of_pile = pile_frame;
        some_of_pile.pairs = pile_frame.pairs.subspan(0, 64);
        for (const std::size_t at_once : {1u, 4u, 8u, 16u, 64u}) {
            for (const Query query : {Query::overlap, Query::collide}) {
                count(wanted, fmt::format("box-box/{}", at_once), boxes.frame(), at_once, query, *isa);
                count(wanted, fmt::format("mixed/{}", at_once), mixed.frame(), at_once, query, *isa);
                count(wanted, fmt::format("hull32-hull32/{}", at_once), hulls.frame(), at_once, query, *isa);
                count(wanted, fmt::format("pile/{}", at_once), some_of_pile, at_once, query, *isa);
            }
        }
    }
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "abut_instructions: {}\n", error.what());
    return 2;
}
