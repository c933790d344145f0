// See query_context.hpp.
#include "batch/query_context.hpp"

#include <algorithm>
#include <thread>

#include "base/message.hpp"
#include "batch/frame_checks.hpp"

namespace abut {
namespace {

// The upper limit of a number of threads, of which a larger one is assumed to be a mistake: an arena has a slot for
// each.
constexpr unsigned kMaxThreads = 4096;
constexpr float kMostManifoldAngle = 1.57f;

CallResult check_settings(const Settings& wanted) {
    if (wanted.threads > kMaxThreads)
        return bad_argument(
            message_of("Settings::threads is ", wanted.threads, ", expected ", kMaxThreads, " or less"));
    if (wanted.depth != DepthPath::automatic && wanted.depth != DepthPath::exact)
        return bad_argument(message_of("Settings::depth is ", static_cast<unsigned>(wanted.depth),
                                       ", expected automatic (0) or exact (1)"));
    if (const CallResult r = check_margin("Settings::speculative_margin", wanted.speculative_margin); !r) return r;
    if (const CallResult r = check_margin("Settings::contact_slack", wanted.contact_slack); !r) return r;
    if (wanted.ground_contacts < kMaxContacts || wanted.ground_contacts > kMostGroundContacts)
        return bad_argument(message_of("Settings::ground_contacts is ", wanted.ground_contacts, ", expected ",
                                       kMaxContacts, " to ", kMostGroundContacts));
    if (!(wanted.manifold_angle >= 0 && wanted.manifold_angle <= kMostManifoldAngle))
        return bad_argument(message_of("Settings::manifold_angle is ", wanted.manifold_angle, ", expected 0 to ",
                                       kMostManifoldAngle, " radians"));
    return check_margin("Settings::follow_distance", wanted.follow_distance);
}

}  // namespace

QueryContext::QueryContext(const Settings& wanted) : settings(wanted), settings_result(check_settings(wanted)) {
    if (!settings_result) return;
    const Expected<Isa> resolved = resolve_isa(wanted.isa);
    if (!resolved) {
        settings_result = resolved.error();
        return;
    }
    if (!wanted.executor) pool.emplace(wanted.threads);
    executor = wanted.executor ? wanted.executor : pool->executor();
    isa = *resolved;
    kernels = few_kernels = kernels_for<Kernels>(isa);
    // AVX-512 is slower than AVX2 if half of its lanes are idle. Callers who name AVX-512 get it for all chunks.
    if (wanted.isa == Isa::best && isa == Isa::avx512 && is_supported(Isa::avx2))
        few_kernels = kernels_for<Kernels>(Isa::avx2);
}

std::size_t QueryContext::tasks() const {
    if (settings.executor.run == serial_executor().run || settings.threads == 1) return 1;
    return settings.threads != 0 ? settings.threads : std::max(std::thread::hardware_concurrency(), 1u);
}

}  // namespace abut
