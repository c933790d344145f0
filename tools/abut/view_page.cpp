#include "view_page.hpp"

#include <fmt/format.h>

#include <abut/host.hpp>

#include "embedded.hpp"
#include "json_string.hpp"
#include "numbers.hpp"
#include "shape_json.hpp"
#include "view_frames.hpp"

namespace abut::tools {
namespace {

template <class Plain>
void append_plain(std::string& out, const Plain& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_frame_header(std::string& out, const ViewFrame& frame, AnswerSums sums) {
    fmt::format_to(std::back_inserter(out),
                   "{{\"{}\": {}, \"bodies\": {}, \"pairs\": {}, \"sums\": [\"{:016x}\", \"{:016x}\", \"{:016x}\"]",
                   frame.line != 0 ? "id" : "label", frame.line != 0 ? frame.label : json_string(frame.label),
                   frame.bodies.size(), frame.pairs.size(), sums.overlap, sums.distance, sums.collide);
    if (frame.line != 0) fmt::format_to(std::back_inserter(out), ", \"line\": {}", frame.line);
    if (frame.refused) {
        fmt::format_to(std::back_inserter(out), ", \"status\": \"{}\", \"message\": {}", frame.refused,
                       json_string(frame.message));
    }
    out.push_back('}');
}

// `text` with `gap` replaced by `bytes` in base64.
void append_filled(std::string& out, std::string_view& text, std::string_view gap, std::span<const std::byte> bytes) {
    const std::size_t at = text.find(gap);
    if (at == text.npos) throw OutputError(fmt::format("the page in this program lacks {}", gap));
    out.append(text.substr(0, at));
    append_base64(out, bytes);
    text.remove_prefix(at + gap.size());
}

}  // namespace

void check_size(std::size_t bytes) {
    if (bytes > kMaxSceneBytes)
        throw InputError(
            fmt::format("the scene has more than {} bytes, too many for a page: view fewer frames", kMaxSceneBytes));
}

void append_base64(std::string& out, std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto byte_at = [&](std::size_t i) {
        return i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i]) : 0u;
    };
    out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t three = byte_at(i) << 16 | byte_at(i + 1) << 8 | byte_at(i + 2);
        for (int digit = 0; digit < 4; ++digit) out.push_back(kDigits[three >> (18 - 6 * digit) & 63]);
    }
    const std::size_t padding = (3 - bytes.size() % 3) % 3;
    out.replace(out.size() - padding, padding, padding, '=');
}

std::string scene_bytes(const ViewScene& scene, const std::string& title, const Settings& settings) {
    NarrowPhase narrow(settings);
    std::string header =
        fmt::format("{{\"title\": {}, \"version\": \"{}\", \"margin\": ", json_string(title), ABUT_VERSION);
    append_number(header, settings.speculative_margin);
    header.append(", \"shapes\": [");
    for (const ShapeSpec& shape : scene.shapes()) {
        if (&shape != scene.shapes().data()) header.append(", ");
        append_shape(header, shape);
        check_size(header.size());
    }
    header.append("], \"frames\": [");
    std::string frames;
    const ViewFrame none, *previous = &none;
    for (const ViewFrame& frame : scene.frames()) {
        if (&frame != scene.frames().data()) header.append(", ");
        append_frame_header(header, frame, scene.answer_sums(narrow, frame));
        append_frame(frames, frame, *previous);
        previous = &frame;
        check_size(header.size() + frames.size());
    }
    header.append("]}");

    std::string bytes;
    bytes.reserve(4 + header.size() + frames.size());
    append_plain(bytes, std::uint32_t(header.size()));
    return bytes + header + frames;
}

std::string make_page(std::string_view scene) {
    std::string page;
    std::string_view rest = embedded_page();
    append_filled(page, rest, "@ABUT_MODULE@", embedded_module());
    append_filled(page, rest, "@ABUT_SCENE@", std::as_bytes(std::span(scene)));
    page.append(rest);
    return page;
}

std::string make_plane_page(std::string_view scene) {
    std::string page;
    std::string_view rest = embedded_plane();
    append_filled(page, rest, "@ABUT_SCENE@", std::as_bytes(std::span(scene)));
    page.append(rest);
    return page;
}

}  // namespace abut::tools
