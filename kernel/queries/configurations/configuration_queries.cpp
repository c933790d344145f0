// Queries on one list of pairs in many configurations: computed block by block, then reduced to the requested answers
// (reductions.hpp).
#include "queries/configurations/configuration_queries.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/parallel/blocks.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/valid_pose.hpp"
#include "shapes/tables.hpp"
#include "surfaces/distances/nearest_triangles.hpp"
#include "surfaces/walk/child_walk.hpp"

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

    void begin_runs() {
        runs_.begin(all_, *context_.kernels, context_.executor, kPairsTogether * context_.tasks());
        grow(own_.some, all_.size());
        for (std::size_t i = 0; i < all_.size(); ++i) own_.some[i] = static_cast<std::uint32_t>(i);
    }

    // Writes hits to PairScratch::flag.
    void overlaps(std::span<Status> status) {
        begin_runs();
        OutputView view = no_columns();
        scratch_.flag.assign(all_.size() * pairs_, 0);
        for_each_block([&](std::span<const std::uint32_t> some, std::size_t first) {
            view.hit = scratch_.flag.data() + first;
            ask(frame_of(some, {0, pairs_}, BlockOrder::by_configuration), hits_, view);
            copy_status(some, first, status);
        });
    }

    void distances(const DistanceOptions& options, const DistanceColumns& out) {
        begin_runs();
        QueryParameters wanted = query_.distance_parameters(options);
        const std::size_t most = runs_.block({0, pairs_}) * pairs_;
        if (!options.max_distances.empty()) {
            grow(own_.reach, most);
            set_reaches(wanted, most, [&](std::size_t i) { return options.max_distances[i % pairs_]; });
        }
        const auto at = [](auto column, std::size_t first) { return column.empty() ? nullptr : column.data() + first; };
        OutputView view = no_columns();
        for_each_block([&](std::span<const std::uint32_t> some, std::size_t first) {
            view.signed_distance = at(out.signed_distance, first);
            view.normal = at(out.normal, first), view.point_a = at(out.point_a, first),
            view.point_b = at(out.point_b, first);
            ask(frame_of(some, {0, pairs_}, BlockOrder::by_configuration), wanted, view);
            clear_unanswered(context_.statuses(some.size() * pairs_), view);
            copy_status(some, first, out.status);
        });
    }

    void any_overlap(const AnyOverlapColumns& out) {
        clear_answers(out, all_.size());
        sieve_.begin(all_, context_.isa);
        const std::size_t lanes = sieve_.lanes();
        for (std::size_t first = 0; first < all_.size(); first += kBlocksTogether * lanes) {
            const std::size_t count = std::min((all_.size() - first + lanes - 1) / lanes, kBlocksTogether);
            grow(own_.blocks, count);
            const std::span<PairSieve::Block> blocks(own_.blocks.data(), count);
            sieve_.run(static_cast<std::uint32_t>(first), blocks, context_.executor, context_.tasks());
            resolve(blocks, out);
        }
    }

    void least_distance(const DistanceOptions& options, const LeastDistanceColumns& out) {
        begin_runs();
        QueryParameters wanted = query_.distance_parameters(options);
        OutputView view = no_columns();
        clear_answers(out, all_.size());
        for_each_part([&](std::span<std::uint32_t> some, PairRange range) {
            const std::size_t count = some.size() * range.count();
            grow(own_.reach, count), grow(own_.distance, count), grow(own_.most, some.size());
            for (std::size_t c = 0; c < some.size(); ++c) own_.most[c] = out.signed_distance[some[c]];
            const auto limit_of = [&](std::size_t i) {
                return options.max_distances.empty() ? options.max_distance
                                                     : options.max_distances[range.first + i / some.size()];
            };
            const Frame frame = frame_of(some, range, BlockOrder::by_pair);
            lower_most(frame, some.size(), limit_of);
            set_reaches(wanted, count,
                        [&](std::size_t i) { return std::min(limit_of(i), reach_for(own_.most[i % some.size()])); });
            view.signed_distance = own_.distance.data();
            view.normal = room(out.normal, own_.normal, count);
            view.point_a = room(out.point_a, own_.point_a, count),
            view.point_b = room(out.point_b, own_.point_b, count);
            ask(frame, wanted, view);
            reduce_distances(some, range, own_, context_.statuses(count), out);
            return some.size();
        });
    }

private:
    // Blocks of the sieve whose unsure pairs are answered together; the first of them per block, then twice as many.
    static constexpr std::size_t kBlocksTogether = 1024, kFirstUnsure = 8;
    // For an upper bound: the first children of a pair, or pairs of triangles.
    static constexpr std::uint32_t kFewChildren = 16, kFewTrianglePairs = 1024;
    static constexpr std::size_t kConfigurationsTogether = 8;

    // Answers the unsure pairs of blocks, in rounds: most blocks are decided by their first.
    void resolve(std::span<PairSieve::Block> blocks, const AnyOverlapColumns& out) {
        const std::size_t lanes = sieve_.lanes(), start = blocks[0].configuration;
        const auto first_hit = [&](std::uint32_t configuration) -> std::uint32_t& {
            return blocks[(configuration - start) / lanes].first_hit[(configuration - start) % lanes];
        };
        bool is_left = true;
        for (std::size_t begin = 0, size = kFirstUnsure; is_left; begin += size, size *= 2) {
            own_.unsure.clear();
            is_left = false;
            for (const PairSieve::Block& block : blocks) {
                is_left = is_left || block.unsure.size() > begin + size;
                for (std::size_t i = begin; i < std::min(block.unsure.size(), begin + size); ++i)
                    for (std::uint32_t bits = block.unsure[i].lanes, lane; bits != 0; bits &= bits - 1) {
                        lane = static_cast<std::uint32_t>(std::countr_zero(bits));
                        if (block.unsure[i].pair < block.first_hit[lane])
                            own_.unsure.add({block.configuration + lane, block.unsure[i].pair});
                    }
            }
            ask_unsure();
            const std::span<const ConfigurationPairs::Item> items = own_.unsure.items();
            for (std::size_t i = 0; i < items.size(); ++i)
                if (scratch_.flag[i] != 0)
                    first_hit(items[i].configuration) = std::min(first_hit(items[i].configuration), items[i].pair);
            for (std::size_t i = 0; i < items.size() && !out.unanswered.empty(); ++i)
                out.unanswered[items[i].configuration] +=
                    !is_answered(scratch_.status[i]) && items[i].pair < first_hit(items[i].configuration);
        }
        for (const PairSieve::Block& block : blocks)
            std::copy_n(block.first_hit, block.count, out.pair.data() + block.configuration);
    }
    // Leaves hits and statuses in the scratch.
    void ask_unsure() {
        const std::size_t count = own_.unsure.items().size();
        scratch_.flag.assign(count, 0);
        if (count == 0) return;
        OutputView view = no_columns();
        view.hit = scratch_.flag.data(), view.status = context_.begin_statuses(count);
        query_.run_frame(own_.unsure.frame(all_), hits_, view);
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
        for (std::size_t i = 0; i < count; ++i) {
            own_.reach[i] = reach_of_pair(i);
            wanted.reach = std::max(wanted.reach, own_.reach[i]);
        }
        wanted.margins = {own_.reach.data(), count};
    }

    // Lowers ConfigurationScratch::most to upper bounds on the least distances, from a few children of each pair with a
    // compound or a surface. So the walks over all children are short for all pairs but the nearest.
    template <class LimitOf>
    void lower_most(const Frame& frame, std::size_t configurations, const LimitOf& limit_of) {
        const PairRecordBuilder record_of(frame);
        const SortedPairs& sorted = runs_.sorted();
        for_each_in_blocks(context_.executor, configurations, kConfigurationsTogether, [&](std::size_t c) {
            for (const auto* entries : {&sorted.compounds, &sorted.surfaces, &sorted.surface_pairs})
                for (std::size_t i = c; i < entries->size(); i += configurations) {
                    const Entry& entry = (*entries)[i];
                    const auto [a, b] = record_of(entry);
                    if (!is_valid_parent_pose(a) || !is_valid_parent_pose(b)) continue;
                    const double most = std::min(own_.most[c], limit_of(entry.pair())),
                                 shorter = entries == &sorted.surface_pairs ? of_few_triangles(a, b, most)
                                                                            : of_few_children(a, b, most);
                    // The reach has room for the rounding.
                    if (shorter < most) own_.most[c] = static_cast<float>(shorter);
                }
        });
    }
    double of_few_children(const Body& a, const Body& b, double most) const {
        return ChildWalk(tables_of(*all_.shapes), a, b).shortened(most, kFewChildren);
    }
    // Of two surfaces.
    double of_few_triangles(const Body& a, const Body& b, double most) const {
        const ShapeTables& tables = tables_of(*all_.shapes);
        const double radii = double(tables.record(a.shape).rounding) + double(tables.record(b.shape).rounding);
        const NearestTask task = {most + radii, -std::numeric_limits<double>::infinity(), kFewTrianglePairs};
        return find_nearest(tables, *kernels_for<SurfaceKernels>(context_.isa), a, b, task).distance - radii;
    }

    Frame frame_of(std::span<const std::uint32_t> some, PairRange range, BlockOrder order) {
        const Frame block = runs_.frame(some, range, order);
        return query_.bodies.with_records(block, *context_.kernels, context_.executor, true).value_or(block);
    }
    // Computes some configurations; leaves statuses in scratch_.status.
    void ask(const Frame& frame, const QueryParameters& wanted, OutputView view) {
        view.status = context_.begin_statuses(frame.pairs.size());
        runs_.write_status(frame, context_.statuses(frame.pairs.size()));
        query_.run_sorted(frame, runs_.sorted(), wanted, view);
    }
    void copy_status(std::span<const std::uint32_t> some, std::size_t first, std::span<Status> to) const {
        if (!to.empty()) std::copy_n(scratch_.status.data(), some.size() * pairs_, to.data() + first);
    }

    // Calls visit(some, first) for the blocks of all configurations; `first` is the index of their first pair among
    // all.
    template <class Visit>
    void for_each_block(Visit&& visit) {
        const std::size_t block = runs_.block({0, pairs_});
        const std::span<const std::uint32_t> every(own_.some.data(), all_.size());
        for (std::size_t at = 0; at < every.size(); at += block)
            visit(every.subspan(at, std::min(block, every.size() - at)), at * pairs_);
    }

    template <class Visit>
    void for_each_part(Visit&& visit) {
        const std::span<std::uint32_t> undecided(own_.some.data(), all_.size());
        abut::for_each_part(
            pairs_, undecided, [&](PairRange range) { return runs_.block(range); }, visit);
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

void ConfigurationQueries::answer(LeastDistanceColumns& out, const Configurations& all,
                                  const DistanceOptions& options) {
    ConfigurationCall(*this, all).least_distance(options, out);
}

}  // namespace abut
