// Resolves the names and wildcards for which a user gives shapes to the inputs of a model.
//
// A name that no input has is an error rather than ignored: it may be misspelt, and the work would then go on for a
// long time with other shapes than the user wants.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Returns the tensor inputs for which a name or a wildcard stands. Errors, with `option`: not_found if there is none.
base::Expected<std::vector<std::string>> find_inputs(const Model& model, std::string_view name_or_wildcard,
                                                     std::string_view option);

// Returns the shapes of the inputs that are meant. A shape for the name itself takes precedence over those for
// wildcards. Errors: those of find_inputs().
template <class Shape>
base::Expected<std::map<std::string, Shape>> shapes_by_input(const Model& model,
                                                             const std::map<std::string, Shape>& given,
                                                             std::string_view option) {
  std::map<std::string, Shape> shapes;
  for (const auto& [name, shape] : given) {
    ASSAY_ASSIGN(const std::vector<std::string> inputs, find_inputs(model, name, option));
    for (const std::string& input : inputs) {
      const auto exact = given.find(input);
      shapes.try_emplace(input, exact == given.end() ? shape : exact->second);
    }
  }
  return shapes;
}

}  // namespace assay::model
