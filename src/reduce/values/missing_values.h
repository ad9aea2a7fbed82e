// What a reduction could not freeze, for the summary: which tensors, why, and what the user can do.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay::reduce {

// Shared by the references of all stages of a reduction. One thread at a time.
class MissingValues {
 public:
  // `why`: one sentence without a full stop. The first reason given for a tensor counts.
  void add(const std::string& tensor, std::string why);
  // Inputs of the whole model whose sizes neither it nor the user fixes.
  void set_open_inputs(std::vector<std::string> names);

  // How many tensors, an example with its reason, and the options that help; nothing if there are none.
  [[nodiscard]] std::optional<std::string> message() const;

 private:
  std::map<std::string, std::string> why_;
  std::vector<std::string> open_inputs_;
};

}  // namespace assay::reduce
