// A finished table and the ways to print it.
#pragma once

#include <string>
#include <vector>

#include "harness/machine.hpp"
#include "table/measure.hpp"

namespace abut::bench {

struct Report {
    Machine machine;
    std::string command;
    std::vector<std::string> notes;      // about the rivals, and what was left out
    std::vector<std::string> libraries;  // of rivals: a column each
    std::vector<Isa> isas;               // of abut: a column each
    std::vector<Cell> cells;
};

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
std::string to_csv(const Report& report);  // a line a contestant, comments first
std::string to_json(const Report& report);

}  // namespace abut::bench
