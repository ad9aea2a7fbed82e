// OpenVINO frames the reason by lines that name functions and files. Operators that it doesn't know are listed at the
// end; for an operator that it can't convert, a line with its name is before the reason.
//
// ONNX Runtime begins with "[ONNXRuntimeError] : 1 : FAIL : Load model from m.onnx failed:". Errors that its code
// throws continue with the place, which can be longer than the reason: a file, a line, and the function with all types
// of its parameters, as in "/src/onnxruntime/core/graph/model.cc:256 onnxruntime::Model::Model(int&&, bool) const ".
#include "worker/telling_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "base/strings.h"

namespace assay::worker {
namespace {

constexpr std::string_view kStart = "Exception from ";
constexpr std::array<std::string_view, 7> kFraming = {
    kStart,     "Check '",          "FrontEnd API failed", "Loading input model", "Model wasn't fully",
    "Summary:", "While validating "};
constexpr std::string_view kItem = "-- ";
constexpr std::string_view kBeforeReason = " with a message:";

bool is_framing(std::string_view line) {
  return line.empty() || line.ends_with(kBeforeReason) ||
         std::ranges::any_of(kFraming, [&](auto start) { return line.starts_with(start); });
}

// Removes "[ONNXRuntimeError] : 1 : FAIL : ".
void remove_code(std::string& text) {
  constexpr std::string_view kSeparator = " : ";
  const std::size_t begin = text.find("[ONNXRuntimeError] : ");
  if (begin == std::string::npos) return;
  std::size_t end = begin;
  for (int i = 0; i < 3; ++i) {
    end = text.find(kSeparator, end);
    if (end == std::string::npos) return;
    end += kSeparator.size();
  }
  text.erase(begin, end - begin);
}

// Removes "Load model from m.onnx failed:".
void remove_file(std::string& text) {
  constexpr std::string_view kEnd = " failed:";
  const std::size_t begin = text.find("Load model from ");
  const std::size_t end = begin == std::string::npos ? begin : text.find(kEnd, begin);
  if (end != std::string::npos) text.erase(begin, end + kEnd.size() - begin);
}

// Returns where the signature of a function ends, which begins at `at`: at the first space after its parameters that
// is outside of all brackets. Returns nothing if it doesn't end.
std::optional<std::size_t> end_of_signature(std::string_view text, std::size_t at) {
  int depth = 0;
  bool has_parameters = false;
  for (; at < text.size(); ++at) {
    if (std::string_view("([<{").find(text[at]) != std::string_view::npos) ++depth;
    if (std::string_view(")]>}").find(text[at]) != std::string_view::npos) --depth;
    has_parameters = has_parameters || text[at] == ')';
    if (text[at] != ' ' || depth != 0 || !has_parameters) continue;
    const std::string_view rest = text.substr(at + 1);
    if (!rest.starts_with("const ") && !rest.starts_with("[with ")) return at;
  }
  return std::nullopt;
}

// Removes "/src/onnxruntime/core/graph/model.cc:256 onnxruntime::Model::Model(int&&, bool) const ".
void remove_place(std::string& text) {
  const std::size_t folder = text.find("/onnxruntime/core/");
  if (folder == std::string::npos) return;
  const std::size_t space = text.rfind(' ', folder);
  const std::size_t begin = space == std::string::npos ? 0 : space + 1;
  const std::size_t function = text.find(' ', folder);
  if (function == std::string::npos || std::isdigit(static_cast<unsigned char>(text[function - 1])) == 0) return;
  if (const auto end = end_of_signature(text, function + 1)) text.erase(begin, *end + 1 - begin);
}

}  // namespace

std::string without_origin(std::string_view message) {
  std::string text(message);
  remove_code(text);
  remove_file(text);
  remove_place(text);
  return text;
}

std::string telling_line(std::string_view message) {
  const std::vector<std::string> lines = base::split(message, '\n');
  const std::size_t start = lines.front().find(kStart);
  if (start == std::string::npos && !is_framing(lines.front())) return without_origin(lines.front());
  const auto telling = std::find_if_not(lines.begin() + 1, lines.end(), is_framing);
  if (telling == lines.end()) return lines.front();
  const std::string_view reason = *telling;
  const std::string_view before = std::string_view(lines.front()).substr(0, start == std::string::npos ? 0 : start);
  return std::string(before) + std::string(reason.substr(reason.starts_with(kItem) ? kItem.size() : 0));
}

}  // namespace assay::worker
