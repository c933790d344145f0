// Runs the frames of a capture again and again, and keeps the figures.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "capture.hpp"
#include "result_bits.hpp"

namespace abut::tools {

struct ReplaySettings {
    Query query = Query::collide;
    Settings library;
    DistanceOptions distance;
    unsigned repeat = 5;
    bool warm = false;
    bool has_margin = false;  // the caller's, instead of the capture's own
    bool stages = false;      // measure them: only a library built with -D ABUT_STAGE_TIMES=ON can
};

inline constexpr std::size_t kStatusCount = 6;

// Of one frame, or of all that figure.
struct Figures {
    std::string label;
    std::size_t pairs = 0, hits = 0, contacts = 0;
    std::array<std::size_t, kStatusCount> statuses = {};
    std::map<std::pair<ShapeKind, ShapeKind>, std::size_t> kinds;  // the lower kind first
    std::size_t exact = 0;                                         // pairs that took the scalar double-precision path
    std::vector<double> seconds;                                   // a repetition
    std::uint64_t checksum = 0;

    std::size_t bad() const;  // statuses other than ok
    double ns_per_pair_min() const;
    double ns_per_pair_median() const;
    double pairs_per_second() const;  // by the median
};

struct Replay {
    std::vector<Figures> frames;
    Figures all;
    std::string difference;         // where repetitions differed; empty where they agree
    Isa isa = Isa::best;            // the one used
    std::vector<StageTime> stages;  // of all timed repetitions of the frames that figure; empty unless asked for
};

// Throws InputError where a shape or a call is refused; `name` is the capture's.
Replay replay(const Capture& capture, const std::string& name, const ReplaySettings& settings);

}  // namespace abut::tools
