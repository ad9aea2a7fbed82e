// Values of options that are more than a word: shapes, ranges, per-tensor settings.
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

namespace assay::cli {

using Dimensions = std::vector<model::Dimension>;

// "[1,3,-1,batch]", also in round brackets, empty for a scalar. A number below zero and a word are unknown dimensions.
base::Expected<Dimensions> parse_dimensions(std::string_view text, std::string_view option);

// "name:[1,3,224,224]". Names may hold colons: the shape starts behind the last one.
base::Expected<std::map<std::string, Dimensions>> parse_shapes(const std::vector<std::string>& values,
                                                               std::string_view option);

// "[0,1]" for all tensors, or "name:[0,1]" for one. Key "" is "all others".
base::Expected<std::map<std::string, std::pair<double, double>>> parse_ranges(const std::vector<std::string>& values,
                                                                              std::string_view option);

// "VALUE" for all tensors, or "name:VALUE" for one; key "" is "all others". VALUE is a number.
base::Expected<std::map<std::string, double>> parse_numbers(const std::vector<std::string>& values,
                                                            std::string_view option);
// The same, VALUE being a word.
base::Expected<std::map<std::string, std::string>> parse_words(const std::vector<std::string>& values,
                                                               std::string_view option);

// "name:shape:dtype" or, without shapes, "name:dtype"; "auto" leaves either to be found out.
struct Meta {
  std::string name;
  std::optional<Dimensions> shape;
  std::optional<tensor::ElementType> type;
};
base::Expected<std::vector<Meta>> parse_meta(const std::vector<std::string>& values, bool with_shapes,
                                             std::string_view option);

}  // namespace assay::cli
