// The option of an engine's setting, and how its values reach the runners that have the setting.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "backend/engine_table.h"
#include "base/error.h"
#include "cli/options/runner_settings.h"

namespace assay::cli {

// Adds the option, which is in the engine's group of the help. The parser writes the values that are given to `values`,
// and checks them as far as the table of engines knows them; the engine checks the others.
void add_setting(CLI::App& app, const backend::EngineRow& engine, const backend::EngineSetting& setting,
                 std::vector<std::string>& values);

// A runner that has a setting, and its settings from options.
struct SettingTaker {
  RunnerSettings* settings;
  const backend::EngineSetting* setting;
};

// Sets an option's values in the runners that have the option, in their order. Errors: invalid_input if there is
// neither one value for all nor one for each; or if an entry isn't KEY=VALUE.
base::Status give_values(const std::vector<std::string>& values, const std::vector<SettingTaker>& takers);

}  // namespace assay::cli
