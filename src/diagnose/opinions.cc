#include "diagnose/opinions.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensor/convert.h"

namespace assay::diagnose {
namespace {

constexpr double kNearer = 10;  // times smaller is the largest error of the nearer side

struct Hits {
  std::uint64_t same = 0, all = 0;
};

void add_hits(const tensor::Tensor& first, const tensor::Tensor& second, Hits& hits) {
  const bool fits = tensor::info(first.type()).kind == tensor::ElementKind::floating &&
                    tensor::is_real(second.type()) && first.shape() == second.shape() && !first.shape().empty();
  if (!fits || first.shape().back() < 2 || first.size() == 0) return;
  const std::vector<double> a = tensor::to_doubles(first), b = tensor::to_doubles(second);
  const auto length = static_cast<std::size_t>(first.shape().back());
  for (std::size_t begin = 0; begin < a.size(); begin += length) {
    const auto place = [&](const std::vector<double>& values) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin);
      return std::max_element(from, from + static_cast<std::ptrdiff_t>(length)) - from;
    };
    ++hits.all;
    if (place(a) == place(b)) ++hits.same;
  }
}

}  // namespace

FaultChoice choose_fault(const Opinion& first, const Opinion& second, const std::vector<Opinion>& others,
                         const compare::ComparePlan& plan) {
  for (const Opinion& other : others) {
    const Comparison with_first = compare(first.outputs, other.outputs, plan);
    const Comparison with_second = compare(second.outputs, other.outputs, plan);
    const bool is_nearer_to_first = kNearer * with_first.absolute < with_second.absolute;
    const bool is_nearer_to_second = kNearer * with_second.absolute < with_first.absolute;
    if (with_first.agrees != with_second.agrees) {
      return {with_first.agrees ? Fault::second : Fault::first,
              fmt::format("{} agrees with {}", other.name, with_first.agrees ? first.name : second.name)};
    }
    if (with_first.agrees || is_nearer_to_first == is_nearer_to_second) continue;
    return {is_nearer_to_first ? Fault::second : Fault::first,
            fmt::format("{} is much closer to {}", other.name, is_nearer_to_first ? first.name : second.name)};
  }
  return {};
}

std::optional<double> top1_agreement(const TensorsByIteration& first, const TensorsByIteration& second) {
  Hits hits;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    for (const auto& [name, value] : first[i]) {
      const tensor::Tensor* other = second[i].find(name);
      if (other != nullptr) add_hits(value, *other, hits);
    }
  }
  if (hits.all == 0) return std::nullopt;
  return static_cast<double>(hits.same) / static_cast<double>(hits.all);
}

}  // namespace assay::diagnose
