// The journal of verdicts that a reduction keeps while it runs.
#pragma once

#include <optional>

#include "cli/commands/debug/reduce/run_reduction.h"
#include "reduce/verdicts/journal.h"

namespace assay::cli {

// Returns nothing if the options name neither a journal nor an output. Errors: those of Journal::open; invalid_input
// for options that don't make up a check.
base::Expected<std::optional<reduce::Journal>> open_journal(const ReductionSetup& setup, const Context& context);

// Removes a journal that is no longer needed, and warns if that fails. The journal must not be open. Keeps a journal
// that the user named.
void remove_journal(const ReductionSetup& setup, const Context& context);

// Removes the verdicts of a reduction that are of no use, but not those of other commands in the same file. Keeps a
// journal that the user named as it is.
void remove_verdicts(reduce::Journal journal, const ReductionSetup& setup, const Context& context);

}  // namespace assay::cli
