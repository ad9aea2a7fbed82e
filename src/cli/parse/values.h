// Parsers for option values: shapes, ranges and settings per tensor. `option` is named in errors, which are all
// invalid_input.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/shapes.h"
#include "tensor/element_type.h"
#include "tensor/generate.h"

namespace assay::cli {

using Dimensions = std::vector<model::Dimension>;

// Parses "[1,3,-1,batch]", also in round brackets; "[]" is a scalar. Negative numbers and words are unknown dimensions.
base::Expected<Dimensions> parse_dimensions(std::string_view text, std::string_view option);

// Parses "name:[1,3,224,224]". Names may contain colons: the shape follows the last one.
base::Expected<std::map<std::string, Dimensions>> parse_shapes(const std::vector<std::string>& values,
                                                               std::string_view option);

// Parses "[0,1]" for all tensors or "name:[0,1]" for one. The key "" means all other tensors.
base::Expected<std::map<std::string, tensor::ValueRange>> parse_ranges(const std::vector<std::string>& values,
                                                                       std::string_view option);

// Parses "NUMBER" for all tensors or "name:NUMBER" for one. The key "" means all other tensors.
base::Expected<std::map<std::string, double>> parse_numbers(const std::vector<std::string>& values,
                                                            std::string_view option);
// The same for words instead of numbers.
base::Expected<std::map<std::string, std::string>> parse_words(const std::vector<std::string>& values,
                                                               std::string_view option);

// A tensor as the user describes it. "auto" for the shape or type leaves it absent, to be inferred.
struct Meta {
  std::string name;
  std::optional<Dimensions> shape;
  std::optional<tensor::ElementType> type;
};
enum class MetaForm { name_shape_type, name_type };
// Parses "name:shape:dtype" or "name:dtype".
base::Expected<std::vector<Meta>> parse_meta(const std::vector<std::string>& values, MetaForm form,
                                             std::string_view option);

}  // namespace assay::cli
