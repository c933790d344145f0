// As much of XML as mesh files use: elements, attributes and text. No entities but the five, no DTD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace abut::tools {

struct XmlElement {
    std::string name;  // without a namespace
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<XmlElement> children;
    std::string text;  // all of its own

    const XmlElement* child(std::string_view tag) const;  // the first of that name, or null
    // Empty where there is none.
    std::string_view attribute(std::string_view key) const;
};

// The root. Throws InputError with the document's name, the line and what is wrong. Nesting is bounded.
XmlElement parse_xml(std::string_view text, const std::string& name);

}  // namespace abut::tools
