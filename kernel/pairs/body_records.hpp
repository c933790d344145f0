// Bodies that are columns become records, once per frame: cheaper than once per pair, as bodies are fewer than pairs as a rule.
#pragma once

#include <cstddef>
#include <optional>

#include <abut/executor.hpp>
#include <abut/frame.hpp>

#include "host/memory.hpp"

namespace abut {

// Keeps its memory.
class BodyRecords {
public:
    // The frame with records in place of its columns. None where it has records, or poses that only a pair has (doubles, relative poses), and where
    // bodies are many more than pairs: chunks then place the bodies of their pairs (frame/pair_records.hpp).
    std::optional<Frame> with_records(const Frame& frame, const Executor& executor);
    std::size_t bytes() const { return records_.capacity() * sizeof(Body); }

private:
    Vector<Body> records_;
};

}  // namespace abut
