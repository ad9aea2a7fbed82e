// Works in two steps: formats every element that will be shown as a word (element_words.h), then lays the words out in
// rows. The width of a word depends on all words, so none can be placed before all are known.
#include "tensor/format_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "tensor/element_words.h"

namespace assay::tensor {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kMaxRank = 64;  // numpy's limit; a file may declare any rank

// Returns the positions to show along one dimension; kGap stands for "...".
constexpr std::int64_t kGap = -1;
std::vector<std::int64_t> shown_positions(std::int64_t length, bool shortened, std::size_t edge) {
  std::vector<std::int64_t> positions;
  const auto ends = static_cast<std::int64_t>(edge);
  for (std::int64_t i = 0; i < length; ++i) {
    if (shortened && length > 2 * ends && i == ends) {
      positions.push_back(kGap);
      i = length - ends;
      if (i == length) break;
    }
    positions.push_back(i);
  }
  return positions;
}

// Every bracket takes a column. A line that has none left still gets an element.
std::size_t one_less(std::size_t width) {
  return width == 0 ? 0 : width - 1;
}

// Counts the characters, not bytes, of a UTF-8 text.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

// Lays words out in brackets and rows. collect() and format() visit the elements in the same order.
class Formatter {
 public:
  Formatter(const Tensor& tensor, const ArrayLayout& layout)
      : shape_(tensor.shape()), layout_(layout), shortened_(tensor.size() > layout.threshold) {
    collect(0, 0);
    words_ = element_words(tensor, indices_, layout.precision);
  }

  std::string text() { return format(0, layout_.line_width); }

 private:
  void collect(std::size_t axis, std::uint64_t index) {
    if (axis == shape_.size()) {
      indices_.push_back(index);
      return;
    }
    for (const std::int64_t position : shown_positions(shape_[axis], shortened_, layout_.edge_items)) {
      if (position == kGap) continue;
      collect(axis + 1, index * static_cast<std::uint64_t>(shape_[axis]) + static_cast<std::uint64_t>(position));
    }
  }

  std::string format(std::size_t axis, std::size_t width) {
    const std::string margin(axis + 1, ' ');  // aligns with the first character after the brackets
    const auto positions = shown_positions(shape_[axis], shortened_, layout_.edge_items);
    return axis + 1 == shape_.size() ? row(positions, margin, one_less(width)) : block(positions, margin, axis, width);
  }

  // Formats the innermost dimension: words separated by spaces, wrapped when a line is full.
  std::string row(const std::vector<std::int64_t>& positions, const std::string& margin, std::size_t width) {
    std::string text;
    std::string line = margin;
    std::size_t used = margin.size();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::string word = positions[i] == kGap ? "..." : words_[next_++];
      if (used + width_of(word) > width && used > margin.size()) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        line = margin;
        used = margin.size();
      }
      line += word;
      used += width_of(word);
      if (i + 1 < positions.size()) {
        line += ' ';
        ++used;
      }
    }
    text += line;
    return "[" + text.substr(margin.size()) + "]";
  }

  std::string block(const std::vector<std::int64_t>& positions, const std::string& margin, std::size_t axis,
                    std::size_t width) {
    const std::string breaks(shape_.size() - axis - 1, '\n');
    std::string text = "[";
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (i > 0) text += breaks + margin;
      text += positions[i] == kGap ? "..." : format(axis + 1, one_less(width));
    }
    return text + "]";
  }

  const Shape& shape_;
  const ArrayLayout& layout_;
  bool shortened_;
  std::vector<std::uint64_t> indices_;
  Words words_;
  std::size_t next_ = 0;
};

}  // namespace

std::string format_array(const Tensor& tensor, const ArrayLayout& layout) {
  if (tensor.size() == 0) return "[]";
  if (tensor.shape().empty()) return single_text(tensor);
  if (tensor.shape().size() > kMaxRank) return fmt::format("<{} dimensions>", tensor.shape().size());
  return Formatter(tensor, layout).text();
}

}  // namespace assay::tensor
