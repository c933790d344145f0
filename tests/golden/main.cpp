// abut_golden: writes or checks the golden checksums. Exit codes: 0 all equal, 1 some differ, 2 bad arguments or a
// refused call.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "arguments.hpp"
#include "scenes/environment.hpp"
#include "subjects.hpp"
#include "support/pair_answer.hpp"

namespace abut::golden {
namespace {

struct Options {
    std::string file;
    std::vector<std::string> isas;  // none: all
    std::vector<unsigned> threads = {1, 2, 7};
};

using Key = std::pair<std::string, std::string>;

std::string digits(std::uint64_t checksum) {
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, checksum);
    return text;
}

void put(const Line& line) {
    std::printf("%s %s %s\n", digits(line.checksum).c_str(), line.query.c_str(), line.subject.c_str());
}

// Lines of "checksum query subject"; '#' begins a comment.
std::map<Key, std::string> read(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::map<Key, std::string> lines;
    for (std::string text; std::getline(in, text);) {
        if (text.empty() || text[0] == '#') continue;
        std::istringstream words(text);
        std::string sum, query, subject;
        words >> sum >> query >> std::ws;
        std::getline(words, subject);
        lines[{subject, query}] = sum;
    }
    return lines;
}

std::vector<Line> lines_of(const Subject& subject, const Settings& settings) {
    std::vector<Line> lines = {{subject.name, "input", subject.input}};
    const std::vector<Line> answers = subject.ask(settings);
    lines.insert(lines.end(), answers.begin(), answers.end());
    return lines;
}

std::vector<Subject> all_subjects() {
    std::vector<Subject> all = make_subjects();
#ifdef ABUT_GOLDEN_PILE
    all.push_back(make_pile());
#endif
    return all;
}

int write(const Settings& settings) {
    std::printf(
        "# Made by `abut_golden`; `abut_golden --check` compares. checksum, query, frame "
        "(tests/golden/subjects.hpp)\n");
    for (const Subject& subject : all_subjects())
        for (const Line& line : lines_of(subject, settings)) put(line);
    return 0;
}

std::size_t check(const std::vector<Subject>& subjects, std::map<Key, std::string> expected, const Settings& settings) {
    std::size_t checked = 0, differ = 0;
    for (const Subject& subject : subjects)
        for (const Line& line : lines_of(subject, settings)) {
            const auto found = expected.extract(Key{line.subject, line.query});
            ++checked;
            if (found && found.mapped() == digits(line.checksum)) continue;
            ++differ;
            std::printf("%s %s: expected %s, came %s\n", line.subject.c_str(), line.query.c_str(),
                        found ? found.mapped().c_str() : "none", digits(line.checksum).c_str());
        }
#ifndef ABUT_GOLDEN_PILE
    std::erase_if(expected, [](const auto& line) { return line.first.first == kPile; });
#endif
    for (const auto& [key, sum] : expected) {
        ++differ;
        std::printf("%s %s: expected %s, there is no such frame\n", key.first.c_str(), key.second.c_str(), sum.c_str());
    }
    std::printf("%s, %u threads: %zu checksums, %zu differ\n", to_string(settings.isa), settings.threads, checked,
                differ);
    return differ;
}

int check(const Options& options, const std::vector<Isa>& isas) {
    const auto expected = read(options.file);
    const std::vector<Subject> subjects = all_subjects();
    std::size_t differ = 0;
    for (const Isa isa : isas)
        for (const unsigned threads : options.threads)
            differ += check(subjects, expected, {.threads = threads, .isa = isa});
    return differ > 0;
}

// Those that this machine has.
std::vector<Isa> usable(const std::vector<std::string>& names) {
    std::vector<Isa> isas;
    for (const Isa isa : test::usable_isas())
        if (names.empty() || std::find(names.begin(), names.end(), to_string(isa)) != names.end()) isas.push_back(isa);
    if (isas.empty()) throw std::runtime_error("this machine has none of these instruction sets");
    return isas;
}

}  // namespace
}  // namespace abut::golden

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_golden")) return 2;
    using namespace abut::golden;
    Options options;
    abut::tools::CommandLine app(
        "Checksums of answers that must not change: rows, hard, resting and walking pairs of every two kinds, "
        "compounds, bodies on meshes\nand "
        "height fields, the demo pile.");
    app.add("--check", options.file, "compare with this file instead of writing one").type_name("FILE");
    app.add("--isa", options.isas, "instruction sets, all by default; those that this machine lacks are skipped")
        .type_name("NAME");
    app.add("--threads", options.threads, "numbers of threads, each in turn");
    app.footer(
        "Examples:\n  abut_golden > tests/golden/golden.txt\n  abut_golden --check tests/golden/golden.txt --isa sse2 "
        "--threads 7");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    try {
        const std::vector<abut::Isa> isas = usable(options.isas);
        return options.file.empty() ? write({.threads = 1, .isa = isas[0]}) : check(options, isas);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "abut_golden: %s\n", error.what());
        return 2;
    }
}
