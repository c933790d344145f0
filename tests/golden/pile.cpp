// The capture that comes with the command line, replayed: its checksums are those of `abut replay`.
#include <memory>

#include "embedded.hpp"
#include "replay_run.hpp"
#include "subjects.hpp"

namespace abut::golden {

Subject make_pile() {
    const auto capture =
        std::make_shared<const tools::Capture>(tools::read_capture(tools::embedded_capture(), tools::kEmbeddedName));
    tools::Checksum input;
    input.add_column(tools::embedded_capture());
    return {kPile, input.value(), [=](const Settings& settings) {
                std::vector<Line> lines;
                const auto add = [&](const char* query, tools::Query of, bool warm = false) {
                    tools::ReplaySettings replay;
                    replay.query = of, replay.library = settings, replay.repeat = 1, replay.warm = warm;
                    lines.push_back({kPile, query, tools::replay(*capture, tools::kEmbeddedName, replay).all.checksum});
                };
                add("overlap", tools::Query::overlap), add("distance", tools::Query::distance);
                add("collide", tools::Query::collide), add("warm", tools::Query::collide, true);
                return lines;
            }};
}

}  // namespace abut::golden
