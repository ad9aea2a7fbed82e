// Finds the setting by which a user gives an option of a worker, to name it in messages and in suggested commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backend/engine_table.h"

namespace assay::backend {

// Returns the name that the option has in the flag of one runner: "threads" for "intra_op_threads", and "config.KEY"
// for an entry of a setting that takes KEY=VALUE. Empty if no setting becomes this option.
std::string short_name(const EngineRow& row, std::string_view option);

// Returns the option that a short name stands for, or nothing if the engine has no such setting.
std::optional<std::string> find_option(const EngineRow& row, std::string_view short_name);

// Lists the short names of the engine's settings for messages: "lib, threads, config.KEY".
std::string list_settings(const EngineRow& row);

// Returns the words of a command that set the option for all runners of the engine: "--threads 1",
// "--openvino-config KEY=VALUE". Empty if no setting becomes this option.
std::string option_words(const EngineRow& row, const EngineOption& option);

}  // namespace assay::backend
