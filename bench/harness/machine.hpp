// What a figure has to be printed with to mean anything: the kind of machine, the compiler, the day. No host name.
#pragma once

#include <string>

namespace abut::bench {

struct Machine {
    std::string cpu;       // the model as the kernel names it, with family and model numbers
    std::string isas;      // that abut can use here, widest first
    std::string compiler;  // and the build type
    std::string date;      // UTC, YYYY-MM-DD
};

Machine this_machine();
// The program's name without its folder, and its arguments.
std::string command_line(int argc, char** argv);

}  // namespace abut::bench
