// One JSON text into a tree: nlohmann's parser, hardened for lines of unknown origin.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace abut::tools {

struct JsonText {
    nlohmann::json value;  // what was read up to the error, where there is one
    std::string error;     // empty: the text is JSON

    JsonText() = default;
    JsonText(JsonText&&) = default;
    // nlohmann's own destructor asks for memory, as much as a list is long, and ends the program where there is none.
    ~JsonText() { take_apart(value); }

private:
    static void take_apart(nlohmann::json& value) noexcept;
};

// Over nlohmann's own checks: nesting is bounded, a key given twice in one object is an error (which of the two was
// meant?), and a number past double's range is read as +-1e308, which is past every range of ours as well. `text` may
// be changed.
JsonText parse_json(std::string& text);

}  // namespace abut::tools
