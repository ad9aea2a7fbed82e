#include "diagnose/folder.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>
#include <utility>

#include "base/abandoned_files.h"
#include "base/shell_text.h"
#include "diagnose/journal.h"
#include "reduce/verdicts/candidate_hash.h"
#include "reduce/verdicts/hash.h"
#include "run/engine_words.h"
#include "tensor/tensor.h"

namespace assay::diagnose {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

std::string hash_of_values(const std::vector<tensor::NamedTensors>& iterations) {
  reduce::Hash hash;
  for (const tensor::NamedTensors& iteration : iterations) {
    hash.add(fmt::format("{} tensors;", iteration.size()));
    for (const auto& [name, value] : iteration) {
      hash.add(fmt::format("{}:{} {};", name.size(), name, value.describe()));
      hash.add(value.buffer().view());
      for (const std::string& text : value.strings()) hash.add(fmt::format("{}:{}", text.size(), text));
    }
  }
  return hash.hex();
}

// Returns State::identity: what a diagnosis must have in common with one that it resumes.
base::Expected<std::string> identity_of(const Case& task, const std::vector<std::string>& data_words) {
  ASSAY_ASSIGN(std::string identity, reduce::input_identity(task.model));
  const auto add = [&identity](const std::string& text) { identity += "\n" + text; };
  for (const Side& side : task.sides) {
    if (side.is_given) add(base::shell_text(run::engine_words(side.setup, task.usual_libraries)));
  }
  add(base::shell_text(task.run_words));
  add(base::shell_text(data_words));
  if (task.inputs_are_random) {  // in the shapes that the user asks for
    for (const auto& [name, value] : task.inputs.front()) add(name + tensor::format_shape(value.shape()));
  } else {
    add(hash_of_values(task.inputs));
  }
  add(task.golden_file.string());
  if (task.golden_results) add(hash_of_values(task.golden_outputs()));
  return identity;
}

}  // namespace

base::Status make_folder(const fs::path& folder, bool resume) {
  std::error_code code;
  const bool exists = fs::exists(folder, code);
  if (exists && !fs::is_directory(folder, code)) {
    return fail(ErrorKind::invalid_input, "this isn't a folder", folder.string(), "Choose another one with --output");
  }
  base::remove_abandoned(journal_file(folder));  // of a process that was killed before its first step
  const bool is_empty = !exists || fs::is_empty(folder, code);
  if (!is_empty && !resume) {
    return fail(ErrorKind::invalid_input, "the folder isn't empty", folder.string(),
                "Add --resume to continue the diagnosis in it, or choose another one with --output");
  }
  if (!is_empty && !fs::exists(journal_file(folder), code)) {
    return fail(ErrorKind::invalid_input, "the folder holds no diagnosis that could be resumed", folder.string(),
                "Choose another one with --output");
  }
  fs::create_directories(folder, code);
  if (code) return fail(base::system_error("cannot create the folder", folder.string(), code.value()));
  return {};
}

base::Expected<State> earlier_state(const fs::path& folder, std::string identity) {
  ASSAY_ASSIGN(std::optional<State> earlier, load_state(folder));
  if (!earlier) return State{.identity = std::move(identity), .steps = {}, .facts = {}};
  if (earlier->identity == identity) return *std::move(earlier);
  return fail(ErrorKind::invalid_input, "the folder holds the diagnosis of another model, or with other options",
              folder.string(), "Choose another one with --output, or give the same options");
}

base::Expected<State> open_folder(const Case& task, const std::vector<std::string>& data_words, bool resume) {
  ASSAY_TRY(make_folder(task.folder, resume));
  ASSAY_ASSIGN(std::string identity, identity_of(task, data_words));
  ASSAY_ASSIGN(State state, earlier_state(task.folder, std::move(identity)));
  ASSAY_TRY(save_state(state, task.folder));
  return state;
}

}  // namespace assay::diagnose
