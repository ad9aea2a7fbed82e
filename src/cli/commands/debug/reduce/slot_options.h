// Options for the number of parallel checks and for how candidates store their weights.
#pragma once

#include <CLI/App.hpp>

#include <string>

#include "reduce/candidates/candidate_writer.h"

namespace assay::cli {

class SlotOptions {
 public:
  void add_to(CLI::App& app);
  [[nodiscard]] int jobs() const { return jobs_; }
  [[nodiscard]] reduce::IterWeights weights() const;
  // Returns the word that was given for weights().
  [[nodiscard]] const std::string& weights_word() const { return weights_; }

 private:
  int jobs_ = 1;
  std::string weights_ = "auto";
};

}  // namespace assay::cli
