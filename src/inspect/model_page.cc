// The drawing is SVG. Each node is a link to its text, which the style sheet shows only while the address ends in its
// name (:target), so that the page works without scripts, and from a file.
#include "inspect/model_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inspect/layout_graph.h"
#include "inspect/model_text.h"

namespace assay::inspect {
namespace {

// Sizes in pixels.
constexpr int kWidth = 170;
constexpr int kHeight = 36;
constexpr int kColumn = 200;
constexpr int kRow = 76;
constexpr int kMargin = 20;
constexpr std::size_t kNameLength = 24;  // characters that fit into a box

constexpr std::string_view kHead = R"(<meta charset="utf-8">
<style>
body { display: flex; margin: 0; height: 100vh; font: 13px sans-serif; }
main { flex: 2; overflow: auto; }
aside { flex: 1; overflow: auto; border-left: 1px solid #999; padding: 0 1em; }
aside pre.part { display: none; }
aside pre.part:target { display: block; }
rect { fill: #eef3fb; stroke: #5b7db1; }
.end rect { fill: #eaf6ea; stroke: #5f9f5f; rx: 16px; }
a:hover rect { stroke-width: 2.5; }
text { text-anchor: middle; }
.name { font-size: 10px; fill: #555; }
path { fill: none; stroke: #999; }
</style>
)";

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Cuts a text between characters, not inside one.
std::string shorten(const std::string& text) {
  if (text.size() <= kNameLength) return text;
  std::size_t end = kNameLength - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "\u2026";
}

// A box of the drawing: an input or output of the model, or a node.
struct Box {
  std::string title;
  std::string name;
  std::string text;                // shown when it is clicked
  bool is_end = false;             // an input or output
  std::vector<std::string> reads;  // tensors
};

void add_reads_of_bodies(const NodeDescription& node, std::vector<std::string>& reads) {
  for (const AttributeDescription& attribute : node.attributes) {
    const auto* bodies = std::get_if<std::vector<GraphDescription>>(&attribute.value);
    if (bodies == nullptr) continue;
    for (const GraphDescription& body : *bodies) {
      for (const NodeDescription& inner : body.nodes) {
        for (const ValueDescription& input : inner.inputs) reads.push_back(input.name);
        add_reads_of_bodies(inner, reads);
      }
    }
  }
}

class Page {
 public:
  Page(const GraphDescription& graph, const DescribeOptions& options) {
    for (const ValueDescription& input : graph.inputs) add_end("input", input, {});
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) add_node(graph.nodes[i], i, options);
    for (const ValueDescription& output : graph.outputs) add_end("output", output, {output.name});
    sources_.resize(boxes_.size());
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (const std::string& tensor : boxes_[i].reads) add_edge(tensor, i);
    }
    spots_ = layout_graph(sources_);
  }

  [[nodiscard]] std::string drawing() const {
    int width = 0;
    int height = 0;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      width = std::max(width, left(i) + kWidth + kMargin);
      height = std::max(height, top(i) + kHeight + kMargin);
    }
    std::string svg =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n", width, height);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (const std::size_t source : sources_[i]) svg += edge(source, i);
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) svg += box(i);
    return svg + "</svg>\n";
  }

  [[nodiscard]] std::string texts() const {
    std::string html;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      html += fmt::format("<pre class=\"part\" id=\"b{}\">{}</pre>\n", i, escape(boxes_[i].text));
    }
    return html;
  }

 private:
  void add_end(std::string_view kind, const ValueDescription& value, std::vector<std::string> reads) {
    if (reads.empty()) producers_.emplace(value.name, boxes_.size());
    boxes_.push_back(
        {std::string(kind), value.name, fmt::format("{}\n{}", kind, values_text({value})), true, std::move(reads)});
  }

  void add_node(const NodeDescription& node, std::size_t index, const DescribeOptions& options) {
    Box box{node.op_type, node.name, node_text(node, index, options), false, {}};
    for (const ValueDescription& input : node.inputs) box.reads.push_back(input.name);
    add_reads_of_bodies(node, box.reads);
    for (const ValueDescription& output : node.outputs) producers_.emplace(output.name, boxes_.size());
    boxes_.push_back(std::move(box));
  }

  void add_edge(const std::string& tensor, std::size_t target) {
    const auto producer = producers_.find(tensor);
    if (producer == producers_.end() || producer->second == target) return;
    std::vector<std::size_t>& sources = sources_[target];
    if (std::ranges::find(sources, producer->second) == sources.end()) sources.push_back(producer->second);
  }

  [[nodiscard]] int left(std::size_t i) const { return kMargin + static_cast<int>(spots_[i].column * kColumn); }
  [[nodiscard]] int top(std::size_t i) const { return kMargin + static_cast<int>(spots_[i].row) * kRow; }

  [[nodiscard]] std::string edge(std::size_t from, std::size_t to) const {
    const int x1 = left(from) + kWidth / 2;
    const int y1 = top(from) + kHeight;
    const int x2 = left(to) + kWidth / 2;
    const int y2 = top(to);
    return fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\"/>\n", x1, y1, x1, y1 + kHeight, x2, y2 - kHeight, x2, y2);
  }

  [[nodiscard]] std::string box(std::size_t i) const {
    const Box& box = boxes_[i];
    const int x = left(i);
    const int y = top(i);
    return fmt::format(
        "<a href=\"#b{}\"{}><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>"
        "<text x=\"{}\" y=\"{}\">{}</text><text class=\"name\" x=\"{}\" y=\"{}\">{}</text></a>\n",
        i, box.is_end ? " class=\"end\"" : "", escape(box.name), x, y, kWidth, kHeight, x + kWidth / 2, y + 16,
        escape(shorten(box.title)), x + kWidth / 2, y + 29, escape(shorten(box.name)));
  }

  std::vector<Box> boxes_;
  std::vector<std::vector<std::size_t>> sources_;
  std::vector<Spot> spots_;
  std::unordered_map<std::string, std::size_t> producers_;  // by tensor
};

}  // namespace

std::string to_page(const ModelDescription& model, const DescribeOptions& options) {
  const Page page(model.graph, options);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>{}</title>\n{}</head>\n<body>\n<main>\n{}</main>\n<aside>\n"
      "<pre>{}</pre>\n{}</aside>\n</body>\n</html>\n",
      escape(model.graph.name), kHead, page.drawing(), escape(to_text(model, {})), page.texts());
}

}  // namespace assay::inspect
