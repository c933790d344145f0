// The clock runs around the whole API call and nothing else: not the conversion of the capture, the checksum or the
// cache table.
#include "replay_run.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "progress.hpp"

namespace abut::tools {
namespace {

struct FrameData {
    std::vector<Body> bodies;
    std::span<const Pair> pairs;
    std::span<const float> margins;  // of contacts, where the capture has them
};

std::vector<ShapeId> add_shapes(ShapeStore& store, const Capture& capture, const std::string& name) {
    std::vector<ShapeId> ids;
    ids.reserve(capture.shapes.size());
    for (const ShapeSpec& spec : capture.shapes) {
        const Expected<ShapeId> id = add_shape(store, spec);
        if (!id) throw InputError(fmt::format("{}: shape {}: {}", name, ids.size(), id.error().message.view()));
        ids.push_back(*id);
    }
    return ids;
}

FrameData frame_data(const CaptureFrame& frame, const std::vector<ShapeId>& ids) {
    FrameData data{{}, frame.pairs, frame.margins};
    data.bodies.reserve(frame.bodies.size());
    for (const CaptureBody& body : frame.bodies)
        data.bodies.push_back({body.position, ids[body.shape], body.orientation});
    return data;
}

void count_kinds(const FrameData& data, Figures& figures) {
    for (const Pair& pair : data.pairs) {
        const std::pair<ShapeKind, ShapeKind> kinds =
            std::minmax({data.bodies[pair.a].shape.kind(), data.bodies[pair.b].shape.kind()});
        ++figures.kinds[kinds];
    }
}

void count_results(const QueryResults& results, Query query, Figures& figures) {
    for (const Status status : results.status(query)) ++figures.statuses[std::size_t(status)];
    if (query == Query::overlap) figures.hits = results.overlaps.hits.size();
    if (query == Query::distance) {
        // A pair without an answer holds zeros, which are no hit.
        for (std::size_t i = 0; i < figures.pairs; ++i) {
            const bool answered =
                results.distances.status[i] == Status::ok || results.distances.status[i] == Status::not_converged;
            figures.hits += answered && results.distances.signed_distance[i] <= 0.0f;
        }
    }
    if (query == Query::collide) {
        figures.contacts = results.manifolds.contacts.size();
        std::uint32_t last_pair = ~0u;
        for (const Manifold& manifold : results.manifolds.manifolds) {
            figures.hits += manifold.contact_count > 0 && manifold.pair != last_pair;
            if (manifold.contact_count > 0) last_pair = manifold.pair;
        }
    }
}

class Runner {
public:
    Runner(const Capture& capture, const std::string& name, const ReplaySettings& settings)
        : settings_(settings), narrow_(settings.library) {
        const std::vector<ShapeId> ids = add_shapes(store_, capture, name);
        for (const CaptureFrame& frame : capture.frames) {
            frames_.push_back(frame_data(frame, ids));
            Figures figures;
            figures.label = frame.label;
            figures.pairs = frame.pairs.size();
            count_kinds(frames_.back(), figures);
            result_.frames.push_back(std::move(figures));
        }
        reference_.resize(frames_.size());
        results_.resize(frames_.size());
        result_.isa = narrow_.isa();
    }

    Replay run() {
        Progress progress("replaying, frames", frames_.size() * (settings_.repeat + 1));
        // Cold, a frame's repetitions follow each other; warm, each repetition goes through the frames in order.
        const std::size_t outer = settings_.warm ? settings_.repeat + 1 : frames_.size();
        const std::size_t inner = settings_.warm ? frames_.size() : settings_.repeat + 1;
        for (std::size_t i = 0; i < outer && result_.difference.empty(); ++i) {
            warm_.clear();
            for (std::size_t j = 0; j < inner && result_.difference.empty(); ++j) {
                settings_.warm ? visit(j, i) : visit(i, j);
                progress.step();
            }
        }
        if (settings_.warm && !result_.frames.empty()) result_.frames.erase(result_.frames.begin());
        add_up();
        if (settings_.stages && result_.stages.empty())
            throw InputError("this abut measures no stages: it was built without -D ABUT_STAGE_TIMES=ON");
        return std::move(result_);
    }

private:
    // Repetition 0 is the untimed one: it gives the counts, and the bits that the others must give as well.
    void visit(std::size_t index, std::size_t repetition) {
        Figures& figures = result_.frames[index];
        QueryResults& results = results_[index];
        const double seconds = call(frames_[index], results);
        const std::uint64_t sum = checksum(results, settings_.query);
        if (repetition == 0) {
            count_results(results, settings_.query, figures);
            figures.exact = narrow_.counters().exact;
            figures.checksum = sum;
            reference_[index] = results;
            return;
        }
        figures.seconds.push_back(seconds);
        if (settings_.stages && !(settings_.warm && index == 0)) add_stages();
        if (sum == figures.checksum) return;
        const auto difference = first_difference(reference_[index], results, settings_.query);
        result_.difference = fmt::format("frame {} (\"{}\"), pair {}, column {}: repetition {} differs from the first",
                                         index, figures.label, difference ? difference->pair : 0,
                                         difference ? difference->column : "unknown", repetition);
    }

    void add_stages() {
        for (const StageTime& stage : narrow_.stage_times()) {
            const auto is_same = [&](const StageTime& other) { return std::string_view(other.name) == stage.name; };
            const auto found = std::find_if(result_.stages.begin(), result_.stages.end(), is_same);
            StageTime& sum =
                found != result_.stages.end() ? *found : result_.stages.emplace_back(StageTime{stage.name});
            sum.visits += stage.visits, sum.nanoseconds += stage.nanoseconds;
        }
    }

    double call(const FrameData& data, QueryResults& results) {
        Frame frame;
        frame.shapes = &store_;
        frame.bodies = data.bodies;
        frame.pairs = data.pairs;
        if (settings_.query == Query::collide && !settings_.has_margin) frame.margins = data.margins;
        if (settings_.warm) frame.caches = warm_.begin(frame.pairs);
        const auto begin = std::chrono::steady_clock::now();
        const CallResult called = ask(frame, results);
        const auto end = std::chrono::steady_clock::now();
        if (!called) throw InputError(called.error().message);
        return std::chrono::duration<double>(end - begin).count();
    }

    CallResult ask(const Frame& frame, QueryResults& results) {
        switch (settings_.query) {
            case Query::overlap: return narrow_.overlap(frame, results.overlaps);
            case Query::distance: return narrow_.distance(frame, results.distances, settings_.distance);
            case Query::collide: break;
        }
        return narrow_.collide(frame, results.manifolds);
    }

    void add_up() {
        Figures& all = result_.all;
        all.label = "all";
        all.seconds.assign(settings_.repeat, 0.0);
        Checksum sum;
        for (const Figures& frame : result_.frames) {
            all.pairs += frame.pairs;
            all.hits += frame.hits;
            all.contacts += frame.contacts;
            all.exact += frame.exact;
            for (std::size_t i = 0; i < kStatusCount; ++i) all.statuses[i] += frame.statuses[i];
            for (const auto& [kinds, count] : frame.kinds) all.kinds[kinds] += count;
            for (std::size_t i = 0; i < frame.seconds.size(); ++i) all.seconds[i] += frame.seconds[i];
            sum.add_long(frame.checksum);
        }
        all.checksum = sum.value();
    }

    const ReplaySettings& settings_;
    ShapeStore store_;
    NarrowPhase narrow_;
    std::vector<FrameData> frames_;
    std::vector<QueryResults> results_, reference_;
    WarmTable warm_;
    Replay result_;
};

double per_pair(double seconds, std::size_t pairs) { return pairs > 0 ? seconds * 1e9 / double(pairs) : 0.0; }

}  // namespace

std::size_t Figures::bad() const { return std::accumulate(statuses.begin() + 1, statuses.end(), std::size_t(0)); }

double Figures::ns_per_pair_min() const {
    return seconds.empty() ? 0.0 : per_pair(*std::min_element(seconds.begin(), seconds.end()), pairs);
}

double Figures::ns_per_pair_median() const {
    if (seconds.empty()) return 0.0;
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return per_pair(sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2, pairs);
}

double Figures::pairs_per_second() const {
    const double ns = ns_per_pair_median();
    return ns > 0.0 ? 1e9 / ns : 0.0;
}

Replay replay(const Capture& capture, const std::string& name, const ReplaySettings& settings) {
    return Runner(capture, name, settings).run();
}

}  // namespace abut::tools
