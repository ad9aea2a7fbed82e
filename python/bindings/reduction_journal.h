// The journal of verdicts that assay.reduce keeps while it runs, as `assay debug reduce` does.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "backend/find_engines.h"
#include "base/error.h"
#include "base/log.h"
#include "model/model.h"
#include "reduce/judge/check_command.h"
#include "reduce/verdicts/resume_journal.h"

namespace assay::python {

struct JournalPlan {
  std::filesystem::path path;  // empty: there is no journal
  bool is_kept = false;        // the user named it
  std::string check_id;        // names a function; empty if the check is a command
  bool is_copy = false;        // the model's file was made for this call; a later call makes it again
};

// Returns the journal for a model and a check, or nothing if none is planned. Its verdicts are reused only by the same
// version of Assay with the same engines, on the same model, and for the same command or the same `check_id`.
base::Expected<std::optional<reduce::JournalFile>> journal_file(const JournalPlan& plan, const model::Model& model,
                                                                const reduce::CheckSetup& command,
                                                                const backend::EngineSearch& engines);

// Removes a closed journal that the user hasn't named. Warns if that fails.
void remove_journal(const JournalPlan& plan, base::Log& log);

}  // namespace assay::python
