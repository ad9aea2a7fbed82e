// Rules for layers, in which sizes of weights follow those of the data. Dimensions over which windows slide are fixed,
// and so are scales whose relation to the data isn't one axis.
#include <array>

#include "reduce/passes/dimensions/dimension_site.h"

namespace assay::reduce {
namespace {

bool matmul(DimensionSite& site, const std::string& a, const std::string& b) {
  const std::size_t rank_a = site.rank(a), rank_b = site.rank(b), rank_out = site.rank(site.out());
  if (rank_a == 0 || rank_b == 0) return false;
  site.dims.join(a, rank_a - 1, b, rank_b == 1 ? 0 : rank_b - 2);
  if (rank_a > 1) site.dims.join(a, rank_a - 2, site.out(), rank_out - (rank_b > 1 ? 2 : 1));
  if (rank_b > 1) site.dims.join(b, rank_b - 1, site.out(), rank_out - 1);
  const std::size_t own = (rank_a > 1 ? 1U : 0U) + (rank_b > 1 ? 1U : 0U);
  if (rank_a > 2) join_broadcast(site, a, site.out(), 2, own);
  if (rank_b > 2) join_broadcast(site, b, site.out(), 2, own);
  return true;
}

bool matmul_float(DimensionSite& site) {
  return matmul(site, site.in(0), site.in(1));
}

bool gemm(DimensionSite& site) {
  const std::size_t row = site.integer("transA", 0) != 0 ? 1 : 0;
  const std::size_t column = site.integer("transB", 0) != 0 ? 0 : 1;
  site.dims.join(site.in(0), 1 - row, site.in(1), 1 - column);
  site.dims.join(site.in(0), row, site.out(), 0);
  site.dims.join(site.in(1), column, site.out(), 1);
  if (site.has_input(2)) join_broadcast(site, site.in(2), site.out());
  return true;
}

// Windows slide over all dimensions except batch and channels.
void fix_spatial(DimensionSite& site, const std::string& tensor) {
  for (std::size_t i = 2; i < site.rank(tensor); ++i) site.dims.fix(tensor, i);
}

bool convolve(DimensionSite& site, const std::string& weight, std::size_t out_axis, const std::string* bias) {
  fix_spatial(site, site.in(0));
  fix_spatial(site, site.out());
  fix_spatial(site, weight);
  site.dims.join(site.in(0), 0, site.out(), 0);
  if (site.integer("group", 1) != 1) {
    for (const std::string& tensor : {site.in(0), site.out()}) site.dims.fix(tensor, 1);
    site.dims.fix(weight);
    if (bias != nullptr) site.dims.fix(*bias);
    return true;
  }
  site.dims.join(site.in(0), 1, weight, 1 - out_axis);
  site.dims.join(site.out(), 1, weight, out_axis);
  if (bias != nullptr) site.dims.join(*bias, 0, weight, out_axis);
  return true;
}

bool conv(DimensionSite& site) {
  return convolve(site, site.in(1), 0, site.has_input(2) ? &site.in(2) : nullptr);
}

bool conv_transpose(DimensionSite& site) {
  return convolve(site, site.in(1), 1, site.has_input(2) ? &site.in(2) : nullptr);
}

// Scales and zero points: one for the whole tensor, or one for each index of an axis.
void per_axis(DimensionSite& site, int parameter, const std::string& tensor, std::size_t axis) {
  if (!site.has_input(parameter)) return;
  const Dimensions::Shape& shape = site.shape(site.in(parameter));
  if (shape.size() > 1) {
    site.dims.fix(site.in(parameter));
    site.dims.fix(tensor);
  } else if (shape.size() == 1 && shape[0] != 1) {
    site.dims.join(site.in(parameter), 0, tensor, axis);
  }
}

bool quantize(DimensionSite& site) {
  const auto rank = static_cast<std::int64_t>(site.rank(site.in(0)));
  const std::int64_t axis = site.integer("axis", 1);
  for (const int parameter : {1, 2}) {
    per_axis(site, parameter, site.in(0), static_cast<std::size_t>(axis < 0 ? axis + rank : axis));
  }
  join_same(site, site.in(0), site.out());
  return true;
}

bool quantized_conv(DimensionSite& site) {
  for (const int parameter : {4, 5}) per_axis(site, parameter, site.in(3), 0);
  for (const int parameter : {1, 2, 6, 7}) site.dims.fix(site.in(parameter));
  return convolve(site, site.in(3), 0, site.has_input(8) ? &site.in(8) : nullptr);
}

bool pool(DimensionSite& site) {
  for (const std::string& out : site.node.output()) {
    if (out.empty()) continue;
    for (const std::size_t axis : {0U, 1U}) site.dims.join(site.in(0), axis, out, axis);
    fix_spatial(site, out);
  }
  fix_spatial(site, site.in(0));
  return true;
}

bool normalize_channels(DimensionSite& site) {
  join_same(site, site.in(0), site.out());
  for (int i = 1; i < site.node.input_size(); ++i) site.dims.join(site.in(i), 0, site.in(0), 1);
  for (int i = 1; i < site.node.output_size(); ++i) site.dims.fix(site.out(i));
  return site.node.output_size() == 1;
}

bool normalize_layer(DimensionSite& site) {
  join_same(site, site.in(0), site.out());
  for (int i = 1; i < site.node.input_size(); ++i) {
    if (site.has_input(i)) join_broadcast(site, site.in(i), site.out());
  }
  return site.node.output_size() == 1;
}

}  // namespace

std::span<const DimensionRow> layer_dimensions() {
  static constexpr std::array kRows = {
      DimensionRow{"AveragePool", 1, pool},
      DimensionRow{"BatchNormalization", 1, normalize_channels},
      DimensionRow{"Conv", 2, conv},
      DimensionRow{"ConvTranspose", 2, conv_transpose},
      DimensionRow{"DequantizeLinear", 1, quantize},
      DimensionRow{"Gemm", 2, gemm},
      DimensionRow{"GlobalAveragePool", 1, pool},
      DimensionRow{"GlobalMaxPool", 1, pool},
      DimensionRow{"InstanceNormalization", 1, normalize_channels},
      DimensionRow{"LayerNormalization", 1, normalize_layer},
      DimensionRow{"MatMul", 2, matmul_float},
      DimensionRow{"MaxPool", 1, pool},
      DimensionRow{"QLinearConv", 8, quantized_conv},
      DimensionRow{"QuantizeLinear", 1, quantize},
  };
  return kRows;
}

}  // namespace assay::reduce
