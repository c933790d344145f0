// The answers of `abut query` as JSON.
#pragma once

#include <string>

#include "query_batch.hpp"

namespace abut::tools {

// Appends one line: the row's status with a message where it is not ok, and its answer.
template <class Space>
void append_row(std::string& out, const Batch<Space>& batch, const Row& row, QuestionKind kind);

}  // namespace abut::tools
