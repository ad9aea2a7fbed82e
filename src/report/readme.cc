#include "report/readme.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "base/shell_text.h"
#include "base/strings.h"
#include "compare/compare_options.h"
#include "report/list_nodes.h"
#include "report/program_engines.h"

namespace assay::report {
namespace {

constexpr std::size_t kListedNodes = 20;
constexpr std::string_view kRule =
    "(Assay picks the engine that fails while another runs; otherwise the first whose outputs differ from saved\n"
    "results or from the reference evaluator; otherwise the engine other than ONNX Runtime.)\n";

// Indents by four spaces, so that Markdown shows the text verbatim.
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
  std::string text = fmt::format("`model.onnx` has {} (operator set {}):\n\n", base::counted(graph.node_size(), "node"),
                                 model::default_opset(model.proto));
  for (const std::string& line : describe_nodes(model, kListedNodes)) text += "    " + line + "\n";
  return text;
}

std::string what_happens(const ReproInput& input) {
  std::string text = "## What happens\n\n";
  text += input.check.empty() ? "A person judged the model and found that it fails.\n"
                              : fmt::format("This command judged the model{}:\n\n    {}\n",
                                            input.ending.empty() ? "" : " (" + input.ending + ")", input.check);
  if (!input.output.empty()) {
    text += "\nThe end of its output (`check.txt` holds all that was kept of it):\n\n" + indented(input.output, 20);
  }
  if (!input.check_is_known) {
    if (!input.commands.empty()) {
      text += "\nTo run it on the model of this folder, in the folder in which Assay ran:\n\n" +
              indented(base::join(input.commands, "\n"), input.commands.size());
    }
    text += fmt::format(
        "\nThe programs here do not run that command. They load and run the model in {} and show what\n"
        "happens, which may look fine: the failure may be another engine's, or may occur in that command only.\n",
        engine_of(input).row.name);
  }
  if (!input.engine.why.empty()) {
    text += fmt::format("\nThe check runs several engines. The programs here use {}: {}.\n{}",
                        engine_of(input).row.name, input.engine.why, kRule);
  }
  if (!input.engine.unreached.empty()) {
    text += fmt::format(
        "\n{} fails on the model, but there are no programs for that engine. The programs here use {},\n"
        "which runs the model, so they don't show that failure.\n",
        input.engine.unreached, engine_of(input).row.name);
  }
  return text;
}

// Adds an option with the tolerances that aren't the default.
void add_tolerances(const compare::Setting& setting, const Tolerances& tolerances, std::vector<std::string>& words) {
  std::vector<std::string> values;
  for (const auto& [output, number] : tolerances) {
    if (!output.empty()) values.push_back(fmt::format("{}:{}", output, number));
    if (output.empty() && number != setting.default_value) values.push_back(fmt::format("{}", number));
  }
  if (values.empty()) return;
  words.emplace_back(setting.name);
  words.insert(words.end(), values.begin(), values.end());
}

// Returns the command that runs the engine on the folder's model and compares as the programs do.
std::vector<std::string> assay_command(const ReproInput& input) {
  const backend::EngineRow& engine = engine_of(input).row;
  std::vector<std::string> words = {"assay",         "run",        "model.onnx", std::string(engine.flag),
                                    "--load-inputs", "inputs.json"};
  const std::vector<std::string> settings = command_words(engine, input.engine.options);
  words.insert(words.end(), settings.begin(), settings.end());
  if (input.validate) words.emplace_back("--validate");
  if (input.expected.empty()) return words;
  words.insert(words.end(), {"--load-outputs", "expected_outputs.json"});
  add_tolerances(compare::kAbsoluteTolerance, input.absolute, words);
  add_tolerances(compare::kRelativeTolerance, input.relative, words);
  if (input.equal.infinities) words.emplace_back("--infinities-compare-equal");
  if (input.equal.nans) words.emplace_back("--nans-compare-equal");
  return words;
}

std::string how_to_use(const ReproInput& input) {
  const auto [engine, program] = engine_of(input);
  // Polygraphy may lack the engine's settings, and has no --nans-compare-equal.
  const bool in_polygraphy =
      engine.in_polygraphy && command_words(engine, input.engine.options).empty() && !input.equal.nans;
  std::string text =
      "## How to see it\n\n" + std::string(program.use) +
      "\nBoth programs exit with status 0 if nothing is wrong, 1 if the failure occurs, and 2 if it can't be\n"
      "tested. They crash if the engine does.\n\nWith Assay" +
      (in_polygraphy ? ", or with Polygraphy by its name" : "") + ":\n\n    " + base::shell_text(assay_command(input)) +
      "\n";
  return text;
}

std::string files(const ReadmeParts& parts) {
  const ReproInput& input = parts.input;
  std::string text = "## Files\n\n- `model.onnx`";
  if (parts.has_data_file) text += ", with its weights in `model.onnx.data`";
  text += "\n- `inputs.npz`, `inputs.json`: values for its inputs, " + input.inputs_from + "\n";
  if (!input.seen.empty()) text += "- `seen_outputs.npz`, `seen_outputs.json`: what the engine computed from them\n";
  if (!input.expected.empty()) {
    text +=
        "- `expected_outputs.npz`, `expected_outputs.json`: what the programs expect: " + input.expected_from + "\n";
  }
  for (const LoadedFile& file : parts.loaded_files) {
    text += fmt::format("- `{}`: {}{}\n", file.path, file.what,
                        file.is_copied ? "" : ", not copied: the dynamic loader finds it by its name");
  }
  return text +
         "- `reproduce.py`, `reproduce.cc`, `CMakeLists.txt`: the programs; `data/` holds the same values for them as\n"
         "  bytes\n- `check.txt`: the command that judged the model, and its output\n"
         "- `versions.txt`: versions of the software, and facts about the machine\n";
}

}  // namespace

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
