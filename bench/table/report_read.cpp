#include "table/report_read.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "files.hpp"
#include "json_text.hpp"
#include "printable.hpp"

namespace abut::bench {
namespace {

using nlohmann::json;

// A value and where it is, for messages: "results.json: rows[3].query: ...".
class Place {
public:
    Place(const json& value, std::string name, bool is_root = false)
        : value_(&value), name_(std::move(name)), is_root_(is_root) {}

    [[noreturn]] void refuse(const std::string& what) const { throw tools::InputError(name_ + ": " + what); }

    Place at(const char* key) const {
        if (!value_->is_object()) refuse("must be an object");
        const auto found = value_->find(key);
        if (found == value_->end()) refuse(fmt::format("has no \"{}\"", key));
        return {*found, name_ + (is_root_ ? ": " : ".") + key};
    }
    bool has(const char* key) const { return value_->is_object() && value_->contains(key); }

    std::string text() const {
        if (!value_->is_string()) refuse("must be a string");
        const auto& words = value_->get_ref<const std::string&>();
        if (tools::printable(words) != words) refuse("has characters that cannot be printed");
        return words;
    }
    // For a cell of a table, which a vertical bar would end.
    std::string name() const {
        const std::string words = text();
        if (words.find('|') != std::string::npos) refuse("has a vertical bar");
        return words;
    }
    double number(double low) const {
        if (!value_->is_number()) refuse("must be a number");
        const double number = value_->get<double>();
        if (!(number >= low)) refuse(fmt::format("is {}, but must be {} or more", number, low));
        return number;
    }
    std::size_t count() const {
        if (!value_->is_number_unsigned()) refuse("must be a whole number");
        return value_->get<std::size_t>();
    }
    bool yes() const {
        if (!value_->is_boolean()) refuse("must be true or false");
        return value_->get<bool>();
    }
    bool is_null() const { return value_->is_null(); }
    std::vector<Place> list() const {
        if (!value_->is_array()) refuse("must be a list");
        std::vector<Place> places;
        for (std::size_t i = 0; i < value_->size(); ++i)
            places.emplace_back((*value_)[i], fmt::format("{}[{}]", name_, i));
        return places;
    }
    Query query() const {
        const std::string name = text();
        for (const Query query : kQueries) {
            if (name == to_string(query)) return query;
        }
        refuse(fmt::format("is \"{}\", which is no query", name));
    }

private:
    const json* value_;
    std::string name_;
    bool is_root_;
};

bool is_isa(const std::string& name) {
    return std::any_of(kAllIsas.begin(), kAllIsas.end(), [&](Isa isa) { return name == to_string(isa); });
}

Contestant read_contestant(const Place& place) {
    Contestant c;
    c.library = place.at("library").name();
    if (place.has("variant")) c.variant = place.at("variant").name();
    if (c.is_abut() && !is_isa(c.variant))
        place.at("variant").refuse(fmt::format("is \"{}\", which is no instruction set", c.variant));
    c.ns_min = place.at("ns_min").number(0);
    c.ns_median = place.has("ns_median") ? place.at("ns_median").number(0) : 0;
    c.counts = !place.has("counts") || place.at("counts").yes();
    c.hit_share = place.has("hit_share") ? place.at("hit_share").number(0) : c.counts ? 1 : 0;
    if (place.has("error")) c.error_p99 = place.at("error").is_null() ? HUGE_VAL : place.at("error").number(0);
    if (place.has("trouble")) c.trouble = place.at("trouble").text();
    if (place.has("pairs")) c.pairs = place.at("pairs").count();
    if (place.has("rounds")) c.rounds = int(std::min<std::size_t>(place.at("rounds").count(), 1000000));
    return c;
}

Cell read_cell(const Place& place) {
    Cell cell;
    cell.row = place.at("row").name();
    cell.query = place.at("query").query();
    if (place.has("pairs")) cell.pairs = place.at("pairs").count();
    if (place.has("hit_rate") && !place.at("hit_rate").is_null()) cell.hit_rate = place.at("hit_rate").number(0);
    for (const Place& contestant : place.at("contestants").list())
        cell.contestants.push_back(read_contestant(contestant));
    return cell;
}

template <class Value>
void add_new(std::vector<Value>& values, const Value& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

void add_columns(Report& report, const Cell& cell) {
    for (const Contestant& c : cell.contestants) {
        if (c.is_abut())
            add_new(report.isas, *parse_isa(c.variant));
        else
            add_new(report.libraries, c.library);
    }
}

Report report_of(const Place& root) {
    Report report;
    report.machine.cpu = root.at("machine").text();
    report.machine.compiler = root.at("compiler").text();
    report.machine.date = root.at("date").text();
    if (root.has("isas")) report.machine.isas = root.at("isas").text();
    if (root.has("command")) report.command = root.at("command").text();
    if (root.has("notes"))
        for (const Place& note : root.at("notes").list()) report.notes.push_back(note.text());
    for (const Place& place : root.at("rows").list()) {
        const Cell cell = read_cell(place);
        for (const Cell& other : report.cells) {
            if (other.row == cell.row && other.query == cell.query)
                place.refuse(fmt::format("{}/{} is there twice", cell.row, to_string(cell.query)));
        }
        add_columns(report, cell);
        report.cells.push_back(cell);
    }
    if (root.has("means")) {
        for (const Place& mean : root.at("means").list())
            report.given_means.push_back(
                {mean.at("library").name(), mean.at("query").query(), mean.at("ratio").number(0)});
    }
    report.isas = avx2_first(std::move(report.isas));
    return report;
}

}  // namespace

Report parse_report(std::string& text, const std::string& name) {
    const tools::JsonText parsed = tools::parse_json(text);
    if (!parsed.error.empty()) throw tools::InputError(name + ": " + parsed.error);
    return report_of(Place(parsed.value, name, true));
}

Report read_report(const std::string& path, std::vector<tools::NamedFile>& inputs) {
    tools::LineReader reader(path);
    inputs.push_back(reader.file());
    std::string text;
    for (std::string line; reader.next(line);) text += line + '\n';
    return parse_report(text, reader.name());
}

}  // namespace abut::bench
