// The journal of verdicts that minimal mode keeps while it works.
#pragma once

#include <optional>

#include "cli/commands/reduce_minimal.h"
#include "reduce/verdicts/journal.h"

namespace assay::cli {

// None where there is no place for one. Leaves no file behind where it cannot be opened. Errors: those of
// Journal::open; invalid_input for options that make no check.
base::Expected<std::optional<reduce::Journal>> open_journal(const ReduceMinimalOptions& options,
                                                            const model::Model& model, const Context& context);

// For a journal that is of no more use: the result is saved, or there are no verdicts in it. It must not be open. One
// that the user named stays.
void remove_journal(const ReduceMinimalOptions& options, const Context& context);

}  // namespace assay::cli
