// Contests, see contest.hpp.
#include "programs/hunt/contest.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <abut/abut.hpp>

#include "programs/hunt/trial.hpp"
#include "rivals/rival.hpp"
#include "support/oracle/worsen.hpp"

namespace abut::hunt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kWithinSize = 1e-4;

// What a child writes and its parent reads.
struct Shared {
    std::atomic<std::size_t> next{0};  // the pair that is being asked about
    PairAnswer answers[1];

    static Shared* make(std::size_t pairs, std::size_t& bytes) {
        bytes = sizeof(Shared) + pairs * sizeof(PairAnswer);
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? nullptr : new (memory) Shared;
    }
};

void silence() {
    const int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, STDERR_FILENO), dup2(null, STDOUT_FILENO);
}

void answer_from(const scenes::Scene& scene, const Ask& ask, Shared& shared) {
    for (; shared.next < scene.pairs.size(); ++shared.next) {
        const std::size_t i = shared.next;
        const std::vector<Body> bodies = {scene.body_a(i), scene.body_b(i)};
        const std::vector<Pair> pairs = {{0, 1}};
        shared.answers[i] = ask({.shapes = &scene.shapes, .bodies = bodies, .pairs = pairs});
    }
}

// True where the child came to its end; else `hung` says how it stopped.
bool wait_for(pid_t child, const Shared& shared, double seconds, bool& hung) {
    std::size_t at = shared.next;
    Clock::time_point since = Clock::now();
    for (;;) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (shared.next != at) at = shared.next, since = Clock::now();
        hung = std::chrono::duration<double>(Clock::now() - since).count() > seconds;
        if (hung) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        usleep(500);
    }
}

PairAnswer ask_abut(const Frame& frame) {
    static NarrowPhase narrow({.executor = serial_executor()});
    Distances d;
    Overlaps o;
    if (!narrow.distance(frame, d) || !narrow.overlap(frame, o)) return {};
    const bool ok = d.status[0] == Status::ok && o.status[0] == Status::ok;
    return {ok ? Fate::answered : Fate::no_answer, o.hit(0), ok, d.signed_distance[0]};
}

// By its signed distance where it has one, else by its depth.
PairAnswer ask_rival(const bench::Rival& rival, const Frame& frame) {
    const bool tells_distance = rival.answers(bench::Query::distance);
    bench::RivalWorld world(rival, frame, tells_distance ? bench::Query::distance : bench::Query::collide);
    if (!world) return {};
    bench::Answers out(1);
    world.run(out);
    const float distance = out.signed_distance[0];
    if (std::isnan(distance) || out.hit[0] == bench::kNoAnswer) return {Fate::no_answer, false, false, 0};
    if (tells_distance) return {Fate::answered, distance <= 0, true, distance};
    return {Fate::answered, out.hit[0] == 1, out.hit[0] == 1, distance};
}

// Without scale and rounding.
oracle::Shape plain(oracle::Shape shape) {
    const auto times = [](Vec3 v, Vec3 s) { return Vec3{v.x * s.x, v.y * s.y, v.z * s.z}; };
    shape.half_extents = times(shape.half_extents, shape.scale);
    for (Vec3& p : shape.points) p = times(p, shape.scale);
    shape.radius *= shape.scale.x, shape.half_height *= shape.scale.x, shape.offset *= shape.scale.x;
    shape.scale = {1, 1, 1};
    shape.rounding = 0;
    return shape;
}

}  // namespace

std::vector<PairAnswer> ask_apart(const scenes::Scene& scene, const Ask& ask, double seconds) {
    std::size_t bytes = 0;
    Shared* shared = Shared::make(scene.pairs.size(), bytes);
    std::vector<PairAnswer> answers(scene.pairs.size());
    if (shared == nullptr) return answers;
    for (;;) {
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            silence();
            answer_from(scene, ask, *shared);
            _exit(0);
        }
        bool hung = false;
        if (wait_for(child, *shared, seconds, hung) || shared->next >= scene.pairs.size()) break;
        shared->answers[shared->next].fate = hung ? Fate::hung : Fate::crashed;
        ++shared->next;
    }
    std::copy_n(shared->answers, answers.size(), answers.begin());
    munmap(shared, bytes);
    return answers;
}

std::vector<Contestant> contestants() {
    std::vector<Contestant> all = {{"abut", to_string(best_isa()), ask_abut}};
    for (const bench::Rival& rival : bench::rivals()) {
        const bool depth = std::string_view(rival.library) == "libccd" && rival.answers(bench::Query::collide);
        if (rival.answers(bench::Query::distance) || depth)
            all.push_back(
                {rival.library, rival.variant, [&rival](const Frame& frame) { return ask_rival(rival, frame); }});
    }
    return all;
}

scenes::Scene plain_scene(const families::Family& family, std::size_t pairs, std::uint64_t seed) {
    const scenes::Scene made = families::make(family, pairs, seed);
    scenes::Scene out;
    out.name = made.name;
    for (const oracle::Solid& solid : made.solids) out.add_solid(plain(solid.shape));
    for (std::size_t i = 0; i < made.pairs.size(); ++i) {
        const Pair pair = made.pairs[i];
        const std::uint32_t a = made.solid_of[pair.a], b = made.solid_of[pair.b];
        const Placed placed_a{out.solids[a], oracle::pose_of(made.bodies[pair.a])},
            placed_b{out.solids[b], oracle::pose_of(made.bodies[pair.b])};
        Quality quality;
        Trial trial(placed_a, placed_b, placed_a.pose.position, 0, quality);
        const double exact = trial.exact({}).lower;
        if (quality.undecided > 0 || trial.is_blurred()) continue;
        out.add_pair(out.add_body(a, placed_a.pose.position, made.bodies[pair.a].orientation),
                     out.add_body(b, placed_b.pose.position, made.bodies[pair.b].orientation), family.name);
        out.reference.push_back(exact);
    }
    return out;
}

void Score::add(const Score& other) {
    pairs += other.pairs, supported += other.supported, hits_right += other.hits_right, judged += other.judged;
    within_bound += other.within_bound, within_size += other.within_size;
    worst = std::max(worst, other.worst);
    no_answer += other.no_answer, crashed += other.crashed, hung += other.hung;
}

Score score(const scenes::Scene& scene, const std::vector<PairAnswer>& answers, bool depth_only) {
    Score s;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const PairAnswer& answer = answers[i];
        ++s.pairs;
        if (answer.fate == Fate::unsupported) continue;
        ++s.supported;
        s.no_answer += answer.fate == Fate::no_answer, s.crashed += answer.fate == Fate::crashed,
            s.hung += answer.fate == Fate::hung;
        const double exact = scene.reference[i], bound = scene.tolerance(i);
        // Within the bound of touching either side is right.
        s.hits_right += answer.fate == Fate::answered && (std::fabs(exact) <= bound || answer.hit == (exact <= 0));
        if (depth_only && exact > 0) continue;
        ++s.judged;
        if (answer.fate != Fate::answered || !answer.has_distance) continue;
        const double smaller = smaller_size(scene.solid_a(i), scene.solid_b(i)),
                     error = std::fabs(double(answer.signed_distance) - exact);
        s.within_bound += error <= bound;
        s.within_size += error <= std::max(kWithinSize * smaller, bound);
        s.worst = std::max(s.worst, std::isfinite(error) ? error / bound : oracle::kInfinity);
    }
    return s;
}

}  // namespace abut::hunt
