// Writes synthetic reports for the tests in a browser: page_samples FOLDER. small.html has every section, plain.html
// has no views, hostile.html has names that try to become markup, nodes_5000.html and nodes_50000.html are large,
// flat_5000.html has no name scopes and has errors of unknown origin, and odd.html has edges of rare kinds.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <numbers>

#include "report/page/page.h"

namespace {

using namespace assay::report;

// Builds a graph node by node; each node reads what the one before it computed.
class GraphMaker {
 public:
  explicit GraphMaker(std::string prefix) : prefix_(std::move(prefix)) {}

  std::int32_t tensor(PageTensor tensor) {
    graph.tensors.push_back(std::move(tensor));
    return static_cast<std::int32_t>(graph.tensors.size()) - 1;
  }

  std::int32_t value(const std::string& name, PageTensor::Role role = PageTensor::Role::value) {
    return tensor({.name = prefix_ + name, .type = "float32", .shape = "[1, 128, 768]", .role = role});
  }

  // Adds a node with one output, whose error follows from the position in the graph.
  std::int32_t node(const std::string& name, const std::string& op_type, std::vector<std::int32_t> inputs) {
    const std::int32_t output = value(name + "_output_0");
    PageTensor& computed = graph.tensors.back();
    measure(computed, op_type);
    graph.nodes.push_back({.name = prefix_ + name,
                           .op_type = op_type,
                           .inputs = std::move(inputs),
                           .outputs = {output},
                           .attributes = {{"axis", "-1"}, {"epsilon", "9.999999747378752e-06"}}});
    return output;
  }

  PageGraph graph;

 private:
  void measure(PageTensor& computed, const std::string& op_type) {
    const std::size_t step = graph.nodes.size();
    const double wave = 1 + 0.6 * std::sin(static_cast<double>(step) * 1.7);
    const bool born = !born_ && step > 30 && op_type == "Softmax";
    const bool grew = born_ && op_type == "Add" && step % 7 == 0;
    born_ = born_ || born;
    level_ *= born ? 3e3 : grew ? 1.6 : 1;
    level_ = std::min(level_, 0.5);
    computed.norm = step < 6 ? 0 : level_ * wave;
    computed.absolute = computed.norm * 12;
    computed.relative = computed.norm * 3;
    computed.agrees = computed.norm < 1e-3;
    computed.origin = born ? Origin::born : grew ? Origin::grew : born_ ? Origin::passed_on : Origin::none;
    for (const auto& [side, shift] : {std::pair<std::string, double>{"onnxrt", 0}, {"openvino", computed.norm}}) {
      PageHistogram histogram{.low = -3 + shift, .high = 3 + shift};
      for (int bin = 0; bin < 40; ++bin) {
        const double x = (bin - 19.5) / 7;
        histogram.counts.push_back(
            static_cast<std::uint64_t>(2500 * std::exp(-x * x / 2) * (1 + 0.1 * std::sin(bin * wave))));
      }
      computed.statistics.push_back({.side = side,
                                     .minimum = -3 + shift,
                                     .maximum = 3 + shift,
                                     .mean = 0.01 + shift,
                                     .deviation = 1.01,
                                     .histogram = histogram});
    }
  }

  std::string prefix_;
  double level_ = 2.3e-7;
  bool born_ = false;
};

// A transformer of about `nodes` nodes. A prefix goes in front of every name.
PageGraph transformer(std::size_t nodes, const std::string& prefix) {
  GraphMaker maker(prefix);
  std::int32_t state = maker.value("input_ids", PageTensor::Role::input);
  const std::int32_t weight = maker.value("embeddings.weight", PageTensor::Role::weight);
  state = maker.node("/model/embeddings/Gather", "Gather", {weight, state});
  for (int layer = 0; maker.graph.nodes.size() + 20 < nodes; ++layer) {
    const std::string scope = fmt::format("/model/layers.{}", layer);
    const auto add = [&](const std::string& name, const std::string& type, std::vector<std::int32_t> inputs) {
      return maker.node(scope + name, type, std::move(inputs));
    };
    const std::int32_t normal = add("/norm_1/LayerNormalization", "LayerNormalization", {state});
    const std::int32_t query = add("/attention/query/MatMul", "MatMul", {normal, weight});
    const std::int32_t key = add("/attention/key/MatMul", "MatMul", {normal, weight});
    const std::int32_t transposed = add("/attention/key/Transpose", "Transpose", {key});
    const std::int32_t mixed = add("/attention/MatMul", "MatMul", {query, transposed});
    const std::int32_t scaled = add("/attention/Div", "Div", {mixed});
    const std::int32_t soft = add("/attention/Softmax", "Softmax", {scaled});
    const std::int32_t content = add("/attention/value/MatMul", "MatMul", {normal, weight});
    const std::int32_t attended = add("/attention/MatMul_1", "MatMul", {soft, content});
    const std::int32_t sum = add("/Add", "Add", {state, attended});
    const std::int32_t second = add("/norm_2/LayerNormalization", "LayerNormalization", {sum});
    const std::int32_t wide = add("/mlp/up/MatMul", "MatMul", {second, weight});
    const std::int32_t gelu = add("/mlp/act/Gelu", "Gelu", {wide});
    const std::int32_t narrow = add("/mlp/down/MatMul", "MatMul", {gelu, weight});
    state = add("/Add_1", "Add", {sum, narrow});
  }
  state = maker.node("/model/head/MatMul", "MatMul", {state, weight});
  maker.graph.tensors[static_cast<std::size_t>(state)].role = PageTensor::Role::output;
  maker.graph.tensors[static_cast<std::size_t>(state)].name = prefix + "logits";
  maker.graph.file = prefix + "model.onnx";
  return maker.graph;
}

// An If with two bodies, after the last node.
void add_bodies(PageGraph& graph) {
  const auto last = static_cast<std::int32_t>(graph.tensors.size()) - 1;
  const auto parent = static_cast<std::int32_t>(graph.nodes.size());
  graph.tensors.push_back({.name = "chosen", .type = "float16", .shape = "[1]"});
  graph.nodes.push_back({.name = "/model/If", .op_type = "If", .inputs = {last}, .outputs = {last + 1}});
  for (const std::string body : {"then_branch", "else_branch"}) {
    const auto inner = static_cast<std::int32_t>(graph.tensors.size());
    graph.tensors.push_back({.name = body + "_value", .type = "float16", .shape = "[1]"});
    graph.nodes.push_back(
        {.name = body + "/Neg", .op_type = "Neg", .outputs = {inner}, .parent = parent, .body = body});
  }
}

// Names without scopes, as some exporters write them.
PageGraph flat(std::size_t nodes) {
  GraphMaker maker("");
  std::int32_t state = maker.value("input", PageTensor::Role::input);
  for (std::size_t node = 0; node < nodes; ++node) {
    state = maker.node(fmt::format("Node_{}", node), node % 3 == 0 ? "Conv" : "Relu", {state});
  }
  return maker.graph;
}

// Two inputs, groups that read each other (a and b), an omitted output, a body that reads a tensor around it, an input
// that is read twice by one node, and one that many nodes read.
PageGraph odd() {
  PageGraph graph{.file = "model.onnx"};
  for (const char* name : {"x", "y", "first", "second", "third", "state", "chosen", "inner"}) {
    graph.tensors.push_back({.name = name, .type = "float32", .shape = "[2]"});
  }
  graph.tensors[0].role = graph.tensors[1].role = PageTensor::Role::input;
  graph.tensors[6].role = PageTensor::Role::output;
  graph.nodes = {{.name = "a/Neg", .op_type = "Neg", .inputs = {0}, .outputs = {2}},
                 {.name = "b/Mul", .op_type = "Mul", .inputs = {2, 2}, .outputs = {3}},
                 {.name = "a/Mul", .op_type = "Mul", .inputs = {3, 1}, .outputs = {4}},
                 {.name = "GRU", .op_type = "GRU", .inputs = {4}, .outputs = {-1, 5}},
                 {.name = "If", .op_type = "If", .inputs = {1}, .outputs = {6}},
                 {.name = "Exp", .op_type = "Exp", .inputs = {5}, .outputs = {7}, .parent = 4, .body = "then_branch"}};
  for (int reader = 0; reader < 60; ++reader) {
    const auto output = static_cast<std::int32_t>(graph.tensors.size());
    graph.tensors.push_back({.name = fmt::format("read_{}", reader), .type = "float32", .shape = "[2]"});
    graph.nodes.push_back(
        {.name = fmt::format("readers/Relu_{}", reader), .op_type = "Relu", .inputs = {1}, .outputs = {output}});
  }
  return graph;
}

std::vector<PageCheck> reduction() {
  std::vector<PageCheck> checks = {{.seconds = 0.8, .nodes = 168, .failed = true, .pass = "whole model"}};
  std::int64_t best = 168;
  for (int check = 1; check < 90; ++check) {
    const bool failed = check % 4 == 0 || best < 4;
    const std::int64_t tried = std::max<std::int64_t>(1, best - std::max<std::int64_t>(1, best / 5));
    checks.push_back({.seconds = 0.8 + 0.37 * check,
                      .nodes = tried,
                      .failed = failed,
                      .pass = check < 12   ? "cut at outputs"
                              : check < 50 ? "remove ranges"
                                           : "remove nodes"});
    best = failed ? tried : best;
  }
  return checks;
}

std::vector<PageStep> steps(const std::string& prefix) {
  const PageTable flips = {.title = prefix + "Settings, one at a time",
                           .columns = {"Setting", "Value", "Failed", "Result"},
                           .rows = {{"optimisation level", "basic", "0 of 3", "passes"},
                                    {"optimisation level", "extended", "3 of 3", "fails"},
                                    {"disabled optimizer", prefix + "GeluFusionL2", "0 of 3", "passes"},
                                    {"threads", "1", "3 of 3", "fails"}}};
  return {{.question = "Is the model valid?", .mark = Mark::good, .answer = "The checker accepts it.", .seconds = 0.41},
          {.question = "Does it run?", .mark = Mark::good, .answer = "Both engines run it.", .seconds = 3.2},
          {.question = "Is it deterministic?", .mark = Mark::good, .answer = "Three runs agree.", .seconds = 9.7},
          {.question = "Does it agree?",
           .mark = Mark::bad,
           .answer = prefix + "logits differs by 0.31; float32 noise is 2e-06.",
           .seconds = 6.1},
          {.question = "Which setting matters?",
           .mark = Mark::bad,
           .answer = "The optimizer GeluFusionL2.",
           .seconds = 31.4,
           .tables = {flips}},
          {.question = "Is it known?", .mark = Mark::unknown, .answer = "No entry matches.", .seconds = 0.002},
          {.question = "Is there memory left?", .mark = Mark::skipped, .answer = "--skip memory"},
          {.question = "What are the inputs?", .mark = Mark::note, .answer = "Random token ids.", .seconds = 71.2}};
}

Page full_page(std::size_t nodes, const std::string& prefix) {
  Page page{
      .title = "diagnose: " + prefix + "model.onnx",
      .mark = Mark::bad,
      .verdict = prefix +
                 "openvino computes Softmax in /model/layers.2/attention wrongly at optimisation level 99: the error "
                 "of the output is 0.31, and disabling one optimizer removes it.",
      .command_line = "assay diagnose " + prefix + "model.onnx --onnxrt --openvino --rtol 1e-3 -o report",
      .steps = steps(prefix),
      .first_side = "onnxrt",
      .second_side = "openvino",
      .graph = transformer(nodes, prefix),
      .checks = reduction(),
      .minimal_case =
          MinimalCase{.file = prefix + "reduced.onnx",
                      .model_text = prefix + "scores = Div (mixed, scale)\nweights = Softmax <axis = -1> (scores)",
                      .commands = {"assay run " + prefix + "reduced.onnx --onnxrt --openvino --rtol 1e-3"},
                      .tables = {{.title = "Each node is needed",
                                  .columns = {"Node", "Without it"},
                                  .rows = {{prefix + "Div", "passes"}, {prefix + "Softmax", "passes"}}}}},
      .environment = {{"Assay", "0.1.0"},
                      {"ONNX Runtime", "1.31.1"},
                      {"OpenVINO", "2026.4.1"},
                      {"Processor", prefix + "x86-64, 2 cores"}}};
  add_bodies(page.graph);
  return page;
}

constexpr std::string_view kHostile =
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">'\"&lt;\xe2\x80\xae";

}  // namespace

int main(int, char** arguments) {
  const std::filesystem::path folder = arguments[1];
  Page plain = full_page(0, "");
  plain.graph = {};
  plain.checks = {};
  Page wide = full_page(0, "");
  wide.graph = flat(5000);
  for (PageTensor& tensor : wide.graph.tensors) {
    if (tensor.norm > 0) tensor.agrees = false;
  }
  Page odd_edges = plain;
  odd_edges.graph = odd();
  const std::pair<const char*, Page> pages[] = {{"small.html", full_page(170, "")},
                                                {"plain.html", plain},
                                                {"odd.html", odd_edges},
                                                {"hostile.html", full_page(170, std::string(kHostile))},
                                                {"nodes_5000.html", full_page(5000, "")},
                                                {"flat_5000.html", wide},
                                                {"nodes_50000.html", full_page(50000, "")}};
  for (const auto& [name, page] : pages) {
    if (const auto written = write_page(page, folder / name); !written) {
      std::cerr << written.error().message() << '\n';
      return 1;
    }
  }
  return 0;
}
