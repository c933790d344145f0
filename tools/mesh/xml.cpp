// A pass over the text; open elements are a stack.
#include "xml.hpp"

#include <algorithm>

#include "output_file.hpp"

namespace abut::tools {
namespace {

constexpr std::size_t kMostNesting = 256;
constexpr const char* kBlanks = " \t\r\n";

std::string_view without_prefix(std::string_view name) {
    const std::size_t colon = name.rfind(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string unescaped(std::string_view text) {
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}};
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] != '&') continue;
        for (const auto& [entity, character] : kEntities) {
            if (text.substr(i + 1, entity.size()) != entity) continue;
            out.back() = character;
            i += entity.size();
            break;
        }
    }
    return out;
}

class XmlParser {
public:
    XmlParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    XmlElement run() {
        open_.emplace_back();  // holds the root
        while (at_ < text_.size() && (open_.size() > 1 || open_[0].children.empty())) {
            const std::size_t tag = std::min(text_.find('<', at_), text_.size());
            if (open_.size() > 1) append_text(text_.substr(at_, tag - at_));
            at_ = tag;
            if (at_ < text_.size()) read_markup();
        }
        if (open_.size() > 1) fail("is cut short: <" + open_.back().name + "> does not end");
        if (open_[0].children.empty()) fail("is no XML: it has no element");
        return std::move(open_[0].children[0]);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        const auto line =
            1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(std::min(at_, text_.size())), '\n');
        throw InputError(name_ + ": line " + std::to_string(line) + ": " + what);
    }

    void append_text(std::string_view piece) {
        if (piece.find('&') == std::string_view::npos)
            open_.back().text += piece;
        else
            open_.back().text += unescaped(piece);
    }

    // Past the next `end`.
    std::string_view until(std::string_view end) {
        const std::size_t found = text_.find(end, at_);
        if (found == std::string_view::npos) fail("is cut short: \"" + std::string(end) + "\" is missing");
        const std::string_view passed = text_.substr(at_, found - at_);
        at_ = found + end.size();
        return passed;
    }

    void read_markup() {
        const std::string_view rest = text_.substr(at_);
        if (rest.substr(0, 4) == "<!--") {
            at_ += 4;
            until("-->");
        } else if (rest.substr(0, 9) == "<![CDATA[") {
            at_ += 9;
            open_.back().text += until("]]>");
        } else if (rest.substr(0, 2) == "<?") {
            until("?>");
        } else if (rest.substr(0, 2) == "<!") {
            until(">");
        } else if (rest.substr(0, 2) == "</") {
            at_ += 2;
            end_element(until(">"));
        } else {
            ++at_;
            begin_element();
        }
    }

    void begin_element() {
        XmlElement element;
        element.name = without_prefix(take_name());
        for (;;) {
            at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
            const std::string_view rest = text_.substr(at_, 2);
            if (rest.empty()) fail("is cut short: <" + element.name + " does not end");
            if (rest[0] == '>' || rest == "/>") {
                at_ += rest[0] == '>' ? 1 : 2;
                if (open_.size() == kMostNesting) fail("nests deeper than " + std::to_string(kMostNesting));
                open_.push_back(std::move(element));
                if (rest[0] != '>') close();
                return;
            }
            read_attribute(element);
        }
    }

    void read_attribute(XmlElement& element) {
        const std::string_view key = take_name();
        at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
        if (text_.substr(at_, 1) != "=") fail("an attribute without a value");
        at_ = std::min(text_.find_first_not_of(kBlanks, at_ + 1), text_.size());
        const std::string_view quote = text_.substr(at_, 1);
        if (quote != "\"" && quote != "'") fail("an attribute without quotes");
        ++at_;
        element.attributes.emplace_back(key, unescaped(until(quote)));
    }

    std::string_view take_name() {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n=/<>\"'", at_), text_.size());
        if (end == at_) fail("a name is missing");
        const std::string_view name = text_.substr(at_, end - at_);
        at_ = end;
        return name;
    }

    void end_element(std::string_view name) {
        name = without_prefix(name.substr(0, name.find_first_of(kBlanks)));
        if (open_.size() < 2 || open_.back().name != name) fail("</" + std::string(name) + "> ends no element");
        close();
    }

    void close() {
        XmlElement done = std::move(open_.back());
        open_.pop_back();
        open_.back().children.push_back(std::move(done));
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    std::vector<XmlElement> open_;
};

}  // namespace

const XmlElement* XmlElement::child(std::string_view tag) const {
    for (const XmlElement& element : children)
        if (element.name == tag) return &element;
    return nullptr;
}

std::string_view XmlElement::attribute(std::string_view key) const {
    for (const auto& [known, value] : attributes)
        if (known == key) return value;
    return {};
}

XmlElement parse_xml(std::string_view text, const std::string& name) { return XmlParser(text, name).run(); }

}  // namespace abut::tools
