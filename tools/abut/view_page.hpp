// The page of `abut view`: bindings/web/dist/viewer.html with two gaps, for the module that the page runs and for a
// scene. bindings/web/src/scene/scene.ts reads the scene.
//
// A scene is base64 of: the header's length in bytes (32 bits, little-endian), the header (JSON), and the frames
// (view_frames.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>

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

}  // namespace abut::tools
