#include "reduce/values/missing_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay::reduce {

void MissingValues::add(const std::string& tensor, std::string why) {
  why_.try_emplace(tensor, std::move(why));
}

void MissingValues::set_open_inputs(std::vector<std::string> names) {
  open_inputs_ = std::move(names);
}

std::optional<std::string> MissingValues::message() const {
  if (why_.empty()) return std::nullopt;
  constexpr std::size_t kNamed = 3;
  std::string shapes;
  for (std::size_t i = 0; i < std::min(kNamed, open_inputs_.size()); ++i) shapes += " " + open_inputs_[i] + ":[...]";
  if (open_inputs_.size() > kNamed) shapes += " ...";
  const auto& [tensor, why] = *why_.begin();
  return fmt::format(
      "{} could not be frozen to {} value{} in the whole model and became {} instead, so more nodes may remain than "
      "necessary. For example '{}': {}. {}--load-inputs supplies inputs with which the model runs.",
      why_.size() == 1 ? "One tensor" : fmt::format("{} tensors", why_.size()), why_.size() == 1 ? "its" : "their",
      why_.size() == 1 ? "" : "s", why_.size() == 1 ? "an input" : "inputs", tensor, why,
      shapes.empty() ? "" : fmt::format("--model-input-shapes{} sets the sizes of inputs; ", shapes));
}

}  // namespace assay::reduce
