// The arrays of one iteration in an open file, found by name. They are read one by one, on demand.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/error.h"
#include "tensor/json.h"
#include "tensor/npz.h"
#include "tensor/tensor.h"

namespace assay::data {

// Must not outlive the file. `place` says in errors which iteration of which file it is.
class IterationArrays {
 public:
  IterationArrays() = default;  // no arrays
  // The arrays of `object`, which belongs to `document`.
  IterationArrays(const tensor::JsonDocument& document, const nlohmann::ordered_json& object, std::string place);
  IterationArrays(const tensor::NamedTensors& arrays, std::string place);
  IterationArrays(const tensor::NpzContent& archive, std::string place);

  // In the order of the file; arrays of an archive that can't be read come last.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool contains(const std::string& name) const { return arrays_.contains(name); }
  // Errors: not_found; those of JsonDocument::array(); those of the archive's entry.
  [[nodiscard]] base::Expected<tensor::Tensor> read(const std::string& name) const;

 private:
  using Stored = std::variant<const tensor::Tensor*, const nlohmann::ordered_json*, const base::Error*>;

  std::string place_;
  const tensor::JsonDocument* document_ = nullptr;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Stored> arrays_;
};

}  // namespace assay::data
