// The page of `abut view`: bindings/web/dist/viewer.html with two gaps, for the module that the page runs and for a
// scene. bindings/web/src/scene/scene.ts reads the scene.
//
// A scene is base64 of: the header's length in bytes (32 bits, little-endian), the header (JSON), and the frames
// (view_frames.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "files.hpp"
#include "view_scene.hpp"

namespace abut::tools {

// The first bytes of every such page.
inline constexpr std::string_view kPageMark = "<!doctype html>\n<!-- A page of abut view";

// Bytes of a scene before base64. Browsers fail on larger pages.
inline constexpr std::size_t kMaxSceneBytes = std::size_t(1) << 28;

void append_base64(std::string& out, std::span<const std::byte> bytes);

// The scene's bytes. Throws InputError if there are more than kMaxSceneBytes.
std::string scene_bytes(const ViewScene& scene, const std::string& title, const Settings& settings);

// The whole page.
std::string make_page(std::string_view scene);

// A page of the plane: bindings/web/dist/plane.html with the questions and answers of plane_scene, base64 of JSON.
std::string make_plane_page(std::string_view scene);
// Reads questions of `abut query --2d` and answers them: {"title", "version", "query", "margin", "pairs": [{"question",
// "answer"}, ...]}. A question is the line, as text if it is not JSON; an answer is the line that `abut query` prints.
// Throws InputError as scene_bytes, and if there is no line.
std::string plane_scene(LineReader& lines, const std::string& title, const Settings& settings,
                        const std::string& query);

// Throws InputError past kMaxSceneBytes.
void check_size(std::size_t bytes);

}  // namespace abut::tools
