// Calls HACD in a process of its own: the library leaks its hulls, and can crash or not return on meshes that it does
// not expect.
#include "hacd.hpp"

#include <HACD/hacdHACD.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <fmt/format.h>

#include "progress.hpp"

namespace abut::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes kMostTime{10};
constexpr double kHacdDiagonal = 2000.0;  // its usual units, in which its weights have their usual values
constexpr double kCompactness = 0.1;      // its default
constexpr double kConnection = 30.0;      // its default: parts this near are connected

// In memory that both processes see.
struct Shared {
    std::atomic<std::uint32_t> percent, is_done;
    std::uint32_t triangles;

    std::uint32_t* labels() { return reinterpret_cast<std::uint32_t*>(this + 1); }
};

class SharedMemory {
public:
    explicit SharedMemory(std::size_t triangles) : bytes_(sizeof(Shared) + triangles * sizeof(std::uint32_t)) {
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
        new (memory_) Shared{0, 0, std::uint32_t(triangles)};
    }
    ~SharedMemory() { munmap(memory_, bytes_); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    Shared& operator*() const { return *static_cast<Shared*>(memory_); }

private:
    std::size_t bytes_;
    void* memory_;
};

// HACD's callback has no argument of ours.
Shared* shared_of_callback = nullptr;
bool note_progress(const char*, double percent, double, std::size_t) {
    if (percent > 0.0 && percent < 100.0) shared_of_callback->percent = std::uint32_t(percent);
    return true;
}

struct Input {
    std::vector<HACD::Vec3<HACD::Real>> points;
    std::vector<HACD::Vec3<long>> triangles;
    double diagonal;
};

// HACD moves points by their mean and scales them. Each point's mirror image, in no triangle, makes the mean exactly 0,
// and the scale is chosen as exactly 1.
Input input_of(const GridMesh& mesh) {
    Input input;
    HACD::Vec3<HACD::Real> most(0, 0, 0);
    for (const auto& [x, y, z] : mesh.points) {
        input.points.emplace_back(x, y, z);
        most = HACD::Vec3<HACD::Real>(std::max<double>(most.X(), std::abs(x)), std::max<double>(most.Y(), std::abs(y)),
                                      std::max<double>(most.Z(), std::abs(z)));
    }
    for (const auto& [x, y, z] : mesh.points) input.points.emplace_back(-x, -y, -z);
    for (const auto& [a, b, c] : mesh.triangles) input.triangles.emplace_back(long(a), long(b), long(c));
    input.diagonal = (most - most * -1.0).GetNorm();
    return input;
}

// Returns the number of clusters.
std::size_t run(Input& input, double concavity, std::size_t least_clusters, Shared& shared) {
    const double unit = input.diagonal / kHacdDiagonal;
    HACD::HACD hacd;
    hacd.SetScaleFactor(input.diagonal / 2);
    hacd.SetPoints(input.points.data());
    hacd.SetNPoints(input.points.size());
    hacd.SetTriangles(input.triangles.data());
    hacd.SetNTriangles(input.triangles.size());
    hacd.SetCompacityWeight(kCompactness * unit);
    hacd.SetVolumeWeight(0.0);
    hacd.SetConcavity(concavity);
    hacd.SetNClusters(least_clusters);
    hacd.SetConnectDist(kConnection * unit);
    hacd.SetNVerticesPerCH(4);  // its hulls are not read: four vertices are soon found
    hacd.SetAddFacesPoints(true);
    hacd.SetAddExtraDistPoints(true);
    hacd.SetAddNeighboursDistPoints(false);
    hacd.SetCallBack(note_progress);
    hacd.Compute();
    for (std::uint32_t i = 0; i < shared.triangles; ++i) shared.labels()[i] = std::uint32_t(hacd.GetPartition()[i]);
    return hacd.GetNClusters();
}

[[noreturn]] void run_child(Input& input, double concavity, std::uint32_t most, Shared& shared) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    shared_of_callback = &shared;
    Input again = input;  // HACD writes to its points
    const std::size_t clusters = run(input, concavity, 1, shared);
    if (most > 0 && clusters > most) run(again, std::numeric_limits<double>::max(), most, shared);
    shared.is_done = 1;
    _exit(0);
}

void wait_for(pid_t child, const Shared& shared, const std::string& what) {
    Progress progress(what, 100);
    std::uint32_t shown = 0;
    int status = 0;
    for (const Clock::time_point start = Clock::now(); waitpid(child, &status, WNOHANG) == 0; usleep(2000)) {
        const std::uint32_t percent = shared.percent;
        progress.step(percent > shown ? percent - shown : 0);
        shown = std::max(shown, percent);
        if (Clock::now() - start < kMostTime) continue;
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        throw std::runtime_error(fmt::format("HACD did not end within {} minutes", kMostTime.count()));
    }
    if (shared.is_done == 1) return;  // rather than by the status, which is lost where the caller ignores SIGCHLD
    if (WIFSIGNALED(status))
        throw std::runtime_error(
            fmt::format("HACD was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
    throw std::runtime_error("HACD failed");
}

}  // namespace

bool can_decompose() { return true; }

std::vector<std::uint32_t> hacd_clusters(const GridMesh& mesh, double concavity, std::uint32_t most,
                                         const std::string& what) {
    Input input = input_of(mesh);
    const SharedMemory memory(mesh.triangles.size());
    Shared& shared = *memory;
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error(fmt::format("no process for HACD: {}", std::strerror(errno)));
    if (child == 0) run_child(input, concavity, most, shared);
    wait_for(child, shared, what);
    const std::span<const std::uint32_t> labels(shared.labels(), mesh.triangles.size());
    for (const std::uint32_t label : labels)
        if (label >= mesh.triangles.size()) throw std::runtime_error("HACD left a triangle without a cluster");
    return {labels.begin(), labels.end()};
}

}  // namespace abut::tools
