// Where a command line writes what the user sees.
#pragma once

#include <optional>
#include <ostream>
#include <string_view>

#include "base/error.h"
#include "cli/terminal/terminal.h"
#include "report/page/page.h"

namespace assay::cli {

// The place of errors in the command line itself.
inline constexpr std::string_view kUsage = "the command line";

// The streams that a command writes to.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  Terminal out_terminal{};                      // that `out` writes to
  Terminal err_terminal{};                      // that `err` writes to
  std::optional<base::Error>* error = nullptr;  // set to the command's error, if not null; its `where` may be kUsage
  report::Page* page = nullptr;                 // see Context::page
  bool in_check = false;                        // see Context::in_check
};

}  // namespace assay::cli
