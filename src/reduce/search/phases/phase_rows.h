// Declares the functions in the rows of the table of phases. The table in phases.cc says what each phase does.
#pragma once

#include "reduce/search/phases/phase.h"

namespace assay::reduce {

// With up to this many nodes, it's cheaper to remove them one by one.
inline constexpr std::size_t kFewNodes = 16;

// bisect_prefix_suffix.cc
std::unique_ptr<Phase> begin_prefix(const edit::Subject& subject, Found& found);
std::unique_ptr<Phase> begin_suffix(const edit::Subject& subject, Found& found);

// grow_neighbourhood.cc
std::unique_ptr<Phase> begin_hints(const edit::Subject& subject, Found& found);
std::unique_ptr<Phase> begin_heaviest(const edit::Subject& subject, Found& found);
std::unique_ptr<Phase> begin_neighbourhood(const edit::Subject& subject, Found& found);
std::unique_ptr<Phase> begin_ends(const edit::Subject& subject, Found& found);

// try_alike_nodes.cc
std::unique_ptr<Phase> begin_alike(const edit::Subject& subject, Found& found);

// take_out_nodes.cc
std::unique_ptr<Phase> begin_take_out(const edit::Subject& subject, Found& found);

}  // namespace assay::reduce
