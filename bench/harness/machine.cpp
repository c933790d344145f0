#include "harness/machine.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/abut_runner.hpp"

namespace abut::bench {
namespace {

// The value of the first line of /proc/cpuinfo that begins with `key`.
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1) != key) continue;
        const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? "" : line.substr(begin);
    }
    return "";
}

// ", Zen 4" for example; nothing where the numbers are not known here. As Linux' arch/x86/kernel/cpu/amd.c has them.
std::string generation(int family, int model) {
    if (cpuinfo("vendor_id") != "AuthenticAMD") return "";
    if (family == 26) return model < 0x50 || (model >= 0x60 && model < 0x80) ? ", Zen 5" : "";
    if (family == 25)
        return model < 0x10 || (model >= 0x20 && model < 0x60) ? ", Zen 3" : model < 0xb0 ? ", Zen 4" : "";
    return "";
}

std::string cpu_name() {
    std::string name = cpuinfo("model name");
    if (name.empty()) name = "unknown CPU";
    // A cloud's CPU often names its maker only; the numbers tell the generation.
    if (const std::string family = cpuinfo("cpu family"), model = cpuinfo("model"); !family.empty()) {
        name += " (family " + family + ", model " + model +
                generation(std::atoi(family.c_str()), std::atoi(model.c_str())) + ")";
    }
    const unsigned cores = std::thread::hardware_concurrency();
    return name + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

std::string isa_names() {
    std::string names;
    for (const Isa isa : usable_isas()) names += (names.empty() ? "" : ", ") + std::string(to_string(isa));
    return names;
}

std::string compiler_name() {
#if defined(__clang__)
    const std::string name = "clang " __clang_version__;
#elif defined(__GNUC__)
    const std::string name = "g++ " __VERSION__;
#else
    const std::string name = "unknown compiler";
#endif
#ifdef NDEBUG
    return name.substr(0, name.find_last_not_of(' ') + 1) + ", release";
#else
    return name.substr(0, name.find_last_not_of(' ') + 1) + ", DEBUG: these figures mean nothing";
#endif
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16] = {};
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

}  // namespace

Machine this_machine() { return {cpu_name(), isa_names(), compiler_name(), today()}; }

std::string command_line(int argc, char** argv) {
    std::string line = std::filesystem::path(argv[0]).filename().string();
    for (int i = 1; i < argc; ++i) {
        line += ' ';
        line += argv[i];
    }
    return line;
}

}  // namespace abut::bench
