// Tells the user early if most candidates can't be judged. The search learns next to nothing from these, so it needs
// many more checks, and an option may be the remedy.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "reduce/explore/progress.h"

namespace assay::cli {

class UnresolvedNotice {
 public:
  // Counts the verdict, if there is one. Returns a message, once, if more than half of at least 20 candidates are
  // unresolved.
  std::optional<std::string> update(const reduce::Progress& progress);

 private:
  struct Reason {
    int times = 0;
    std::string text;  // of the latest candidate
  };

  int judged_ = 0;
  int unresolved_ = 0;
  std::map<reduce::Verdict::Cause, Reason> reasons_;
  bool told_ = false;
};

}  // namespace assay::cli
