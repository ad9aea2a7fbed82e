// Finds out what the check of a reduction does. The command line of `assay run ...` tells the engines, limits and
// inputs. Those of other programs are unknown.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "cli/context/command.h"
#include "cli/parse/values.h"
#include "data/input_source.h"
#include "edit/mark_outputs.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::cli {

struct SavedOutputs {
  tensor::NamedTensors first;  // of the first iteration
  std::size_t iterations = 0;
  edit::MarkOptions marks;  // which tensors the check makes outputs
};

struct CheckFacts {
  std::vector<run::EngineSetup> engines{};     // that the check runs; empty if unknown
  worker::Limits limits{};                     // of the check and of its engines, whichever are tighter
  bool generates_inputs = false;               // according to the candidate's inputs
  std::map<std::string, Dimensions> shapes{};  // given for generated inputs
  // Takes what the check's options and inputs have to say: the first check says it again. `inputs` uses it.
  std::unique_ptr<base::Log> silent = std::make_unique<base::SilentLog>();
  // The check's inputs: generated, read from a file, or what a script returns. Null if its command isn't known.
  std::unique_ptr<data::InputSource> inputs{};
  std::optional<SavedOutputs> saved{};  // those that the check compares with, besides those of other engines
};

// Reads the command line of the check. An invalid one tells nothing here: the first check will report it. `limits`:
// those of the check. What the context refers to must outlive the result.
CheckFacts facts_of_check(const std::vector<std::string>& command, const worker::Limits& limits, Context& context);

// Returns the words to add to the command of the check so that it judges candidates which lack inputs of the model, and
// logs them.
std::vector<std::string> words_for_candidates(const std::vector<run::EngineSetup>& engines, base::Log& log);

// Returns shell commands that run the check's command on a saved result. `artifact`: the file from which the check
// reads the model. Unless a word has {model}, a script of the check may name that file, too, so a result in another
// folder is copied there.
std::vector<std::string> commands_on_result(const std::vector<std::string>& check,
                                            const std::filesystem::path& artifact, const std::filesystem::path& result,
                                            const Installation& installation);

}  // namespace assay::cli
