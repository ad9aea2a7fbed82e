#include "surgeon/graph/tensor_names.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "base/list_first.h"
#include "base/similar_names.h"
#include "base/strings.h"

namespace assay::surgeon {
namespace {

constexpr std::size_t kMostListed = 8;  // tensors in one message

}  // namespace

std::vector<std::string> similar_names(const model::GraphView& view, const std::string& name, std::size_t most) {
  std::vector<std::string> names;
  for (model::TensorId id = 0; id < view.tensor_count(); ++id) names.emplace_back(view.name(id));
  return base::similar_names(names, name, most);
}

base::Error no_such_tensor(const model::GraphView& view, const std::string& name, const std::string& option) {
  std::vector<std::string> names = similar_names(view, name);
  std::string fix;
  if (!names.empty()) {
    fix = "Did you mean " + base::join(names, ", ");
  } else {
    for (model::TensorId id = 0; id < view.tensor_count(); ++id) names.emplace_back(view.name(id));
    fix = fmt::format("Its tensors are {}; `assay inspect model --show layers` lists all",
                      base::list_first(std::move(names), kMostListed, ", "));
  }
  return {base::ErrorKind::not_found, fmt::format("the model has no tensor '{}'", name), option, std::move(fix)};
}

}  // namespace assay::surgeon
