// Options, the time of a call and the end after an error, for the tables beside other libraries.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <abut/host.hpp>
#include <abut/status.hpp>

namespace abut::test {

struct RivalOptions {
    Isa isa = Isa::best;
    bool no_rivals = false;

    void add_to(CLI::App& app) {
        const auto read_isa = [this](const std::string& name) {
            const Expected<Isa> named = parse_isa(name);
            if (!named) throw CLI::ValidationError("--isa", named.error().message.c_str());
            isa = *named;
        };
        app.add_option_function<std::string>("--isa", read_isa, "instruction set; auto, the default, is the widest");
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
