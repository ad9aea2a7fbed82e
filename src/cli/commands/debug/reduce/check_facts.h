// Finds out what the check of a reduction does. The command line of `assay run ...` tells the engines, limits and
// inputs. Those of other programs are unknown.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/check_options.h"
#include "data/input_source.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::cli {

struct CheckFacts {
  std::vector<run::EngineSetup> engines{};  // that the check runs; empty if unknown
  worker::Limits limits{};                  // of the check and of its engines, whichever are tighter
  bool generates_inputs = false;            // according to the candidate's inputs
  // Reads the check's inputs, if it loads them from a file or calls a script for them. Null if the check generates its
  // inputs, or if its command isn't known.
  std::unique_ptr<data::InputSource> loaded_inputs{};
  bool compares_with_saved = false;  // with saved outputs, and not only with those of other engines
};

// Reads the command line of the check. An invalid one tells nothing here: the first check will report it.
CheckFacts facts_of_check(const CheckOptions& check, Context& context);

// Returns shell commands that run the check on a saved result. `artifact`: the file from which the check reads the
// model; if that is in another folder, the commands copy the result there.
std::vector<std::string> commands_on_result(const CheckOptions& check, const std::filesystem::path& artifact,
                                            std::filesystem::path result, const Context& context);

}  // namespace assay::cli
