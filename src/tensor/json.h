// Reading the peer's JSON files, whose arrays are base64 texts of .npy files.
//
// Such a file can be gigabytes, nearly all of it base64. So those texts are cut out before the rest, which is small, is
// parsed by nlohmann-json; an array stays in the mapped file until it is asked for. Reading one costs its own size, and
// one that nobody asks for costs nothing.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

class JsonDocument {
 public:
  // Errors: invalid_input with the place where the file stops being JSON. Python's NaN, Infinity and -Infinity are read
  // as strings of these names: see number().
  static base::Expected<JsonDocument> open(const std::filesystem::path& path);
  static base::Expected<JsonDocument> parse(Buffer text);
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  // Ordered as in the file.
  [[nodiscard]] const nlohmann::ordered_json& root() const { return *root_; }

  // The array that an object of class ndarray or LazyArray holds (LazyNumpyArray is the latter's older name).
  [[nodiscard]] base::Expected<Tensor> array(const nlohmann::ordered_json& object) const;

 private:
  JsonDocument();
  Buffer text_;
  std::vector<std::string_view> arrays_;  // the texts that were cut out
  std::unique_ptr<nlohmann::ordered_json> root_;
};

// Class of an object: its member "polygraphy_class", or what older files have instead, a member
// "__polygraphy_encoded_NAME". Empty where it is no object or has none.
std::string polygraphy_class(const nlohmann::ordered_json& object);

// A number, or NaN and the infinities as JsonDocument reads them. Errors: invalid_input for anything else.
base::Expected<double> json_number(const nlohmann::ordered_json& value);

}  // namespace assay::tensor
