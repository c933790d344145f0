// Chooses an instruction set that is compiled in and that CPU and OS support: the one that the caller names; else the
// one that the variable ABUT_ISA names, if the caller has called read_environment; else the widest.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include <abut/host.hpp>

#include "base/message.hpp"
#include "simd/cpu_features.hpp"
#include "simd/isa_choice.hpp"
#include "simd/kernel_table.hpp"

namespace abut {

namespace {

struct BuiltIsa {
    Isa isa;
    unsigned lanes;
    bool (*runs)();
};

constexpr BuiltIsa kBuiltIsas[] = {
#define ABUT_BUILT_SET(name, lanes, runs, unused) {Isa::name, lanes, [] { return bool(runs); }},
    ABUT_FOR_BUILT_SETS(ABUT_BUILT_SET, )
#undef ABUT_BUILT_SET
};

const BuiltIsa* built(Isa isa) {
    const auto found =
        std::find_if(std::begin(kBuiltIsas), std::end(kBuiltIsas), [&](const BuiltIsa& set) { return set.isa == isa; });
    return found == std::end(kBuiltIsas) ? nullptr : found;
}

// All instruction sets, compiled in or not.
struct KnownIsa {
    Isa isa;
    const char* name;
    unsigned lanes;
};
constexpr KnownIsa kKnownIsas[] = {
#define ABUT_INSTRUCTION_SET(name, lanes, processor, flags, features) {Isa::name, #name, lanes},
#include <abut/isa_sets.inc>
#undef ABUT_INSTRUCTION_SET
};

// "auto, sse2, avx2, avx512 or neon"
Message all_names() {
    Message names = "auto";
    for (const KnownIsa& set : kKnownIsas)
        names = message_of(names, &set == std::end(kKnownIsas) - 1 ? " or " : ", ", set.name);
    return names;
}

}  // namespace

const char* to_string(Isa isa) {
    if (isa == Isa::best) return "auto";
    for (const KnownIsa& set : kKnownIsas)
        if (set.isa == isa) return set.name;
    return "unknown";
}

Expected<Isa> parse_isa(std::string_view name) {
    if (name == to_string(Isa::best)) return Isa::best;
    for (const KnownIsa& set : kKnownIsas)
        if (name == set.name) return set.isa;
    return bad_argument(message_of("unknown ISA '", name, "': expected ", all_names()));
}

namespace {

const IsaChoices& choices_here() {
    static const IsaChoices choices = [] {
        IsaChoices found;
        for (const BuiltIsa& set : kBuiltIsas) {
            found.compiled.add(set.isa);
            if (set.runs()) found.runnable.add(set.isa);
        }
        return found;
    }();
    return choices;
}

Message names_of(IsaSet isas) {
    Message names;
    for (const Isa isa : kAllIsas)
        if (isas.has(isa)) names = message_of(names, names.empty() ? "" : ", ", to_string(isa));
    return names;
}

Expected<Isa> widest(const IsaChoices& choices) {
    const KnownIsa* best = nullptr;
    for (const KnownIsa& set : kKnownIsas)
        if (choices.has(set.isa) && (best == nullptr || set.lanes > best->lanes)) best = &set;
    if (best != nullptr) return best->isa;
    return Error{ErrorCode::unsupported, message_of("this machine runs none of the instruction sets in this build: ",
                                                    names_of(choices.compiled))};
}

}  // namespace

Expected<Isa> choose_isa(Isa wanted, const char* forced, const IsaChoices& choices) {
    if (wanted != Isa::best) {
        if (choices.has(wanted)) return wanted;
        return Error{
            ErrorCode::unsupported,
            message_of("ISA ", to_string(wanted),
                       (choices.compiled.has(wanted) ? " is not supported by this machine" : " is not in this build"))};
    }
    if (forced == nullptr || *forced == '\0') return widest(choices);
    const Expected<Isa> named = parse_isa(forced);
    if (!named) return bad_argument(message_of("ABUT_ISA: ", named.error().message));
    if (*named == Isa::best) return widest(choices);
    if (!choices.has(*named))
        return Error{ErrorCode::unsupported, message_of("ABUT_ISA=", forced, " is not supported here")};
    return *named;
}

bool is_supported(Isa isa) {
    const auto has = [](Isa one) { return choices_here().has(one); };
    return isa == Isa::best ? std::any_of(kAllIsas.begin(), kAllIsas.end(), has) : has(isa);
}

namespace {

std::atomic<Isa> best_means{Isa::best};  // set by read_environment; best: the widest

}  // namespace

Expected<Isa> resolve_isa(Isa wanted) {
    return choose_isa(wanted == Isa::best ? best_means.load() : wanted, nullptr, choices_here());
}

CallResult read_environment() {
    const char* const named = std::getenv("ABUT_ISA");
    const bool names_one = named != nullptr && *named != '\0' && std::string_view(named) != to_string(Isa::best);
    const Expected<Isa> chosen = choose_isa(Isa::best, named, choices_here());
    if (!chosen) return chosen.error();
    best_means = names_one ? *chosen : Isa::best;
    return {};
}

Isa best_isa() {
    const Expected<Isa> isa = resolve_isa(Isa::best);
    return isa ? *isa : Isa::best;
}

unsigned lanes(Isa isa) {
    const BuiltIsa* const set = built(isa == Isa::best ? best_isa() : isa);
    return set ? set->lanes : 0;
}

}  // namespace abut
