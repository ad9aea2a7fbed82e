// Reads Polygraphy's JSON files, in which arrays are .npy files encoded as base64.
//
// Such a file can have gigabytes, nearly all of it base64. Those texts are cut out before nlohmann-json parses the
// small rest, and an array stays in the mapped file until it is requested. So an array costs its own size in memory,
// and one that isn't requested costs nothing. Pages of the file that were read are released.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"
#include "tensor/tensor.h"

namespace assay::tensor {

class JsonDocument {
 public:
  // Errors: invalid_input with the line at which the file stops being JSON, or if it nests more than 200 deep. Python's
  // NaN, Infinity and -Infinity are read as strings of these names: see json_number().
  static base::Expected<JsonDocument> open(const std::filesystem::path& path);
  static base::Expected<JsonDocument> parse(Buffer text, std::shared_ptr<const base::MappedFile> file = nullptr);
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  // Returns the document, with members in the order of the file.
  [[nodiscard]] const nlohmann::ordered_json& root() const { return *root_; }

  // Returns the array in an object of class ndarray or LazyArray (LazyNumpyArray is the latter's older name).
  // Errors: invalid_input if the object isn't an array; unsupported for a PyTorch tensor; those of parse_npy().
  [[nodiscard]] base::Expected<Tensor> array(const nlohmann::ordered_json& object) const;
  // Estimates the array's size in bytes without reading it; 0 if the object isn't an array.
  [[nodiscard]] std::uint64_t array_bytes(const nlohmann::ordered_json& object) const;

 private:
  // Returns the base64 text of an array. Errors: as array().
  [[nodiscard]] base::Expected<std::string_view> array_text(const nlohmann::ordered_json& object) const;

  JsonDocument();
  Buffer text_;
  std::shared_ptr<const base::MappedFile> file_;  // the file that `text_` is a view of, or null
  std::vector<std::string_view> arrays_;          // the texts that were cut out
  std::unique_ptr<nlohmann::ordered_json> root_;
};

// Returns an object's class: the value of its member "polygraphy_class" or, in older files, the NAME of its member
// "__polygraphy_encoded_NAME". Empty if it has neither or isn't an object.
std::string polygraphy_class(const nlohmann::ordered_json& object);

// Returns a number, or the NaN or infinity that JsonDocument read as a string. Errors: invalid_input for anything else.
base::Expected<double> json_number(const nlohmann::ordered_json& value);

}  // namespace assay::tensor
