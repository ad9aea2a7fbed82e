// Reading the peer's JSON files, whose arrays are base64 texts of .npy files.
//
// Such a file can be gigabytes, nearly all of it base64. So those texts are cut out before the rest, which is small, is
// parsed by nlohmann-json; an array stays in the mapped file until it is asked for. Reading one costs its own size, and
// one that nobody asks for costs nothing. Pages of the file that were looked at are given back.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "tensor/tensor.h"

namespace assay::tensor {

class JsonDocument {
 public:
  // Errors: invalid_input with the place where the file stops being JSON. Python's NaN, Infinity and -Infinity are read
  // as strings of these names: see number().
  static base::Expected<JsonDocument> open(const std::filesystem::path& path);
  static base::Expected<JsonDocument> parse(Buffer text, std::shared_ptr<const base::MappedFile> file = nullptr);
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  // Ordered as in the file.
  [[nodiscard]] const nlohmann::ordered_json& root() const { return *root_; }

  // The array that an object of class ndarray or LazyArray holds (LazyNumpyArray is the latter's older name).
  [[nodiscard]] base::Expected<Tensor> array(const nlohmann::ordered_json& object) const;
  // About how many bytes it will take, without looking at it; 0 for what is no array.
  [[nodiscard]] std::uint64_t array_bytes(const nlohmann::ordered_json& object) const;

 private:
  // The text of an array's .npy file. Errors: invalid_input for what is no array.
  [[nodiscard]] base::Expected<std::string_view> array_text(const nlohmann::ordered_json& object) const;

  JsonDocument();
  Buffer text_;
  std::shared_ptr<const base::MappedFile> file_;  // that the text lies in, where it is one
  std::vector<std::string_view> arrays_;          // the texts that were cut out
  std::unique_ptr<nlohmann::ordered_json> root_;
};

// Class of an object: its member "polygraphy_class", or what older files have instead, a member
// "__polygraphy_encoded_NAME". Empty where it is no object or has none.
std::string polygraphy_class(const nlohmann::ordered_json& object);

// A number, or NaN and the infinities as JsonDocument reads them. Errors: invalid_input for anything else.
base::Expected<double> json_number(const nlohmann::ordered_json& value);

}  // namespace assay::tensor
