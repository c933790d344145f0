// The subcommands of `abut`.
#pragma once

#include "subcommands.hpp"

namespace abut::tools {

Command add_query(Arguments& program);
Command add_replay(Arguments& program);
Command add_pack(Arguments& program);
Command add_dump(Arguments& program);
Command add_cook(Arguments& program);
Command add_view(Arguments& program);
Command add_info(Arguments& program);

}  // namespace abut::tools
