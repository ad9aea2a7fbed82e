#include "compare/validate_outputs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/counted.h"
#include "stats/read_block.h"
#include "stats/scan.h"
#include "stats/series.h"
#include "stats/summary_text.h"

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

void add(const Strange& more, Strange& strange) {
  if (more.count == 0) return;
  strange.first = strange.count == 0 ? more.first : std::min(strange.first, more.first);
  strange.count += more.count;
}

// Blocks in which everything is finite, nearly all of them, need only the fast kernel.
template <class Real>
Found look_in(const Tensor& tensor) {
  const stats::TensorSeries<Real> series(tensor);
  const stats::BlockKernels<Real>& kernels = stats::block_kernels<Real>();
  const int threads = stats::threads_for(tensor.size(), 0);
  std::vector<Found> parts(static_cast<std::size_t>(threads));
  const auto visit = [&](int thread, std::uint64_t begin, std::size_t count, Real* const* blocks) {
    const stats::BlockExtremes<Real> extremes = kernels.extremes(blocks[0], count);
    if (!extremes.has_nan && std::isfinite(extremes.min) && std::isfinite(extremes.max)) return;
    Found& found = parts[static_cast<std::size_t>(thread)];
    for (std::size_t i = 0; i < count; ++i) {
      const Real value = blocks[0][i];
      if (!std::isfinite(value)) note(std::isnan(value) ? found.nan : found.infinite, begin + i);
    }
  };
  stats::scan_columns<Real>(stats::OneColumn<Real>(series), threads, visit);
  Found all;
  for (const Found& part : parts) {
    add(part.nan, all.nan);
    add(part.infinite, all.infinite);
  }
  return all;
}

Found look(const Tensor& tensor) {
  return stats::fits_float(tensor.type()) ? look_in<float>(tensor) : look_in<double>(tensor);
}

bool report(std::string_view runner, const std::string& name, const Tensor& tensor, std::string_view what,
            const Strange& strange, base::Log& log) {
  if (strange.count == 0) return true;
  log.error("FAILED | {} | Output '{}' holds {} {} among {} values, the first at {}", runner, name, strange.count, what,
            tensor.size(), stats::format_position(strange.first, tensor.shape()));
  return false;
}

// Returns the numbers of a tensor, as pairs if it is complex; nothing if its type has neither NaN nor infinity.
std::optional<Tensor> numbers_of(const Tensor& tensor) {
  const tensor::ElementKind kind = tensor::info(tensor.type()).kind;
  if (kind == tensor::ElementKind::complex) return stats::as_pairs(tensor);
  return kind == tensor::ElementKind::floating ? std::optional(tensor) : std::nullopt;
}

}  // namespace

bool validate_outputs(std::string_view runner, const tensor::NamedTensors& outputs, base::Log& log) {
  bool sound = true;
  for (const auto& [name, tensor] : outputs) {
    const std::optional<Tensor> numbers = numbers_of(tensor);
    if (!numbers) continue;
    const Found found = look(*numbers);
    sound &= report(runner, name, *numbers, "NaN", found.nan, log);
    sound &= report(runner, name, *numbers, "infinite", found.infinite, log);
  }
  if (sound) log.info("PASSED | {} | No NaN and no infinity in {}", runner, base::counted(outputs.size(), "output"));
  return sound;
}

void warn_of_nan(std::string_view runner, const tensor::NamedTensors& outputs, base::Log& log) {
  for (const auto& [name, tensor] : outputs) {
    const std::optional<Tensor> numbers = numbers_of(tensor);
    const std::uint64_t count = numbers ? look(*numbers).nan.count : 0;
    if (count == 0) continue;
    log.warning("{} | {} of {} values of output '{}' are NaN; `assay diagnose` finds where they come from", runner,
                count, numbers->size(), name);
  }
}

}  // namespace assay::compare
