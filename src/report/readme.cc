#include "report/readme.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/strings.h"

namespace assay::report {
namespace {

constexpr int kListedNodes = 20;

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./:=,+@%{}").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Behind four blanks, so that nothing in it is Markdown.
std::string indented(std::string_view text, std::size_t most_lines) {
  const std::vector<std::string> lines = base::split(base::trim(text), '\n');
  std::string result;
  for (std::size_t i = lines.size() > most_lines ? lines.size() - most_lines : 0; i < lines.size(); ++i) {
    result += "    " + lines[i] + "\n";
  }
  return result;
}

std::string nodes_of(const model::Model& model) {
  const onnx::GraphProto& graph = model.graph();
  std::string text = fmt::format("`model.onnx` has {} node{} (operator set {}):\n\n", graph.node_size(),
                                 graph.node_size() == 1 ? "" : "s", model::default_opset(model.proto));
  for (int i = 0; i < std::min(graph.node_size(), kListedNodes); ++i) {
    text += "    " + model::describe_node(graph.node(i), i) + "\n";
  }
  return text + (graph.node_size() > kListedNodes ? "    ...\n" : "");
}

std::string what_happens(const ReproInput& input) {
  std::string text = "## What happens\n\n";
  text += input.check.empty() ? "A person judged the model, and found that it fails.\n"
                              : fmt::format("This command judged the model; it ended with: {}\n\n    {}\n",
                                            input.ending, shell_words(input.check));
  if (!input.output.empty()) {
    text += "\nThe end of what it wrote (all that is kept of it: `check.txt`):\n\n" + indented(input.output, 20);
  }
  if (!input.check_is_known) {
    text +=
        "\nThe programs here do not run that command. They load and run the model in ONNX Runtime and show what comes\n"
        "of it, which may be nothing wrong: the failure may be another engine's, or may show in that command alone.\n";
  }
  return text;
}

std::string how_to_use(const ReproInput& input) {
  std::string text =
      "## How to see it\n\n"
      "In Python, with the packages `onnxruntime` and `numpy`:\n\n    python3 reproduce.py\n\n"
      "In C++, with an ONNX Runtime release unpacked in `$ORT`:\n\n"
      "    g++ -std=c++17 reproduce.cc -I$ORT/include -L$ORT/lib -lonnxruntime -Wl,-rpath,$ORT/lib -o reproduce\n"
      "    ./reproduce\n\n"
      "or `cmake -B build -D ONNXRUNTIME_ROOT=$ORT && cmake --build build && build/reproduce`.\n\n"
      "Both end with 0 where nothing is wrong, with 1 where the failure is there, with 2 where it cannot be tried, "
      "and\n"
      "crash where the engine does.\n\n"
      "With Assay (or Polygraphy, by its name):\n\n    assay run model.onnx --onnxrt --load-inputs inputs.json";
  text += input.expected.empty() ? "\n" : " --load-outputs expected_outputs.json\n";
  return text;
}

std::string files(const ReadmeParts& parts) {
  const ReproInput& input = parts.input;
  std::string text = "## What is here\n\n- `model.onnx`";
  if (parts.has_data_file) text += ", with its weights in `model.onnx.data`";
  text += "\n- `inputs.npz`, `inputs.json`: values for its inputs, " + input.inputs_from + "\n";
  if (!input.seen.empty()) text += "- `seen_outputs.npz`, `seen_outputs.json`: what the engine computed from them\n";
  if (!input.expected.empty()) {
    text += "- `expected_outputs.npz`, `expected_outputs.json`: what should come out: " + input.expected_from + "\n";
  }
  return text +
         "- `reproduce.py`, `reproduce.cc`, `CMakeLists.txt`: the programs; `data/` holds the same values for them as\n"
         "  bytes\n- `check.txt`: the command that judged the model, and what it wrote\n"
         "- `versions.txt`: of the programs and of the machine\n";
}

}  // namespace

std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string readme(const ReadmeParts& parts) {
  const ReproInput& input = parts.input;
  std::string text = "# A model that fails\n\n";
  if (!input.summary.empty()) text += input.summary + "\n\n";
  text += nodes_of(input.model) + "\n" + what_happens(input) + "\n" + how_to_use(input) + "\n" + files(parts);
  text += "\n## Versions\n\n";
  for (const auto& [name, version] : input.versions) text += fmt::format("- {}: {}\n", name, version);
  return text + "\nMade by Assay.\n";
}

}  // namespace assay::report
