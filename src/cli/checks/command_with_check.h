// A command with a check: the words after --check, to the end of the line, are the check's.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/context/command.h"
#include "cli/options/check_options.h"

namespace assay::cli {

class CommandWithCheck : public Command {
 public:
  [[nodiscard]] std::vector<std::string> remainder_option() const final { return CheckOptions::remainder_option(); }
  void set_remainder(std::vector<std::string> words) final { check_.set_command(std::move(words)); }

 protected:
  CheckOptions check_;
};

}  // namespace assay::cli
