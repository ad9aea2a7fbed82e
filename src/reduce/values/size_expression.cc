#include "reduce/values/size_expression.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace assay::reduce {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 30;

std::vector<std::string> pieces(std::string_view text, char separator) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == separator) {
      result.emplace_back();
    } else if (c != ' ') {
      result.back() += c;
    }
  }
  return result;
}

std::optional<std::int64_t> as_number(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

bool is_expression(std::string_view symbol) {
  return symbol.find_first_of("+*") != std::string_view::npos;
}

std::vector<std::string> symbols_of(const std::string& symbol) {
  if (!is_expression(symbol)) return {symbol};
  std::vector<std::string> symbols;
  for (const std::string& term : pieces(symbol, '+')) {
    for (std::string& factor : pieces(term, '*')) {
      if (!as_number(factor)) symbols.push_back(std::move(factor));
    }
  }
  return symbols;
}

std::int64_t size_of_symbol(const std::string& symbol, const Sizes& sizes) {
  if (const auto known = sizes.find(symbol); known != sizes.end()) return known->second;
  if (!is_expression(symbol)) return 1;
  std::int64_t sum = 0;
  for (const std::string& term : pieces(symbol, '+')) {
    std::int64_t product = 1;
    for (const std::string& factor : pieces(term, '*')) {
      const auto number = as_number(factor);
      const auto known = sizes.find(factor);
      product *= number ? *number : known != sizes.end() ? known->second : 1;
      product = std::min(product, kLargest);
    }
    sum += product;
  }
  return sum;
}

}  // namespace assay::reduce
