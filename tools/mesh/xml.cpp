// See xml.hpp.
#include "xml.hpp"

#include <algorithm>

#include "output_file.hpp"

namespace abut::tools {
namespace {

constexpr int kMostElementNesting = 256;

template <class Named>
void remove_from(Named& named) {
    const std::string_view name = named.name();
    const std::size_t colon = name.rfind(':');
    if (colon != std::string_view::npos) named.set_name(std::string(name.substr(colon + 1)).c_str());
}

// Ends at an element that nests too deep.
struct PrefixRemover : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node& node) override {
        remove_from(node);
        for (pugi::xml_attribute attribute : node.attributes()) remove_from(attribute);
        return depth() < kMostElementNesting;
    }
};

}  // namespace

void parse_xml(std::string_view text, const std::string& name, pugi::xml_document& out) {
    const pugi::xml_parse_result result =
        out.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (result.status == pugi::status_no_document_element) throw InputError(name + ": is no XML: it has no element");
    if (!result) {
        const auto end = text.begin() + std::clamp<std::ptrdiff_t>(result.offset, 0, std::ptrdiff_t(text.size()));
        const auto line = 1 + std::count(text.begin(), end, '\n');
        throw InputError(name + ": line " + std::to_string(line) +
                         ": is damaged or cut short: " + result.description());
    }
    PrefixRemover remover;
    if (!out.traverse(remover))
        throw InputError(name + ": its elements nest deeper than " + std::to_string(kMostElementNesting));
}

std::string text_of(XmlElement element) {
    std::string text;  // comments cut it into pieces
    for (const XmlElement piece : element.children())
        if (piece.type() == pugi::node_pcdata || piece.type() == pugi::node_cdata) text += piece.value();
    return text;
}

}  // namespace abut::tools
