// XML of mesh files, by pugixml.
#pragma once

#include <pugixml.hpp>

#include <string>
#include <string_view>

namespace abut::tools {

using XmlElement = pugi::xml_node;  // false where there is none

// Parses UTF-8. Names lose their namespaces' prefixes. Throws InputError with the file's name, the line and
// what is wrong. Nesting is bounded, so that a reader may recurse.
void parse_xml(std::string_view text, const std::string& name, pugi::xml_document& out);

// Its name, an attribute (empty where there is none), and all of its own text.
inline std::string tag(XmlElement element) { return element.name(); }
inline std::string_view attribute(XmlElement element, const char* key) { return element.attribute(key).value(); }
std::string text_of(XmlElement element);

}  // namespace abut::tools
