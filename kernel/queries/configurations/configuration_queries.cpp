// Queries on one list of pairs in many configurations. Pairs are computed block by block, or the sieve decides them and
// only the undecided ones are computed.
#include "queries/configurations/configuration_queries.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace abut {
namespace {

class ConfigurationCall {
public:
    ConfigurationCall(ConfigurationQueries& queries, const Configurations& all)
        : query_(queries.pairs),
          context_(query_.context),
          all_(all),
          runs_(queries.runs),
          scratch_(context_.scratch),
          sieve_(queries.sieve),
          own_(queries.scratch),
          pairs_(static_cast<std::uint32_t>(all.pairs.size())) {}

    // Writes hits to PairScratch::flag.
    void overlaps(std::span<Status> status) {
        scratch_.flag.assign(all_.size() * pairs_, 0);
        for_each_block([&](std::uint32_t first, std::uint32_t count) {
            OutputView view = no_columns();
            view.hit = scratch_.flag.data() + std::size_t(first) * pairs_;
            ask(first, count, hits_, view, status);
        });
    }

    void distances(const DistanceOptions& options, const DistanceColumns& out) {
        QueryParameters wanted = query_.distance_parameters(options);
        for_each_block([&](std::uint32_t first, std::uint32_t count) {
            const std::size_t pairs = std::size_t(count) * pairs_;
            if (!options.max_distances.empty())
                set_reaches(wanted, pairs, [&](std::size_t i) { return options.max_distances[i % pairs_]; });
            const auto at = [&](auto column) {
                return column.empty() ? nullptr : column.data() + std::size_t(first) * pairs_;
            };
            OutputView view = no_columns();
            view.signed_distance = at(out.signed_distance);
            view.normal = at(out.normal), view.point_a = at(out.point_a), view.point_b = at(out.point_b);
            ask(first, count, wanted, view, out.status);
            clear_unanswered(context_.statuses(pairs), view);
        });
    }

    void any_overlap(const AnyOverlapColumns& out) {
        clear_answers(out, all_.size());
        own_.first_overlaps.assign(all_.size(), {});
        for_each_sieved([&](std::span<PairSieve::Block> blocks) { find_overlaps(blocks, out.unanswered); });
        for (std::size_t i = 0; i < all_.size(); ++i) out.pair[i] = own_.first_overlaps[i].pair;
    }

    // Works in rounds: each round tests the next configurations of every path without a hit.
    void any_overlap(const ConfigurationPaths& paths, const PathOverlapColumns& out) {
        clear_answers(out, paths.ends.size());
        own_.first_overlaps.assign(paths.ends.size(), {});
        sieve_.begin(all_, isa_of_paths());
        grow(own_.blocks, kBlocksTogether);
        std::size_t count = 0;
        const auto flush = [&] {
            if (count != 0) find_overlaps({own_.blocks.data(), count}, out.unanswered);
            count = 0;
        };
        const auto states_of = [&](std::uint32_t i) {
            return PathStates(i == 0 ? 0 : paths.ends[i - 1], paths.ends[i]);
        };
        own_.active.resize(paths.ends.size());
        std::iota(own_.active.begin(), own_.active.end(), 0u);
        for (std::uint32_t round = 0; !own_.active.empty(); ++round, flush()) {
            std::erase_if(own_.active, [&](std::uint32_t i) {
                return round >= states_of(i).rounds || own_.first_overlaps[i].pair != kNoPair;
            });
            for (const std::uint32_t i : own_.active) {
                // The blocks of one round are answered together, so that the round's first pair is known.
                if (count + kStatesTogether > kBlocksTogether) flush();
                count += states_of(i).put_blocks(round, i, sieve_.lanes(), own_.blocks.data() + count);
            }
        }
        for (std::size_t i = 0; i < paths.ends.size(); ++i) {
            out.configuration[i] = own_.first_overlaps[i].configuration;
            if (!out.pair.empty()) out.pair[i] = own_.first_overlaps[i].pair;
        }
    }

    void least_distance(const DistanceOptions& options, const LeastDistanceColumns& out) {
        clear_answers(out, all_.size());
        grow(own_.least_pair, all_.size());
        for_each_sieved([&](std::span<PairSieve::Block> blocks) {
            sieve_.bound_distances(blocks, context_, options);
            resolve_distances(blocks, options, out);
        });
    }

private:
    // kBlocksTogether: blocks of the sieve whose undecided pairs are answered together. kFirstUndecided: undecided
    // pairs per block in the first round; each later round takes twice as many.
    static constexpr std::size_t kBlocksTogether = 1024, kFirstUndecided = 8;
    // The number of configurations of a path that are tested together, equal on every instruction set.
    static constexpr std::uint32_t kStatesTogether = 8;

    // The configurations of a path in the order in which they are tested: every `stride`th from an offset on. Each new
    // offset halves the remaining gaps.
    struct PathStates {
        std::uint32_t first, count, stride, rounds;

        PathStates(std::uint32_t begin, std::uint32_t end)
            : first(begin),
              count(end - begin),
              stride((count + kStatesTogether - 1) / kStatesTogether),
              rounds(count == 0 ? 0 : std::bit_ceil(stride)) {}
        // Returns the number of blocks.
        std::uint32_t put_blocks(std::uint32_t round, std::uint32_t path, std::uint32_t lanes,
                                 PairSieve::Block* to) const {
            std::uint32_t offset = 0, blocks = 0;
            for (std::uint32_t bit = 1; bit < rounds; bit *= 2) offset = 2 * offset + ((round & bit) == 0 ? 0 : 1);
            offset ^= rounds / 2;
            if (offset >= stride) return 0;
            for (std::uint32_t at = offset; at < count; at += lanes * stride) {
                PairSieve::Block& block = to[blocks++];
                block.first = first + at, block.stride = stride, block.path = path;
                block.count = std::min(lanes, (count - at + stride - 1) / stride);
            }
            return blocks;
        }
    };

    // Paths use AVX2, as such chunks do, because their configurations leave half of sixteen lanes idle.
    Isa isa_of_paths() const { return context_.few_kernels != context_.kernels ? Isa::avx2 : context_.isa; }

    template <class Visit>
    void for_each_sieved(const Visit& visit) {
        sieve_.begin(all_, context_.isa);
        const auto size = static_cast<std::uint32_t>(all_.size());
        const std::uint32_t lanes = sieve_.lanes();
        for (std::uint32_t first = 0; first < size;) {
            const std::size_t count = std::min<std::size_t>((size - first + lanes - 1) / lanes, kBlocksTogether);
            grow(own_.blocks, count);
            for (std::size_t i = 0; i < count; ++i, first += lanes) {
                PairSieve::Block& block = own_.blocks[i];
                block.first = first, block.count = std::min(lanes, size - first);
                block.stride = 1, block.path = PairSieve::kNoPath;
            }
            visit(std::span<PairSieve::Block>(own_.blocks.data(), count));
        }
    }
    template <class Visit>
    static void for_each_lane(std::uint32_t lanes, const Visit& visit) {
        for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
    }

    // Calls visit(i, lane) for the undecided pairs [begin, begin + count) of a block.
    template <class Visit>
    static void for_each_undecided(const PairSieve::Block& block, std::size_t begin, std::size_t count,
                                   const Visit& visit) {
        for (std::size_t i = begin; i < block.undecided.size() && i - begin < count; ++i)
            for_each_lane(block.undecided[i].lanes, [&](std::uint32_t lane) { visit(i, lane); });
    }

    static std::uint32_t group_of(const PairSieve::Block& block, std::uint32_t lane) {
        return block.path != PairSieve::kNoPath ? block.path : block.configuration(lane);
    }
    void offer(std::uint32_t group, const FirstOverlap& hit) {
        own_.first_overlaps[group] = std::min(own_.first_overlaps[group], hit);
    }

    // Finds the first hits of the blocks' groups, and the number of pairs without an answer before each.
    void find_overlaps(std::span<PairSieve::Block> blocks, std::span<std::uint32_t> unanswered) {
        sieve_.find_overlaps(blocks, context_);
        for (const PairSieve::Block& block : blocks)
            for (std::uint32_t lane = 0; lane < block.count; ++lane)
                if (block.first_hit[lane] != kNoPair)
                    offer(group_of(block, lane), {block.first_hit[lane], block.configuration(lane)});
        own_.unanswered.clear();
        resolve_overlaps(blocks);
        for (const UnansweredPair& one : own_.unanswered)
            if (!unanswered.empty()) unanswered[one.group] += one.at < own_.first_overlaps[one.group];
    }
    // Answers the undecided pairs of blocks, in rounds, because the first pairs decide most blocks.
    void resolve_overlaps(std::span<const PairSieve::Block> blocks) {
        bool is_left = true;
        for (std::size_t begin = 0, size = kFirstUndecided; is_left; begin += size, size *= 2) {
            own_.undecided.clear(), own_.groups.clear();
            is_left = false;
            for (const PairSieve::Block& block : blocks) {
                is_left = is_left || block.undecided.size() > begin + size;
                for_each_undecided(block, begin, size, [&](std::size_t i, std::uint32_t lane) {
                    const FirstOverlap at = {block.undecided[i].pair, block.configuration(lane)};
                    const std::uint32_t group = group_of(block, lane);
                    if (!(at < own_.first_overlaps[group])) return;
                    own_.undecided.add({at.configuration, at.pair}), own_.groups.push_back(group);
                });
            }
            OutputView view = no_columns();
            scratch_.flag.assign(own_.groups.size(), 0);
            view.hit = scratch_.flag.data();
            ask_undecided(hits_, view);
            const std::span<const ConfigurationPairs::Item> items = own_.undecided.items();
            for (std::size_t i = 0; i < items.size(); ++i) {
                const FirstOverlap at = {items[i].pair, items[i].configuration};
                if (scratch_.flag[i] != 0) offer(own_.groups[i], at);
                if (!is_answered(scratch_.status[i])) own_.unanswered.push_back({own_.groups[i], at});
            }
        }
    }

    // Answers first the pair that may be nearest in each configuration, because few others may be nearer than that
    // pair.
    void resolve_distances(std::span<PairSieve::Block> blocks, const DistanceOptions& options,
                           const LeastDistanceColumns& out) {
        const std::size_t lanes = sieve_.lanes();
        grow(own_.nearest, blocks.size() * lanes);
        own_.undecided.clear(), own_.most.clear();
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const PairSieve::Block& block = blocks[b];
            std::uint32_t* const nearest = own_.nearest.data() + b * lanes;
            std::fill_n(nearest, lanes, kNoPair);
            for_each_undecided(block, 0, block.undecided.size(), [&](std::size_t i, std::uint32_t lane) {
                const float low = block.low[i * lanes + lane];
                if (low <= block.high[lane] &&
                    (nearest[lane] == kNoPair || low < block.low[nearest[lane] * lanes + lane]))
                    nearest[lane] = static_cast<std::uint32_t>(i);
            });
            for (std::uint32_t lane = 0; lane < block.count; ++lane)
                if (nearest[lane] != kNoPair)
                    add_undecided({block.configuration(lane), block.undecided[nearest[lane]].pair}, block.high[lane]);
        }
        reduce_undecided(options, out);
        own_.undecided.clear(), own_.most.clear();
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const PairSieve::Block& block = blocks[b];
            for_each_undecided(block, 0, block.undecided.size(), [&](std::size_t i, std::uint32_t lane) {
                const std::uint32_t configuration = block.configuration(lane);
                const float most = std::min(block.high[lane], out.signed_distance[configuration]);
                // Pairs with bad poses have no bound.
                if (!(block.low[i * lanes + lane] > most) && own_.nearest[b * lanes + lane] != i)
                    add_undecided({configuration, block.undecided[i].pair}, most);
            });
        }
        reduce_undecided(options, out);
    }
    void add_undecided(ConfigurationPairs::Item item, float most) {
        own_.undecided.add(item), own_.most.push_back(most);
    }

    // Answers the undecided pairs up to the upper bounds on the least distances, and takes their answers.
    void reduce_undecided(const DistanceOptions& options, const LeastDistanceColumns& out) {
        const std::span<const ConfigurationPairs::Item> items = own_.undecided.items();
        const std::size_t count = items.size();
        QueryParameters wanted = query_.distance_parameters(options);
        grow(own_.distance, count);
        set_reaches(wanted, count, [&](std::size_t i) {
            const float limit =
                options.max_distances.empty() ? options.max_distance : options.max_distances[items[i].pair];
            return std::min(limit, reach_for(own_.most[i]));
        });
        OutputView view = no_columns();
        view.signed_distance = own_.distance.data();
        view.normal = room(out.normal, own_.normal, count);
        view.point_a = room(out.point_a, own_.point_a, count), view.point_b = room(out.point_b, own_.point_b, count);
        ask_undecided(wanted, view);
        for (std::size_t i = 0; i < count; ++i) take_distance(items[i], i, out);
    }
    // Takes the least distance; of equal distances, that of the first pair.
    void take_distance(const ConfigurationPairs::Item& item, std::size_t i, const LeastDistanceColumns& out) const {
        const std::uint32_t c = item.configuration;
        if (!is_answered(scratch_.status[i])) {
            if (!out.unanswered.empty()) ++out.unanswered[c];
            return;
        }
        const float distance = own_.distance[i];
        if (!(distance < out.signed_distance[c]) &&
            !(distance == out.signed_distance[c] && distance < HUGE_VALF && item.pair < own_.least_pair[c]))
            return;
        own_.least_pair[c] = item.pair, out.signed_distance[c] = distance;
        if (!out.pair.empty()) out.pair[c] = item.pair;
        if (!out.normal.empty()) out.normal[c] = own_.normal[i];
        if (!out.point_a.empty()) out.point_a[c] = own_.point_a[i];
        if (!out.point_b.empty()) out.point_b[c] = own_.point_b[i];
    }

    // Leaves the statuses in the scratch.
    void ask_undecided(const QueryParameters& wanted, OutputView& view) {
        const std::size_t count = own_.undecided.items().size();
        if (count == 0) return;
        view.status = context_.begin_statuses(count);
        query_.run_frame(own_.undecided.frame(all_), wanted, view);
    }

    template <class T>
    static T* room(std::span<T> wanted, Vector<T>& column, std::size_t count) {
        if (wanted.empty()) return nullptr;
        grow(column, count);
        return column.data();
    }

    template <class ReachOf>
    void set_reaches(QueryParameters& wanted, std::size_t count, ReachOf&& reach_of_pair) {
        wanted.reach = 0.0f;
        grow(own_.reach, count);
        for (std::size_t i = 0; i < count; ++i) {
            own_.reach[i] = reach_of_pair(i);
            wanted.reach = std::max(wanted.reach, own_.reach[i]);
        }
        wanted.margins = {own_.reach.data(), count};
    }

    // Computes some configurations, and copies their statuses.
    void ask(std::uint32_t first, std::uint32_t count, const QueryParameters& wanted, OutputView view,
             std::span<Status> status) {
        const Frame block = runs_.frame(first, count);
        const Frame frame =
            query_.bodies.with_records(block, *context_.kernels, context_.executor, true).value_or(block);
        view.status = context_.begin_statuses(frame.pairs.size());
        runs_.write_status(frame, context_.statuses(frame.pairs.size()));
        query_.run_sorted(frame, runs_.sorted(), wanted, view);
        if (!status.empty()) std::copy_n(view.status, frame.pairs.size(), &status[std::size_t(first) * pairs_]);
    }

    // Calls visit(first, count) for the blocks of all configurations.
    template <class Visit>
    void for_each_block(Visit&& visit) {
        runs_.begin(all_, *context_.kernels, context_.executor, kPairsTogether * context_.tasks());
        const auto size = static_cast<std::uint32_t>(all_.size());
        for (std::uint32_t first = 0; first < size; first += runs_.block())
            visit(first, std::min(runs_.block(), size - first));
    }

    PairQueries& query_;
    QueryContext& context_;
    const Configurations& all_;
    ConfigurationRuns& runs_;
    PairScratch& scratch_;
    PairSieve& sieve_;
    ConfigurationScratch& own_;
    const QueryParameters hits_ = query_.parameters(Query::overlap, 0.0f);
    std::uint32_t pairs_;
};

}  // namespace

void ConfigurationQueries::answer(OverlapColumns& out, const Configurations& all) {
    ConfigurationCall(*this, all).overlaps(out.status);
    pairs.context.give_hits(all.size() * all.pairs.size(), out);
}

void ConfigurationQueries::answer(DistanceColumns& out, const Configurations& all, const DistanceOptions& options) {
    ConfigurationCall(*this, all).distances(options, out);
}

void ConfigurationQueries::answer(AnyOverlapColumns& out, const Configurations& all) {
    ConfigurationCall(*this, all).any_overlap(out);
}

void ConfigurationQueries::answer(PathOverlapColumns& out, const ConfigurationPaths& paths) {
    ConfigurationCall(*this, paths.all).any_overlap(paths, out);
}

void ConfigurationQueries::answer(LeastDistanceColumns& out, const Configurations& all,
                                  const DistanceOptions& options) {
    ConfigurationCall(*this, all).least_distance(options, out);
}

}  // namespace abut
