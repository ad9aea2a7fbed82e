// Collects what a reduction could not freeze, for the summary: which tensors, why, and what the user can do.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay::reduce {

// Shared by the references of all stages of a reduction. Not thread-safe.
class MissingValues {
 public:
  // `why` is one sentence without a full stop. Only the first reason given for a tensor is kept.
  void add(const std::string& tensor, std::string why);
  // Inputs of the whole model whose sizes neither it nor the user fixes.
  void set_open_inputs(std::vector<std::string> names);

  // Returns how many tensors are concerned, one example with its reason, and the options that help; nothing if there
  // are none.
  [[nodiscard]] std::optional<std::string> message() const;

 private:
  std::map<std::string, std::string> why_;
  std::vector<std::string> open_inputs_;
};

}  // namespace assay::reduce
