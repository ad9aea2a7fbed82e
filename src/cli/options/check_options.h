// Options for judging an iteration: Polygraphy's group "Pass/Fail Reporting", and limits for the check command.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/judge/check_command.h"

namespace assay::cli {

class CheckOptions {
 public:
  // --check takes every word to the end of the line (Command::remainder_option), so the parser never sees it: it is
  // added for help texts only.
  void add_to(CLI::App& app);
  [[nodiscard]] static std::vector<std::string> remainder_option() { return {"--check", "--check-inference"}; }
  void set_command(std::vector<std::string> words) { command_ = std::move(words), given_ = true; }

  // Adds a word to the command.
  void add_word(const std::string& word) { command_.push_back(word); }

  // Returns whether --check was given. If not, the user is asked for each verdict.
  [[nodiscard]] bool has_command() const { return given_; }
  [[nodiscard]] const std::vector<std::string>& command() const { return command_; }
  // Returns the command and the rules that judge it, without CheckSetup::artifact and CheckSetup::whole. Errors:
  // invalid_input.
  [[nodiscard]] base::Expected<reduce::CheckSetup> setup() const;

 private:
  [[nodiscard]] base::Expected<std::vector<int>> unresolved_codes() const;

  std::vector<std::string> command_;
  bool given_ = false;
  std::vector<int> fail_codes_;
  std::vector<int> ignore_fail_codes_;
  std::vector<std::string> fail_regex_;
  std::vector<std::string> unresolved_codes_;  // numbers, or "none"; empty: not given
  std::vector<std::string> unresolved_regex_;
  bool show_output_ = false;
  bool hide_fail_output_ = false;
  double timeout_s_ = 0;
  std::string memory_;
};

}  // namespace assay::cli
