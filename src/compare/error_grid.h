// A picture of bounded size that shows where in a tensor the errors are: the tensor is laid out as rows and columns,
// and each cell shows the largest error of the elements in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/pair_facts.h"

namespace assay::compare {

struct ErrorGrid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::uint64_t tensor_rows = 0;  // the tensor is laid out as tensor_rows by tensor_columns elements
  std::uint64_t tensor_columns = 0;
  std::vector<double> cells;  // row by row; NaN if an error is NaN, -1 for a cell without elements

  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
  [[nodiscard]] double max() const;             // largest finite error; 0 if there is none
  [[nodiscard]] double least_positive() const;  // smallest finite error above 0; 0 if there is none
};

struct ErrorGrids {
  ErrorGrid absolute;
  ErrorGrid relative;
};

// Returns grids of at most so many rows and columns. The tensor's axes are split into rows and columns such that the
// picture is as square as possible; a single axis is broken into rows like text.
ErrorGrids make_grids(const PairFacts& facts, std::size_t most_rows, std::size_t most_columns);

// Returns 0 for no error, else a number in (0, 1]: the place of the error between the smallest and the largest of the
// grid on a logarithmic scale.
double heat(const ErrorGrid& grid, double error);

// Says how the tensor is laid out: "1 row of 10 elements".
std::string layout_text(const ErrorGrid& grid);
// Draws a line of text for each row, in five shades; '!' marks NaN.
std::string draw_text(const ErrorGrid& grid);
// Draws an SVG picture with a scale.
std::string draw_svg(const ErrorGrid& grid, const std::string& title);

}  // namespace assay::compare
