// The journal of verdicts that `debug reduce` keeps while it runs.
#pragma once

#include <optional>

#include "cli/commands/debug/reduce/run_reduction.h"
#include "reduce/verdicts/resume_journal.h"

namespace assay::cli {

// Returns the journal and what its verdicts depend on, or nothing if the options name neither a journal nor an output.
// Errors: invalid_input for options that don't make up a check.
base::Expected<std::optional<reduce::JournalFile>> journal_file(const ReductionSetup& setup, const Context& context);

// Removes a journal that is no longer needed, and warns if that fails. The journal must not be open. Keeps a journal
// that the user named.
void remove_journal(const ReductionSetup& setup, const Context& context);

}  // namespace assay::cli
