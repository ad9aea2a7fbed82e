// A stack trace has Python's form, the innermost frame last:
//     File "model.py", line 12, in forward
//       x = self.conv(x)
#include "model/source_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace assay::model {
namespace {

constexpr std::string_view kTrace = "pkg.torch.onnx.stack_trace";
constexpr std::size_t kWidestCode = 100;  // characters

struct Frame {
  std::string place;  // "model.py:12, in forward"
  std::string code;
  bool in_torch = false;
};

// Reads `File "model.py", line 12, in forward`.
std::optional<Frame> read_frame(std::string_view line) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kLine = "\", line ";
  if (!line.starts_with(kFile)) return std::nullopt;
  const std::size_t end = line.find(kLine);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view file = line.substr(kFile.size(), end - kFile.size());
  return Frame{.place = fmt::format("{}:{}", file, line.substr(end + kLine.size())),
               .code = {},
               .in_torch = file.starts_with("torch/") || file.find("/torch/") != std::string_view::npos};
}

std::vector<Frame> read_trace(std::string_view trace) {
  std::vector<Frame> frames;
  for (const std::string& whole : base::split(trace, '\n')) {
    const std::string_view line = base::trim(whole);
    if (auto frame = read_frame(line)) {
      frames.push_back(*std::move(frame));
    } else if (!frames.empty() && frames.back().code.empty()) {
      frames.back().code =
          line.size() > kWidestCode ? std::string(line.substr(0, kWidestCode)) + "..." : std::string(line);
    }
  }
  return frames;
}

}  // namespace

std::string source_line(const onnx::NodeProto& node) {
  const auto& metadata = node.metadata_props();
  const auto entry = std::ranges::find(metadata, kTrace, &onnx::StringStringEntryProto::key);
  if (entry == metadata.end()) return {};
  const std::vector<Frame> frames = read_trace(entry->value());
  if (frames.empty()) return {};
  const auto own = std::find_if_not(frames.rbegin(), frames.rend(), [](const Frame& frame) { return frame.in_torch; });
  const Frame& frame = own == frames.rend() ? frames.back() : *own;
  return frame.code.empty() ? frame.place : frame.place + ": " + frame.code;
}

std::string describe_with_source(const onnx::NodeProto& node, int index) {
  const std::string line = source_line(node);
  return line.empty() ? describe_node(node, index) : describe_node(node, index) + ", from " + line;
}

}  // namespace assay::model
