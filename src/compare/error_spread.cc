#include "compare/error_spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "compare/svg.h"
#include "stats/scan.h"

namespace assay::compare {
namespace {

constexpr double kWidth = 400;  // of one diagram
constexpr double kHeight = 260;

std::size_t bin_of(double size) {
  const double bin = (std::log10(size) - kLeastPower) * kQuarters;
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(kSizeBins - 1)));
}

void count(double error, double value, Spread& spread) {
  if (!std::isfinite(error)) {
    ++spread.undefined;
    return;
  }
  if (error == 0) {
    ++spread.zeros;
    return;
  }
  const std::size_t bin = bin_of(error);
  ++spread.by_size[bin];
  const double magnitude = std::abs(value);
  if (!std::isfinite(magnitude)) return;
  std::uint32_t& cell = spread.by_value[(magnitude == 0 ? 0 : bin_of(magnitude)) * kSizeBins + bin];
  if (cell != std::numeric_limits<std::uint32_t>::max()) ++cell;
}

void add(const Spread& more, Spread& spread) {
  spread.zeros += more.zeros;
  spread.undefined += more.undefined;
  for (std::size_t i = 0; i < kSizeBins; ++i) spread.by_size[i] += more.by_size[i];
  for (std::size_t i = 0; i < spread.by_value.size(); ++i) {
    const std::uint64_t sum = std::uint64_t{spread.by_value[i]} + more.by_value[i];
    spread.by_value[i] =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
  }
}

template <class Real>
ErrorSpread make_spread(const PairFacts& facts) {
  const stats::Differences<Real> differences(facts.first(), facts.second(), facts.equal_specials());
  const int threads = stats::threads_for(facts.first().size(), 0);
  std::vector<std::unique_ptr<ErrorSpread>> parts;
  for (int i = 0; i < threads; ++i) parts.push_back(std::make_unique<ErrorSpread>());
  stats::scan_columns<Real>(stats::PairColumns<Real>(differences), threads,
                            [&](int thread, std::uint64_t, std::size_t size, Real* const* blocks) {
                              ErrorSpread& part = *parts[static_cast<std::size_t>(thread)];
                              for (std::size_t i = 0; i < size; ++i) {
                                count(blocks[2][i], blocks[1][i], part.absolute);
                                count(blocks[3][i], blocks[1][i], part.relative);
                              }
                            });
  ErrorSpread all = std::move(*parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    add(parts[i]->absolute, all.absolute);
    add(parts[i]->relative, all.relative);
  }
  return all;
}

// Bins from the first one in use to the one after the last, extended to whole powers of ten.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

template <class Holds>
Range used(const Holds& holds) {
  Range range{kSizeBins, 0};
  for (std::size_t i = 0; i < kSizeBins; ++i) {
    if (!holds(i)) continue;
    range.begin = std::min(range.begin, i);
    range.end = i + 1;
  }
  if (range.end == 0) return {0, 0};
  return {range.begin / kQuarters * kQuarters, (range.end + kQuarters - 1) / kQuarters * kQuarters};
}

Range used_sizes(const Spread& spread) {
  return used([&](std::size_t i) { return spread.by_size[i] != 0; });
}

std::string power_text(std::size_t bin) {
  return fmt::format("1e{}", static_cast<int>(bin / kQuarters) + kLeastPower);
}

// Draws about ten marks at most below a diagram, at whole powers of ten.
void draw_axis(Svg& svg, double left, double bottom, Range range, const std::string& title) {
  const std::size_t step = std::max<std::size_t>(1, range.size() / kQuarters / 8) * kQuarters;
  for (std::size_t bin = range.begin; bin <= range.end; bin += step) {
    const double x = left + kWidth * static_cast<double>(bin - range.begin) / static_cast<double>(range.size());
    svg.line(x, bottom, x, bottom + 4, "#444");
    svg.text(x - 8, bottom + 16, power_text(bin), 10);
  }
  svg.text(left, bottom + 32, title, 11);
}

void draw_sizes(Svg& svg, double left, double top, const Spread& spread, const std::string& title, double tolerance) {
  svg.text(left, top - 6, fmt::format("{}: {} are 0, {} are NaN or infinite", title, spread.zeros, spread.undefined));
  svg.rectangle(left, top, kWidth, kHeight, "none", "#888");
  const Range range = used_sizes(spread);
  if (range.size() == 0) return;
  const auto most = static_cast<double>(std::ranges::max(spread.by_size));
  const double width = kWidth / static_cast<double>(range.size());
  for (std::size_t bin = range.begin; bin < range.end; ++bin) {
    if (spread.by_size[bin] == 0) continue;
    // Counts are drawn by their logarithm too: a few large errors are what the reader looks for.
    const double height = kHeight * std::log1p(static_cast<double>(spread.by_size[bin])) / std::log1p(most);
    svg.rectangle(left + width * static_cast<double>(bin - range.begin), top + kHeight - height, width * 0.9, height,
                  "#3070b0", "none");
  }
  if (tolerance > 0) {
    const double place = (std::log10(tolerance) - kLeastPower) * kQuarters - static_cast<double>(range.begin);
    if (place >= 0 && place <= static_cast<double>(range.size())) {
      svg.line(left + width * place, top, left + width * place, top + kHeight, "#d02020");
    }
  }
  svg.text(left + 4, top + 14, fmt::format("{}", static_cast<std::uint64_t>(most)), 10);
  draw_axis(svg, left, top + kHeight, range, "size of the error (red: tolerance); counts on a logarithmic scale");
}

void draw_values(Svg& svg, double left, double top, const Spread& spread, const std::string& title) {
  svg.text(left, top - 6, title);
  svg.rectangle(left, top, kWidth, kHeight, "none", "#888");
  const Range errors = used_sizes(spread);
  const auto row_holds = [&](std::size_t value) {
    const auto row = spread.by_value.begin() + static_cast<std::ptrdiff_t>(value * kSizeBins);
    return std::any_of(row, row + kSizeBins, [](std::uint32_t n) { return n != 0; });
  };
  const Range values = used(row_holds);
  if (errors.size() == 0 || values.size() == 0) return;
  const double most = std::log1p(static_cast<double>(std::ranges::max(spread.by_value)));
  const double width = kWidth / static_cast<double>(values.size());
  const double height = kHeight / static_cast<double>(errors.size());
  for (std::size_t value = values.begin; value < values.end; ++value) {
    for (std::size_t error = errors.begin; error < errors.end; ++error) {
      const std::uint32_t count = spread.by_value[value * kSizeBins + error];
      if (count == 0) continue;
      const int shade = static_cast<int>(220 - 200 * std::log1p(static_cast<double>(count)) / most);
      svg.rectangle(left + width * static_cast<double>(value - values.begin),
                    top + height * static_cast<double>(errors.end - 1 - error), width, height,
                    fmt::format("#{0:02x}{0:02x}{1:02x}", shade, 160 + shade / 4), "none");
    }
  }
  svg.text(left + 4, top + 14, power_text(errors.end), 10);
  svg.text(left + 4, top + kHeight - 4, power_text(errors.begin), 10);
  draw_axis(svg, left, top + kHeight, values, "magnitude of the value in the second run");
}

}  // namespace

ErrorSpread spread_of(const PairFacts& facts) {
  return stats::fits_in_float(facts.first().type(), facts.second().type()) ? make_spread<float>(facts)
                                                                           : make_spread<double>(facts);
}

std::string draw_text(const Spread& spread) {
  std::string text = fmt::format("{:>10} | {:>12}", "0", spread.zeros);
  const Range range = used_sizes(spread);
  std::vector<std::uint64_t> powers;
  for (std::size_t bin = range.begin; bin < range.end; bin += kQuarters) {
    powers.push_back(0);
    for (std::size_t i = 0; i < kQuarters; ++i) powers.back() += spread.by_size[bin + i];
  }
  const std::uint64_t most = powers.empty() ? 1 : std::max<std::uint64_t>(1, std::ranges::max(powers));
  for (std::size_t i = 0; i < powers.size(); ++i) {
    std::string bar;
    for (std::uint64_t filled = 0; filled < powers[i] * 40 / most; ++filled) bar += "█";
    if (bar.empty() && powers[i] != 0) bar = "▏";
    text += fmt::format("\n{:>10} | {:>12} | {}", "< " + power_text(range.begin + (i + 1) * kQuarters), powers[i], bar);
  }
  if (spread.undefined != 0) text += fmt::format("\n{:>10} | {:>12}", "NaN or inf", spread.undefined);
  return text;
}

std::string draw_svg(const ErrorSpread& spread, const std::string& title, double absolute_tolerance,
                     double relative_tolerance) {
  constexpr double kLeft = 30;
  constexpr double kTop = 60;
  constexpr double kGap = 80;
  Svg svg(2 * kWidth + kGap + 2 * kLeft, 2 * kHeight + 2 * kGap + kTop);
  svg.text(kLeft, 24, title, 15);
  const double right = kLeft + kWidth + kGap;
  const double below = kTop + kHeight + kGap;
  draw_sizes(svg, kLeft, kTop, spread.absolute, "Absolute errors", absolute_tolerance);
  draw_sizes(svg, right, kTop, spread.relative, "Relative errors", relative_tolerance);
  draw_values(svg, kLeft, below, spread.absolute, "Absolute errors against values");
  draw_values(svg, right, below, spread.relative, "Relative errors against values");
  return svg.finish();
}

}  // namespace assay::compare
