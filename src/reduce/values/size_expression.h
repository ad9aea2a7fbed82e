// Symbols of dimensions that are sums or products of others, as exporters of language models write them:
// "past_length + length". Their sizes follow from those of the others. There are no parentheses, since no exporter was
// seen to need them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

using Sizes = std::map<std::string, std::int64_t>;  // by symbol

bool is_expression(std::string_view symbol);
// Returns the symbols of which an expression consists, or a plain symbol itself.
std::vector<std::string> symbols_of(const std::string& symbol);
// Returns the size of a symbol, at most 2^30 for each product in it. Symbols without a known size count as 1. `sizes`
// may also give the size of the expression as a whole.
std::int64_t size_of_symbol(const std::string& symbol, const Sizes& sizes);

}  // namespace assay::reduce
