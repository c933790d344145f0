// A finished table and the ways to print it.
#pragma once

#include <string>
#include <vector>

#include "harness/machine.hpp"
#include "table/measure.hpp"

namespace abut::bench {

// How many times a library's nanoseconds are abut's: the geometric mean over the rows of a query.
struct Mean {
    std::string library;
    Query query = Query::overlap;
    double ratio = 0;
};

struct Report {
    Machine machine;
    std::string command;                 // empty where a program that is not here measured
    std::vector<std::string> notes;      // about the rivals, and what was left out
    std::vector<std::string> libraries;  // of rivals: a column each
    std::vector<Isa> isas;               // of abut: a column each
    std::vector<Cell> cells;
    std::vector<Mean> given_means;  // where the cells have the best rival only

    bool has(Query query) const;
    std::vector<std::string> rows() const;  // each once, in the order of the cells
};

// AVX2 is what most machines have, so that it is every table's first column; the others follow as they are.
std::vector<Isa> avx2_first(std::vector<Isa> isas);
// "AVX2", as pages write it.
const char* spelled(Isa isa);
// "signed distance", as pages write it.
const char* spelled(Query query);
inline constexpr const char* kBestRival = "best of each row";
// Against abut on the report's first instruction set: kBestRival and each library, on the rows where both are right. A
// query has its given means where there are any.
std::vector<Mean> means(const Report& report);
bool has_mean(const std::vector<Mean>& means, Query query);
// Nanoseconds of the best right rival over those of abut on the first instruction set; 0 where either is missing.
double ahead_of_first(const Report& report, const Cell& cell);

// What the table as a whole has to show.
struct Bar {
    std::string text;
    bool met = true;
};
std::vector<Bar> bars(const Report& report);
// A line for each of abut's answers that was wrong or refused: none, or the table is worth nothing.
std::vector<std::string> troubles(const Report& report);
// Machine, compiler, date, command, notes.
std::vector<std::string> facts(const Report& report);

std::string to_text(const Report& report);
std::string to_markdown(const Report& report);
std::string to_markdown(const Report& report, Query query);  // one query's table
std::string to_csv(const Report& report);                    // a line a contestant, comments first
std::string to_json(const Report& report);                   // report_read.hpp reads it

}  // namespace abut::bench
