// Where in a tensor the errors are, as a picture of bounded size: the tensor seen as rows and columns, each cell the
// largest error of the elements that fall into it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/pair_facts.h"

namespace assay::compare {

struct ErrorGrid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::uint64_t tensor_rows = 0;  // how the tensor is seen: so many rows of so many elements
  std::uint64_t tensor_columns = 0;
  std::vector<double> cells;  // row by row; NaN where an error is no number, -1 for a cell without elements

  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
  [[nodiscard]] double max() const;             // of the finite ones; 0 where there is none
  [[nodiscard]] double least_positive() const;  // 0 where there is none
};

struct ErrorGrids {
  ErrorGrid absolute;
  ErrorGrid relative;
};

// At most so many rows and columns. The tensor's axes are split into rows and columns where that gives the squarest
// picture; one axis alone is broken into rows like text.
ErrorGrids make_grids(const PairFacts& facts, std::size_t most_rows, std::size_t most_columns);

// 0 for no error, else in (0, 1]: how large it is between the least and the largest of the grid, by its logarithm.
double heat(const ErrorGrid& grid, double error);

// A line of text for each row, in five shades; '!' where an error is no number.
std::string draw_text(const ErrorGrid& grid);
// An SVG picture with a scale.
std::string draw_svg(const ErrorGrid& grid, const std::string& title);

}  // namespace assay::compare
