// Radix sort of Morton codes. Boxes that share a cell of the curve are sorted again along a curve of their own, so that
// a cluster, or one box far from all others, costs only a second sort.
#include "queries/boxes/box_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"
#include "base/scratch_columns.hpp"

namespace abut {

namespace {

// A box this many times as large as the median is of the next class. Blocks of equal boxes have bounds three to four
// times as large as a box.
constexpr float kClassRatio = 8.0f;
// The number of boxes from whose edges the median is computed.
constexpr std::size_t kSamples = 31;
// Runs of up to this many equal keys, two blocks, are not sorted further.
constexpr std::size_t kLongestRun = 2 * 8;
constexpr int kMaxDepth = 8;
// If fewer than one box in this many moves, the boxes at rest are sieved before the sort.
constexpr std::size_t kFewMoving = 8;
// The edge of the sieve's cells, in mean edges of the moving boxes.
constexpr float kCellEdges = 2.0f;
// Up to this many boxes are not sorted, because testing them in any order is faster.
constexpr std::size_t kFewBoxes = 96;
// The least number of boxes per task of a thread: 20 microseconds.
constexpr std::size_t kLeastBoxes = 2048;

// The test has no branches, because boxes are seldom bad.
bool is_good(const Bounds& box) {
    return bool(int(box.min.x <= box.max.x) & int(box.min.y <= box.max.y) & int(box.min.z <= box.max.z));
}

// The longest edge; infinity for an infinite box.
float longest_edge(const Bounds& box) {
    return std::max(std::max(box.max.x - box.min.x, box.max.y - box.min.y), box.max.z - box.min.z);
}

MortonCurve curve_over(const CentreRange& centres, std::uint32_t bits, float median) {
    MortonCurve curve = {{}, 0, bits, median * kClassRatio, median * kClassRatio * kClassRatio};
    double edge = 0;
    for (int axis = 0; axis < 3; ++axis) {
        curve.low[axis] = centres.low[axis];
        edge = std::max(edge, double(centres.high[axis]) - centres.low[axis]);
    }
    const double scale = edge > 0 ? (1u << bits) / edge : 0.0;
    curve.scale = float(std::min(scale, double(std::numeric_limits<float>::max())));
    return curve;
}

void clear(float (&low)[3], float (&high)[3]) {
    for (int axis = 0; axis < 3; ++axis) low[axis] = kInfinity, high[axis] = -kInfinity;
}

void add_corners(float (&low)[3], float (&high)[3], const Bounds& box) {
    low[0] = std::min(low[0], box.min.x), low[1] = std::min(low[1], box.min.y), low[2] = std::min(low[2], box.min.z);
    high[0] = std::max(high[0], box.max.x), high[1] = std::max(high[1], box.max.y),
    high[2] = std::max(high[2], box.max.z);
}

// For one digit: converts the counts of each part to the positions of its first entries.
void place_digits(std::uint32_t* counts, std::size_t parts, std::uint32_t values) {
    std::uint32_t place = 0;
    for (std::uint32_t value = 0; value < values; ++value)
        for (std::size_t part = 0; part < parts; ++part) {
            std::uint32_t& count = counts[part * values + value];
            place += count;
            count = place - count;
        }
}

}  // namespace

Bounds BoxReader::widened(const Bounds& box, float margin) {
    const double by = margin;
    return {{round_down(box.min.x - by), round_down(box.min.y - by), round_down(box.min.z - by)},
            {round_up(box.max.x + by), round_up(box.max.y + by), round_up(box.max.z + by)}};
}

// Leaves out the boxes at rest that no moving box is near, if few boxes move. Returns false, and leaves out none, if a
// moving box is infinite.
bool BoxOrder::select(const BoxReader& boxes, std::size_t moving, const Workers& workers) {
    selected_.clear();
    grow(counts_, boxes.size());  // first the counts of moving boxes, then those of the parts' selections
    float low[3], high[3];
    clear(low, high);
    float edges = 0.0f;
    std::size_t count = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!boxes.moves(i)) continue;
        const Bounds box = boxes[i];
        counts_[count++] = std::uint32_t(i);
        if (!is_good(box)) continue;
        if (!(longest_edge(box) < kInfinity)) return false;
        edges += longest_edge(box);
        add_corners(low, high, box);
    }
    if (!(low[0] <= high[0])) low[0] = low[1] = low[2] = high[0] = high[1] = high[2] = 0.0f;
    sieve_.start(low, high, kCellEdges * edges / float(moving));
    for (std::size_t i = 0; i < count; ++i)
        if (const Bounds box = boxes[counts_[i]]; is_good(box)) sieve_.mark(box);

    const std::size_t parts = workers.parts(boxes.size(), kLeastBoxes);
    grow(parts_, parts);
    workers.run(parts, boxes.size(), [&](std::size_t part, std::size_t first, std::size_t end) {
        std::size_t kept = first;
        for (std::size_t i = first; i < end; ++i) {
            const Bounds box = boxes[i];
            counts_[kept] = std::uint32_t(i);
            // Bad boxes are kept, because they are listed later.
            kept += std::size_t(int(boxes.moves(i)) | int(!is_good(box)) | int(sieve_.reaches(box)));
        }
        parts_[part].kept = kept - first;
    });
    for (std::size_t part = 0; part < parts; ++part) {
        const auto first = counts_.begin() + std::ptrdiff_t(boxes.size() * part / parts);
        selected_.insert(selected_.end(), first, first + std::ptrdiff_t(parts_[part].kept));
    }
    return true;
}

// Lists the entries; computes the bounds of the centres, and the median of the longest edges.
CentreRange BoxOrder::survey(const BoxReader& boxes, const BoxKernels& kernels, const Workers& workers) {
    const std::size_t all = size(boxes), parts = workers.parts(all, kLeastBoxes);
    grow(parts_, parts);
    workers.run(parts, all, [&](std::size_t part, std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) entries_[i].id = id(i);
        parts_[part].centres = kernels.find_centres(boxes.columns(), entries_.data() + first, end - first);
    });
    CentreRange centres = parts_[0].centres;
    for (std::size_t part = 1; part < parts; ++part)
        for (int axis = 0; axis < 3; ++axis) {
            centres.low[axis] = std::min(centres.low[axis], parts_[part].centres.low[axis]);
            centres.high[axis] = std::max(centres.high[axis], parts_[part].centres.high[axis]);
        }
    float edges[kSamples];
    std::size_t count = 0;
    const std::size_t samples = std::min(kSamples, all);
    for (std::size_t i = 0; i < samples; ++i) {
        const Bounds box = boxes[id(all * i / samples)];
        if (is_good(box) && longest_edge(box) < kInfinity) edges[count++] = longest_edge(box);
    }
    std::nth_element(edges, edges + count / 2, edges + count);
    median_ = count > 0 ? edges[count / 2] : 0.0f;
    return centres;
}

void BoxOrder::sort_keys(std::size_t count, std::uint32_t digit_bits, std::uint32_t digits, const Workers& workers) {
    const std::uint32_t values = 1u << digit_bits;
    const std::size_t parts = workers.parts(count, kLeastBoxes);
    grow(counts_, values * parts);
    for (std::uint32_t digit = 0; digit < digits; ++digit) {
        const std::uint32_t shift = digit * digit_bits;
        const auto value_of = [=](const BoxEntry& entry) { return entry.key >> shift & (values - 1); };
        const BoxEntry* const from = entries_.data();
        BoxEntry* const to = other_.data();
        workers.run(parts, count, [&](std::size_t part, std::size_t first, std::size_t end) {
            std::uint32_t* const counts = counts_.data() + part * values;
            std::fill(counts, counts + values, 0u);
            for (std::size_t i = first; i < end; ++i) ++counts[value_of(from[i])];
        });
        place_digits(counts_.data(), parts, values);
        workers.run(parts, count, [&](std::size_t part, std::size_t first, std::size_t end) {
            std::uint32_t* const places = counts_.data() + part * values;
            for (std::size_t i = first; i < end; ++i) to[places[value_of(from[i])]++] = from[i];
        });
        entries_.swap(other_);
    }
}

// Sorts the entries [first, end), which share a cell, along a curve of their own.
void BoxOrder::refine(const BoxColumns& boxes, const BoxKernels& kernels, std::size_t first, std::size_t end,
                      int depth) {
    const auto [low, high] = kernels.find_centres(boxes, entries_.data() + first, end - first);
    if (!(low[0] < high[0] || low[1] < high[1] || low[2] < high[2])) return;
    constexpr std::uint32_t kBits = 8, kDigitBits = 8, kValues = 1u << kDigitBits;
    kernels.find_keys(boxes, curve_over({{low[0], low[1], low[2]}, {high[0], high[1], high[2]}}, kBits, median_),
                      entries_.data() + first, end - first);
    if (end - first < kValues) {
        std::sort(entries_.begin() + std::ptrdiff_t(first), entries_.begin() + std::ptrdiff_t(end),
                  [](const BoxEntry& a, const BoxEntry& b) { return a.key < b.key; });
    } else {
        BoxEntry *from = entries_.data(), *to = other_.data();
        for (std::uint32_t digit = 0; digit < 3; ++digit) {
            std::uint32_t counts[kValues] = {};
            const auto value_of = [&](const BoxEntry& entry) {
                return entry.key >> (digit * kDigitBits) & (kValues - 1);
            };
            for (std::size_t i = first; i < end; ++i) ++counts[value_of(from[i])];
            place_digits(counts, 1, kValues);
            for (std::size_t i = first; i < end; ++i) to[first + counts[value_of(from[i])]++] = from[i];
            std::swap(from, to);
        }
        std::copy(from + first, from + end, to + first);  // three digits end in the other column
    }
    refine_runs(boxes, kernels, first, end, depth + 1);
}

void BoxOrder::refine_runs(const BoxColumns& boxes, const BoxKernels& kernels, std::size_t first, std::size_t end,
                           int depth) {
    if (depth == kMaxDepth) return;
    for (std::size_t i = first; i < end;) {
        std::size_t run = i + 1;
        const std::uint32_t key = entries_[i].key;
        while (run < end && entries_[run].key == key) ++run;
        if (run - i > kLongestRun) refine(boxes, kernels, i, run, depth);
        i = run;
    }
}

void BoxOrder::find_keys(const BoxReader& boxes, const MortonCurve& curve, const BoxKernels& kernels,
                         const Workers& workers) {
    const std::size_t count = size(boxes);
    workers.run(workers.parts(count, kLeastBoxes), count, [&](std::size_t, std::size_t first, std::size_t end) {
        kernels.find_keys(boxes.columns(), curve, entries_.data() + first, end - first);
    });
}

// Lists the moving boxes first, otherwise in the caller's order.
void BoxOrder::list_few(const BoxReader& boxes, std::size_t count) {
    std::uint32_t moving = 0, at_rest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t box_id = id(i);
        if (!is_good(boxes[box_id])) {
            bad_.push_back(box_id);
            continue;
        }
        const bool moves = boxes.moves(box_id);
        entries_[moving] = other_[at_rest] = {0, box_id};
        moving += moves, at_rest += !moves;
    }
    std::copy(other_.begin(), other_.begin() + std::ptrdiff_t(at_rest), entries_.begin() + std::ptrdiff_t(moving));
    std::fill(first_ + kSizeClasses, first_ + kBoxGroups, moving);
    first_[kBoxGroups] = moving + at_rest;
}

void BoxOrder::sort(const BoxReader& boxes, bool pairs_of_one_set, const BoxKernels& kernels, const Workers& workers) {
    std::fill(std::begin(first_), std::end(first_), 0u);
    bad_.clear();
    is_selection_ = false;
    const std::size_t moving = boxes.moving();
    if (pairs_of_one_set && moving == 0) return;
    is_selection_ = pairs_of_one_set && moving * kFewMoving < boxes.size() && select(boxes, moving, workers);
    const std::size_t count = size(boxes);
    grow(entries_, count);
    grow(other_, count);
    if (count <= kFewBoxes) return list_few(boxes, count);
    const CentreRange centres = survey(boxes, kernels, workers);

    // The curve has one to two cells per box along each axis. Keys have two or three digits.
    const std::uint32_t bits = count <= 512 ? 3 : count <= 4096 ? 4 : count <= 65536 ? 6 : 9, digits = bits > 6 ? 3 : 2;
    find_keys(boxes, curve_over(centres, bits, median_), kernels, workers);
    sort_keys(count, (3 * bits + 3 + digits - 1) / digits, digits, workers);

    std::size_t place = 0;
    for (std::uint32_t group = 0; group <= kBoxGroups; ++group) {
        const auto is_before = [&](const BoxEntry& entry, std::uint32_t wanted) {
            return entry.key >> (3 * bits) < wanted;
        };
        const auto begin = entries_.begin();
        place = std::size_t(
            std::lower_bound(begin + std::ptrdiff_t(place), begin + std::ptrdiff_t(count), group, is_before) - begin);
        first_[group] = std::uint32_t(place);
    }
    for (std::size_t i = place; i < count; ++i) bad_.push_back(entries_[i].id);
    std::sort(bad_.begin(), bad_.end());
    refine_runs(boxes.columns(), kernels, 0, place, 0);
}

}  // namespace abut
