#include "compare/error_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/counted.h"
#include "compare/svg.h"
#include "stats/scan.h"

namespace assay::compare {
namespace {

// Returns the rows and columns as which a tensor is laid out.
std::pair<std::uint64_t, std::uint64_t> layout_of(const tensor::Shape& shape, std::uint64_t elements) {
  std::uint64_t rows = 1;
  std::uint64_t best_rows = 1;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < shape.size() && elements != 0; ++axis) {
    const double unevenness =
        std::abs(std::log(static_cast<double>(rows)) - std::log(static_cast<double>(elements / rows)));
    if (unevenness < best) best = unevenness, best_rows = rows;
    rows *= static_cast<std::uint64_t>(shape[axis]);
  }
  constexpr std::uint64_t kLine = 64;
  if (best_rows == 1 && elements > kLine * kLine) {
    const auto columns = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(elements))));
    return {(elements + columns - 1) / columns, columns};
  }
  return {best_rows, elements / best_rows};
}

ErrorGrid empty_grid(const PairFacts& facts, std::size_t most_rows, std::size_t most_columns) {
  ErrorGrid grid;
  const std::uint64_t elements = facts.first().size();
  if (elements == 0) return grid;
  std::tie(grid.tensor_rows, grid.tensor_columns) = layout_of(facts.first().shape(), elements);
  grid.rows = static_cast<std::size_t>(std::min<std::uint64_t>(most_rows, grid.tensor_rows));
  grid.columns = static_cast<std::size_t>(std::min<std::uint64_t>(most_columns, grid.tensor_columns));
  grid.cells.assign(grid.rows * grid.columns, -1);
  return grid;
}

// Returns the larger error; NaN is larger than everything.
double worse_of(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

template <class Real>
void fill(const PairFacts& facts, ErrorGrids& grids) {
  const stats::Differences<Real> differences(facts.first(), facts.second(), facts.equal_specials());
  const int threads = stats::threads_for(facts.first().size(), 0);
  std::vector<ErrorGrids> parts(static_cast<std::size_t>(threads), grids);
  stats::scan_columns<Real>(
      stats::DifferenceColumns<Real>(differences), threads,
      [&](int thread, std::uint64_t begin, std::size_t count, Real* const* blocks) {
        ErrorGrids& part = parts[static_cast<std::size_t>(thread)];
        const ErrorGrid& layout = part.absolute;
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t row = (begin + i) / layout.tensor_columns * layout.rows / layout.tensor_rows;
          const std::uint64_t column = (begin + i) % layout.tensor_columns * layout.columns / layout.tensor_columns;
          const std::size_t cell = static_cast<std::size_t>(row * layout.columns + column);
          part.absolute.cells[cell] = worse_of(part.absolute.cells[cell], blocks[0][i]);
          part.relative.cells[cell] = worse_of(part.relative.cells[cell], blocks[1][i]);
        }
      });
  for (const ErrorGrids& part : parts) {
    for (std::size_t i = 0; i < grids.absolute.cells.size(); ++i) {
      grids.absolute.cells[i] = worse_of(grids.absolute.cells[i], part.absolute.cells[i]);
      grids.relative.cells[i] = worse_of(grids.relative.cells[i], part.relative.cells[i]);
    }
  }
}

// The colours run from white through yellow and red to black.
std::string color_of(double heat) {
  constexpr std::array<std::array<double, 3>, 5> kStops = {
      {{255, 255, 255}, {255, 237, 160}, {254, 140, 60}, {200, 20, 40}, {40, 0, 20}}};
  const double place = heat * (kStops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const double share = place - static_cast<double>(low);
  std::string color = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    color += fmt::format("{:02x}", static_cast<int>(kStops[low][i] * (1 - share) + kStops[low + 1][i] * share));
  }
  return color;
}

constexpr int kShades = 16;
constexpr double kTop = 40;  // the upper left corner of the cells
constexpr double kLeft = 10;

// Draws squares of size `cell`. All cells of one colour form one path, which takes a fraction of the text that
// rectangles would. Returns whether an error is NaN.
bool draw_cells(Svg& svg, const ErrorGrid& grid, double cell) {
  std::vector<std::string> paths(kShades + 2);
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t column = 0; column < grid.columns; ++column) {
      const double error = grid.at(row, column);
      const std::size_t shade =
          std::isnan(error) ? kShades + 1 : static_cast<std::size_t>(std::lround(heat(grid, error) * kShades));
      if (shade == 0) continue;
      paths[shade] += fmt::format("M{:g} {:g}h{:g}v{:g}h-{:g}z", kLeft + cell * static_cast<double>(column),
                                  kTop + cell * static_cast<double>(row), cell, cell, cell);
    }
  }
  for (std::size_t shade = 1; shade < paths.size(); ++shade) {
    if (paths[shade].empty()) continue;
    svg.path(paths[shade], shade > kShades ? "#d000ff" : color_of(static_cast<double>(shade) / kShades));
  }
  return !paths.back().empty();
}

void draw_scale(Svg& svg, const ErrorGrid& grid, double x, bool has_nan) {
  for (int shade = 1; shade <= kShades; ++shade) {
    svg.rectangle(x, kTop + 100 - shade * 6, 14, 6, color_of(static_cast<double>(shade) / kShades), "none");
  }
  svg.text(x + 20, kTop + 12, fmt::format("{:.3g}", grid.max()));
  svg.text(x + 20, kTop + 100, fmt::format("{:.3g}", grid.least_positive()));
  svg.text(x, kTop + 118, "white: 0");
  if (has_nan) svg.text(x, kTop + 134, "violet: NaN");
}

}  // namespace

double ErrorGrid::max() const {
  double largest = 0;
  for (const double cell : cells) {
    if (std::isfinite(cell)) largest = std::max(largest, cell);
  }
  return largest;
}

double ErrorGrid::least_positive() const {
  double least = 0;
  for (const double cell : cells) {
    if (std::isfinite(cell) && cell > 0 && (least == 0 || cell < least)) least = cell;
  }
  return least;
}

ErrorGrids make_grids(const PairFacts& facts, std::size_t most_rows, std::size_t most_columns) {
  const ErrorGrid grid = empty_grid(facts, most_rows, most_columns);
  ErrorGrids grids{grid, grid};
  if (grid.cells.empty()) return grids;
  if (stats::fits_in_float(facts.first().type(), facts.second().type())) {
    fill<float>(facts, grids);
  } else {
    fill<double>(facts, grids);
  }
  return grids;
}

double heat(const ErrorGrid& grid, double error) {
  if (!(error > 0)) return 0;
  if (std::isinf(error)) return 1;
  const double least = std::log(grid.least_positive());
  const double most = std::log(grid.max());
  constexpr double kFaintest = 0.1;  // errors other than 0 are always visible
  if (most <= least) return 1;
  return kFaintest + (1 - kFaintest) * std::clamp((std::log(error) - least) / (most - least), 0.0, 1.0);
}

std::string layout_text(const ErrorGrid& grid) {
  return fmt::format("{} of {}", base::counted(grid.tensor_rows, "row"), base::counted(grid.tensor_columns, "element"));
}

std::string draw_text(const ErrorGrid& grid) {
  constexpr std::array<std::string_view, 5> kBlocks = {" ", "░", "▒", "▓", "█"};
  std::string text;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    if (row != 0) text += '\n';
    text += '|';
    for (std::size_t column = 0; column < grid.columns; ++column) {
      const double error = grid.at(row, column);
      text += std::isnan(error) ? "!" : kBlocks[static_cast<std::size_t>(std::ceil(heat(grid, error) * 4))];
    }
    text += '|';
  }
  return text;
}

std::string draw_svg(const ErrorGrid& grid, const std::string& title) {
  constexpr double kScaleWidth = 120;
  const double cell =
      std::clamp(512.0 / static_cast<double>(std::max({grid.rows, grid.columns, std::size_t{1}})), 2.0, 32.0);
  const double width = cell * static_cast<double>(grid.columns);
  const double height = cell * static_cast<double>(grid.rows);
  Svg svg(kLeft * 3 + std::max(width, 300.0) + kScaleWidth, kTop + std::max(height, 120.0) + 30);
  svg.text(kLeft, 20, title);
  svg.rectangle(kLeft, kTop, width, height, "none", "#888");
  const bool has_nan = draw_cells(svg, grid, cell);
  draw_scale(svg, grid, kLeft * 2 + std::max(width, 1.0), has_nan);
  svg.text(kLeft, kTop + std::max(height, 120.0) + 20, layout_text(grid) + "; a cell shows its largest error");
  return svg.finish();
}

}  // namespace assay::compare
