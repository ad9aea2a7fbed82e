#include "compare/validate_outputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "compare/read_block.h"
#include "compare/summary.h"

namespace assay::compare {
namespace {

using tensor::Tensor;

struct Strange {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
};

struct Found {
  Strange nan;
  Strange infinite;
};

void note(Strange& strange, std::uint64_t position) {
  if (strange.count++ == 0) strange.first = position;
}

Found look(const Tensor& tensor) {
  Found found;
  std::array<double, kBlock> block;
  for (std::uint64_t begin = 0; begin < tensor.size(); begin += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, tensor.size() - begin));
    read_block(tensor, begin, count, block.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isfinite(block[i])) continue;
      note(std::isnan(block[i]) ? found.nan : found.infinite, begin + i);
    }
  }
  return found;
}

bool report(std::string_view runner, const std::string& name, const Tensor& tensor, std::string_view what,
            const Strange& strange, base::Log& log) {
  if (strange.count == 0) return true;
  log.error("FAILED | {} | Output '{}' holds {} {} among {} values, the first at {}", runner, name, strange.count, what,
            tensor.size(), format_position(strange.first, tensor.shape()));
  return false;
}

}  // namespace

bool validate_outputs(std::string_view runner, const tensor::NamedTensors& outputs, base::Log& log) {
  bool sound = true;
  for (const auto& [name, tensor] : outputs) {
    const tensor::ElementKind kind = tensor::info(tensor.type()).kind;
    if (kind != tensor::ElementKind::floating && kind != tensor::ElementKind::complex) continue;
    const Tensor numbers = kind == tensor::ElementKind::complex ? as_pairs(tensor) : tensor;
    const Found found = look(numbers);
    sound &= report(runner, name, numbers, "NaN", found.nan, log);
    sound &= report(runner, name, numbers, "infinite", found.infinite, log);
  }
  if (sound) log.info("PASSED | {} | No NaN and no infinity in {} outputs", runner, outputs.size());
  return sound;
}

}  // namespace assay::compare
