// The row of the fake engine Echo, as it would stand in src/backend/engine_table.cc.
#pragma once

#include "backend/engine_table.h"

namespace assay::backend {

inline constexpr EngineSetting kEcho[] = {
    {.flags = "--echo-lib",
     .name = "lib",
     .key = kLibrary,
     .form = EngineSetting::Form::value,
     .help = "Use this Echo"},
    {.flags = "--echo-volume",
     .name = "volume",
     .key = "volume",
     .form = EngineSetting::Form::number,
     .help = "Speak this loud"},
};

inline constexpr EngineRow kEchoRow[] = {
    {.flag = "--echo",
     .value = "",
     .kind = "echo",
     .runner = "echo",
     .name = "Echo",
     .help = "Run the model in Echo; may be repeated",
     .settings = kEcho,
     .library = {.file = "libecho.so", .package = "echo/lib", .pip = "echo", .variable = "ASSAY_ECHO_LIB"}}};

}  // namespace assay::backend
