#include "locate/sides/explain_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "compare/compare_function.h"
#include "compare/moved_rows.h"
#include "locate/sides/judge.h"
#include "tensor/transpose.h"

namespace assay::locate {
namespace {

using tensor::Tensor;

constexpr std::size_t kMostOutputs = 64;
constexpr std::size_t kMostAxes = 4;
constexpr std::uint64_t kMostElements = 1 << 22;

bool can_compare(const Tensor& first, const Tensor& second) {
  return first.type() == second.type() && first.shape() == second.shape() && first.size() > 1 &&
         first.size() <= kMostElements;
}

// Returns the name of the second side's output that holds the values of the first side's output `name`.
std::optional<std::string> find_elsewhere(const std::string& name, const Tensor& value,
                                          const tensor::NamedTensors& second, const compare::ComparePlan& plan) {
  const Tensor* own = second.find(name);
  for (const auto& [other_name, other] : second) {
    if (other_name == name || !can_compare(value, other)) continue;
    if (judge(name, value, other, plan).differs) continue;
    // If both outputs are the same, finding one of them in the other's place says nothing.
    if (own != nullptr && can_compare(*own, other) && !judge(name, *own, other, plan).differs) continue;
    return other_name;
  }
  return std::nullopt;
}

// Returns the order of the second tensor's axes in which it agrees with the first.
std::optional<std::vector<std::size_t>> find_axes(const std::string& name, const Tensor& first, const Tensor& second,
                                                  const compare::ComparePlan& plan) {
  const std::size_t rank = first.shape().size();
  const bool fits = rank == second.shape().size() && rank >= 2 && rank <= kMostAxes && first.size() > 1 &&
                    first.size() <= kMostElements && first.type() != tensor::ElementType::string;
  if (!fits) return std::nullopt;
  std::vector<std::size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  while (std::ranges::next_permutation(axes).found) {
    const auto moved = tensor::transpose(second, axes);
    if (!moved || !can_compare(first, *moved)) continue;
    if (!judge(name, first, *moved, plan).differs) return axes;
  }
  return std::nullopt;
}

std::string describe_rows(const std::string& name, const Tensor& first, const Tensor& second,
                          const compare::ComparePlan& plan) {
  return compare::describe_moved_rows(first, second, compare::tolerances_of(name, plan.options),
                                      stats::EqualSpecials::both());
}

}  // namespace

OutputsExplained explain_outputs(const compare::RunOutputs& first, const compare::RunOutputs& second,
                                 const compare::ComparePlan& plan) {
  OutputsExplained explained;
  if (first.outputs.size() > kMostOutputs) return explained;
  std::vector<std::string>& notes = explained.notes;
  std::size_t differing = 0;
  std::size_t misplaced = 0;
  for (const auto& [name, value] : first.outputs) {
    const Tensor* other = second.outputs.find(name);
    if (other == nullptr || !judge(name, value, *other, plan).differs) continue;
    ++differing;
    if (const auto elsewhere = find_elsewhere(name, value, second.outputs, plan)) {
      notes.push_back(fmt::format("Output '{}' of {} has the values of '{}' of {}: the outputs may be swapped", name,
                                  first.runner, *elsewhere, second.runner));
      ++misplaced;
    } else if (const auto axes = find_axes(name, value, *other, plan)) {
      notes.push_back(
          fmt::format("Output '{}' of {} agrees with that of {} if the axes of the latter are transposed to "
                      "the order ({})",
                      name, first.runner, second.runner, fmt::join(*axes, ", ")));
      ++misplaced;
    } else if (const std::string moved = describe_rows(name, value, *other, plan); !moved.empty()) {
      notes.push_back(fmt::format("Output '{}': {}", name, moved));
    }
  }
  explained.all = differing > 0 && misplaced == differing;
  return explained;
}

}  // namespace assay::locate
