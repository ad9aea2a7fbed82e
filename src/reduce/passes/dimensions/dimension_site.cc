#include "reduce/passes/dimensions/dimension_site.h"

#include <algorithm>

#include "reduce/candidates/constants.h"

namespace assay::reduce {

std::optional<std::vector<std::int64_t>> integers_of(const DimensionSite& site, std::string_view attribute, int input) {
  if (const onnx::AttributeProto* found = find_attribute(site.node, attribute)) {
    return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
  }
  return site.has_input(input) ? find_integers(site.graph, site.in(input)) : std::nullopt;
}

void join_broadcast(DimensionSite& site, const std::string& in, const std::string& out, std::size_t skip_in,
                    std::size_t skip_out) {
  const Dimensions::Shape& from = site.shape(in);
  const Dimensions::Shape& to = site.shape(out);
  for (std::size_t i = skip_in, j = skip_out; i < from.size() && j < to.size(); ++i, ++j) {
    const std::size_t a = from.size() - 1 - i, b = to.size() - 1 - j;
    if (from[a] != 1 || to[b] == 1) site.dims.join(in, a, out, b);
  }
}

void join_same(DimensionSite& site, const std::string& in, const std::string& out) {
  for (std::size_t i = 0; i < std::max(site.rank(in), site.rank(out)); ++i) site.dims.join(in, i, out, i);
}

}  // namespace assay::reduce
