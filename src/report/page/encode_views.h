// The columns of the interactive views: nodes, tensors with errors and statistics, and checks.
#pragma once

#include <string>

#include "report/page/page.h"

namespace assay::report {

// Only this many tensors keep their histograms: those in which errors are born, then the worst ones.
inline constexpr std::size_t kHistograms = 200;

// Returns the data of the views (columns.h); an empty string if the page has neither nodes, tensors nor checks.
std::string encode_views(const Page& page);

}  // namespace assay::report
