// Names and readers of traces.
#include <abut/frame.hpp>

namespace abut {

const char* to_string(PairState state) {
    switch (state) {
        case PairState::children: return "children";
        case PairState::direct: return "direct";
        case PairState::warm_search: return "warm_search";
        case PairState::search: return "search";
        case PairState::resume: return "resume";
        case PairState::depth: return "depth";
        case PairState::descent: return "descent";
        case PairState::manifold: return "manifold";
        case PairState::pull: return "pull";
        case PairState::exact: return "exact";
        case PairState::done: return "done";
    }
    return "unknown";
}

PairState certified_by(const PairTrace& trace) {
    PairState last = PairState::done;
    for (int i = 0; i < trace.count; ++i)
        if (trace.states[i] != PairState::manifold) last = trace.states[i];
    return last;
}

}  // namespace abut
