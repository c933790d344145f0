// A walk (scenes/resting.hpp) asked frame after frame with its warm-start caches carried on.
#pragma once

#include <numeric>
#include <vector>

#include "judge.hpp"

namespace abut::test {

struct Walked {
    std::vector<judge::Answers> answers;  // by frame
    std::vector<WarmCache> caches;        // after the last, in the scene's order
};

// order[i] is the pair that comes i-th in every frame, of as many pairs as it has; the answers come in that order.
inline Walked ask_frames(const scenes::Scene& walk, const std::vector<std::size_t>& order, const Settings& settings) {
    const std::size_t slots = order.size();
    Walked out;
    std::vector<WarmCache> caches(slots);
    std::vector<Pair> pairs(slots);
    std::vector<float> margins(slots);
    Frame frame = walk.frame();
    frame.caches = caches;
    for (std::size_t first = 0; first < walk.pairs.size(); first += slots) {
        for (std::size_t i = 0; i < slots; ++i)
            pairs[i] = walk.pairs[first + order[i]], margins[i] = walk.margins[first + order[i]];
        frame.pairs = pairs;
        frame.margins = margins;
        out.answers.push_back(judge::ask(frame, settings));
    }
    out.caches.resize(slots);
    for (std::size_t i = 0; i < slots; ++i) out.caches[order[i]] = caches[i];
    return out;
}

inline std::vector<std::size_t> in_order(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    return order;
}

inline judge::Report judge_walk(const scenes::Scene& walk, std::size_t slots, const Settings& settings) {
    const Walked walked = ask_frames(walk, in_order(slots), settings);
    judge::Report report;
    for (std::size_t f = 0; f < walked.answers.size(); ++f)
        report.add(judge::judge(walk, walked.answers[f], settings.speculative_margin, f * slots));
    return report;
}

}  // namespace abut::test
