// Options, the time of a call and the end after an error, for the tables beside other libraries.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include <abut/host.hpp>
#include <abut/status.hpp>

#include "arguments.hpp"

namespace abut::test {

struct RivalOptions {
    std::string isa_name = "auto";
    bool no_rivals = false;

    Isa isa() const { return *parse_isa(isa_name); }

    void add_to(tools::Arguments& app) {
        app.add("--isa", isa_name, "instruction set; auto, the default, is the widest")
            .check([](const std::string& name) {
                const Expected<Isa> named = parse_isa(name);
                return named ? std::string() : std::string(named.error().message.c_str());
            });
        app.add_flag("--no-rivals", no_rivals, "abut alone");
    }
};

template <class Call>
double seconds_of(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Ends the program where a call of abut was refused.
inline void require(const CallResult& result) {
    if (result) return;
    fmt::print(stderr, "{}\n", result.error().message.c_str());
    std::exit(2);
}

}  // namespace abut::test
