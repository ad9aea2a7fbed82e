// The errors that TensorRT logs before a call fails, which say why it fails.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::backend {

// Returns why the builder skips a tactic, if the message says that it does. TensorRT 10 logs this as an error, or as a
// warning if the GPU has too little memory, also if other tactics remain and the build succeeds.
std::optional<std::string_view> reason_of_skipped_tactic(std::string_view message);

// Returns what the user can do about errors or a warning in these words, to be put after them; empty if nothing is
// known.
std::string_view advice_about(std::string_view errors);

// Keeps the first errors and the newest ones: the last error often has the reason, and a build can log very many.
class LoggedErrors {
 public:
  // Takes each error once, since it is often logged by each function that it passes. Skipped tactics aren't errors.
  void add(std::string_view message);
  void clear();
  [[nodiscard]] bool empty() const { return first_.empty(); }
  // Returns the errors in their order, and how many were left out. If no tactic was left for a node, the tactic that
  // was skipped last follows.
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  std::vector<std::string> first_;
  std::deque<std::string> newest_;
  std::uint64_t left_out_ = 0;
  std::string skipped_;  // the tactic that was skipped last
};

}  // namespace assay::backend
