// Rules for operators that move values, or reduce them along axes: dimensions follow the axes.
#include <algorithm>
#include <array>
#include <utility>

#include "reduce/passes/dimensions/dimension_site.h"

namespace assay::reduce {
namespace {

std::vector<bool> marked(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<bool> marks(rank, false);
  for (std::int64_t axis : axes) {
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    if (axis >= 0 && std::cmp_less(axis, rank)) marks[static_cast<std::size_t>(axis)] = true;
  }
  return marks;
}

bool first_input_kept(DimensionSite& site) {
  for (const std::string& out : site.node.output()) {
    if (!out.empty()) join_same(site, site.in(0), out);
  }
  site.fix_inputs_from(1);
  return true;
}

bool concat(DimensionSite& site) {
  for (const std::string& in : site.node.input()) {
    if (in.empty()) return false;
    join_same(site, in, site.out());
  }
  const auto rank = static_cast<std::int64_t>(site.rank(site.out()));
  const std::int64_t axis = site.integer("axis", 1);
  const auto summed = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  for (const std::string& in : site.node.input()) site.dims.fix(in, summed);
  return true;
}

bool transpose(DimensionSite& site) {
  const auto permutation = integers_of(site, "perm", site.node.input_size());
  const std::size_t rank = site.rank(site.in(0));
  if (permutation && permutation->size() != rank) return false;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from = permutation ? static_cast<std::size_t>((*permutation)[i]) : rank - 1 - i;
    site.dims.join(site.in(0), from, site.out(), i);
  }
  return true;
}

// `wide` has the dimensions of `narrow` and, in addition, those that are marked.
void join_unmarked(DimensionSite& site, const std::string& wide, const std::string& narrow,
                   const std::vector<bool>& marks) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) site.dims.join(wide, i, narrow, at++);
  }
}

bool squeeze(DimensionSite& site) {
  const auto axes = integers_of(site, "axes", 1);
  if (!axes) return false;
  site.fix_inputs_from(1);
  join_unmarked(site, site.in(0), site.out(), marked(*axes, site.rank(site.in(0))));
  return true;
}

bool unsqueeze(DimensionSite& site) {
  const auto axes = integers_of(site, "axes", 1);
  if (!axes) return false;
  site.fix_inputs_from(1);
  join_unmarked(site, site.out(), site.in(0), marked(*axes, site.rank(site.out())));
  return true;
}

bool reduce(DimensionSite& site) {
  const auto axes = integers_of(site, "axes", 1);
  if (!axes) return !site.has_input(1) && site.rank(site.out()) == 0;
  site.fix_inputs_from(1);
  const std::vector<bool> marks = marked(*axes, site.rank(site.in(0)));
  if (site.integer("keepdims", 1) == 0) {
    join_unmarked(site, site.in(0), site.out(), marks);
  } else {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (!marks[i]) site.dims.join(site.in(0), i, site.out(), i);
    }
  }
  return true;
}

bool gather(DimensionSite& site) {
  const auto rank = static_cast<std::int64_t>(site.rank(site.in(0)));
  std::int64_t axis = site.integer("axis", 0);
  if (axis < 0) axis += rank;
  const auto at = static_cast<std::size_t>(axis);
  const std::size_t indices = site.rank(site.in(1));
  site.dims.fix(site.in(0), at);
  for (std::size_t i = 0; i < site.rank(site.in(0)); ++i) {
    if (i != at) site.dims.join(site.in(0), i, site.out(), i < at ? i : i + indices - 1);
  }
  for (std::size_t i = 0; i < indices; ++i) site.dims.join(site.in(1), i, site.out(), at + i);
  return true;
}

bool flatten(DimensionSite& site) {
  const bool batch = site.integer("axis", 1) == 1;
  if (batch) site.dims.join(site.in(0), 0, site.out(), 0);
  for (std::size_t i = batch ? 1 : 0; i < site.rank(site.in(0)); ++i) site.dims.fix(site.in(0), i);
  for (std::size_t i = batch ? 1 : 0; i < 2; ++i) site.dims.fix(site.out(), i);
  return true;
}

std::int64_t product(const Dimensions::Shape& shape, std::size_t end) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < end; ++i) result *= shape[i];
  return result;
}

// Sizes that the shape leaves open (0 copies one, -1 is computed) can follow the input; all others are fixed.
bool reshape(DimensionSite& site) {
  const auto wanted = integers_of(site, "shape", 1);
  if (!wanted || site.integer("allowzero", 0) != 0) return false;
  const Dimensions::Shape& from = site.shape(site.in(0));
  const Dimensions::Shape& to = site.shape(site.out());
  if (wanted->size() != to.size()) return false;
  std::vector<bool> follows_in(from.size(), false), follows_out(to.size(), false);
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (std::size_t j = 0; j < from.size() && (*wanted)[i] < 1 && !follows_out[i]; ++j) {
      const bool copies = (*wanted)[i] == 0 && i == j;
      const bool is_left = (*wanted)[i] == -1 && from[j] == to[i] && product(from, j) == product(to, i);
      if (!copies && !is_left) continue;
      site.dims.join(site.in(0), j, site.out(), i);
      follows_in[j] = follows_out[i] = true;
    }
  }
  for (std::size_t j = 0; j < from.size(); ++j) {
    if (!follows_in[j]) site.dims.fix(site.in(0), j);
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!follows_out[i]) site.dims.fix(site.out(), i);
  }
  site.fix_inputs_from(1);
  return true;
}

}  // namespace

std::span<const DimensionRow> layout_dimensions() {
  static constexpr std::array kRows = {
      DimensionRow{"Concat", 1, concat},          DimensionRow{"Flatten", 1, flatten},
      DimensionRow{"Gather", 2, gather},          DimensionRow{"Pad", 1, first_input_kept},
      DimensionRow{"ReduceL1", 1, reduce},        DimensionRow{"ReduceL2", 1, reduce},
      DimensionRow{"ReduceLogSum", 1, reduce},    DimensionRow{"ReduceLogSumExp", 1, reduce},
      DimensionRow{"ReduceMax", 1, reduce},       DimensionRow{"ReduceMean", 1, reduce},
      DimensionRow{"ReduceMin", 1, reduce},       DimensionRow{"ReduceProd", 1, reduce},
      DimensionRow{"ReduceSum", 1, reduce},       DimensionRow{"ReduceSumSquare", 1, reduce},
      DimensionRow{"Reshape", 1, reshape},        DimensionRow{"Slice", 1, first_input_kept},
      DimensionRow{"Split", 1, first_input_kept}, DimensionRow{"Squeeze", 1, squeeze},
      DimensionRow{"Transpose", 1, transpose},    DimensionRow{"Unsqueeze", 1, unsqueeze},
  };
  return kRows;
}

}  // namespace assay::reduce
