// The new list of outputs is built from names first and put into the graph only if all of it is valid: a model that
// can't be marked stays unchanged.
#include "edit/mark_outputs.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/list_first.h"
#include "base/pattern.h"
#include "base/similar_names.h"
#include "base/strings.h"
#include "edit/non_tensors.h"
#include "model/inference/infer_shapes.h"
#include "model/shapes.h"

namespace assay::edit {
namespace {

using base::ErrorKind;
using base::fail;

using Names = std::vector<std::string>;

// The tensors that can be marked, and what the model declares about them.
struct Tensors {
  std::vector<std::string_view> produced;        // outputs of nodes other than Constant, in node order
  std::unordered_set<std::string_view> by_name;  // these, constants and graph inputs
  std::unordered_map<std::string_view, const onnx::ValueInfoProto*> declared;
};

Tensors tensors_of(const onnx::GraphProto& graph) {
  Tensors tensors;
  for (const auto& input : graph.input()) tensors.by_name.insert(input.name());
  for (const auto& node : graph.node()) {
    for (const auto& name : node.output()) {
      if (name.empty()) continue;
      tensors.by_name.insert(name);
      if (node.op_type() != "Constant") tensors.produced.push_back(name);
    }
  }
  for (const auto* list : {&graph.output(), &graph.value_info(), &graph.input()}) {
    for (const auto& value : *list) tensors.declared.emplace(value.name(), &value);
  }
  return tensors;
}

// Names in the order in which they were added, each once.
class UniqueNames {
 public:
  void add(std::string_view name) {
    if (seen_.insert(std::string(name)).second) names_.emplace_back(name);
  }
  [[nodiscard]] const Names& names() const { return names_; }

 private:
  Names names_;
  std::unordered_set<std::string> seen_;
};

bool is_pattern(std::string_view word) {
  return word.find_first_of("*?[") != std::string_view::npos;
}

// Errors name the list with the word.
base::Expected<base::Pattern> wildcard(const std::string& word, const std::string& label) {
  auto pattern = base::Pattern::wildcard(word);
  if (!pattern) return fail(std::move(pattern).error().within(label));
  return pattern;
}

base::Status missing(const Names& words, const Tensors& tensors, const std::string& label) {
  constexpr std::size_t kMostListed = 10;
  const std::set<std::string> known(tensors.by_name.begin(), tensors.by_name.end());  // sorted
  const std::string question = base::did_you_mean({known.begin(), known.end()}, words.front());
  return fail(ErrorKind::not_found, "no such tensor: " + base::list_first(words, kMostListed, ", "), label,
              question + (question.empty() ? "" : " ") +
                  "`assay inspect model MODEL --show layers` lists the tensors; weights, and those inside bodies of "
                  "If, Loop and Scan, cannot be outputs");
}

// Marks a name that a pattern or a type matched, unless it isn't a tensor.
struct Marks {
  std::unordered_set<std::string_view> others;  // names that aren't tensors
  UniqueNames marked;
  UniqueNames skipped;

  void add(std::string_view name) { (others.contains(name) ? skipped : marked).add(name); }
};

base::Status add_by_name(const Tensors& tensors, const MarkOptions& options, Marks& marks, base::Log& log) {
  Names unknown;
  for (const std::string& word : options.outputs) {
    if (tensors.by_name.contains(word)) {
      if (is_pattern(word))
        log.info("'{}' is the name of a tensor, so it isn't used as a pattern for other names", word);
      marks.marked.add(word);
    } else if (is_pattern(word)) {
      ASSAY_ASSIGN(const base::Pattern pattern, wildcard(word, options.labels.outputs));
      bool matched = false;
      for (const std::string_view name : tensors.produced) {
        ASSAY_ASSIGN(const bool matches, pattern.matches(name));
        if (!matches) continue;
        matched = true;
        marks.add(name);
      }
      if (!matched) log.warning("The pattern '{}' matches no tensor that can be an output", word);
    } else {
      unknown.push_back(word);
    }
  }
  if (!unknown.empty()) return missing(unknown, tensors, options.labels.outputs);
  return {};
}

// Returns the names of the outer graph with elements of this type.
std::unordered_set<std::string> names_of_element_type(const model::Model& model, tensor::ElementType type) {
  std::unordered_set<std::string> found;
  const auto look = [&](const onnx::GraphProto& graph) {
    for (const auto* values : {&graph.output(), &graph.value_info()}) {
      for (const auto& value : *values) {
        if (model::tensor_info(value).type == type) found.insert(value.name());
      }
    }
  };
  look(model.graph());
  if (const auto inferred = model::inferred_values(model)) look(*inferred);
  return found;
}

bool add_by_op_type(const onnx::GraphProto& graph, const std::string& type, Marks& marks) {
  const std::string wanted = base::to_lower(type);
  bool matched = false;
  for (const auto& node : graph.node()) {
    if (base::to_lower(node.op_type()) != wanted) continue;
    matched = true;
    for (const auto& name : node.output()) {
      if (!name.empty()) marks.add(name);
    }
  }
  return matched;
}

bool add_by_element_type(const model::Model& model, const Tensors& tensors, tensor::ElementType type, Marks& marks) {
  const auto names = names_of_element_type(model, type);
  bool matched = false;
  for (const std::string_view name : tensors.produced) {
    if (!names.contains(std::string(name))) continue;
    matched = true;
    marks.add(name);
  }
  return matched;
}

base::Status add_by_type(const model::Model& model, const Tensors& tensors, const MarkOptions& options, Marks& marks,
                         base::Log& log) {
  Names unknown;
  for (const std::string& type : options.types) {
    if (add_by_op_type(model.graph(), type, marks)) continue;
    const auto element = tensor::parse_element_type(type);
    if (element && add_by_element_type(model, tensors, *element, marks)) continue;
    unknown.push_back(type);
  }
  if (unknown.size() == options.types.size()) {
    std::set<std::string> operators;
    for (const auto& node : model.graph().node()) operators.insert(node.op_type());
    return fail(ErrorKind::not_found, "the model has no node of type " + base::join(unknown, ", "),
                options.labels.types,
                "Its nodes have the types " + base::join(Names(operators.begin(), operators.end()), ", ") +
                    "; element types such as float16 work, too");
  }
  for (const std::string& type : unknown) log.warning("The model has no node of type '{}'", type);
  return {};
}

// Returns the names that a word means: the name itself if it is one, else those that match it as a wildcard.
base::Expected<std::set<std::string>> matches_of(const std::string& word, const Names& names,
                                                 const std::string& label) {
  if (std::ranges::find(names, word) != names.end()) return std::set{word};
  ASSAY_ASSIGN(const base::Pattern pattern, wildcard(word, label));
  std::set<std::string> meant;
  for (const std::string& name : names) {
    ASSAY_ASSIGN(const bool matches, pattern.matches(name));
    if (matches) meant.insert(name);
  }
  return meant;
}

base::Expected<Names> exclude_names(const Tensors& tensors, const Names& names, const MarkOptions& options,
                                    base::Log& log) {
  Names remaining = names;
  Names unknown;
  for (const std::string& word : options.exclude) {
    ASSAY_ASSIGN(const std::set<std::string> meant, matches_of(word, names, options.labels.exclude));
    if (meant.empty()) {
      if (tensors.by_name.contains(word)) {
        log.warning("'{}' isn't an output, so it needn't be excluded", word);
      } else if (is_pattern(word)) {
        log.warning("The pattern '{}' matches no output", word);
      } else {
        unknown.push_back(word);
      }
    }
    std::erase_if(remaining, [&](const std::string& name) { return meant.contains(name); });
  }
  if (!unknown.empty()) {
    return fail(ErrorKind::not_found, "no such output: " + base::join(unknown, ", "), options.labels.exclude,
                "The outputs are: " + base::join(names, ", "));
  }
  return remaining;
}

}  // namespace

base::Expected<Names> choose_outputs(const model::Model& model, const MarkOptions& options, base::Log& log) {
  const Tensors tensors = tensors_of(model.graph());
  Marks marks;
  if (!options.all && options.outputs.empty() && options.types.empty()) {
    for (const auto& output : model.graph().output()) marks.marked.add(output.name());
    if (options.exclude.empty()) return marks.marked.names();
  } else {
    marks.others = non_tensors(model.graph());
    if (options.all) {
      for (const std::string_view name : tensors.produced) marks.add(name);
    }
    ASSAY_TRY(add_by_name(tensors, options, marks, log));
    if (!options.types.empty()) ASSAY_TRY(add_by_type(model, tensors, options, marks, log));
    if (const Names& skipped = marks.skipped.names(); !skipped.empty()) {
      log.info("Not marking these outputs, which are sequences, optionals or maps instead of tensors: {}",
               base::join(skipped, ", "));
    }
  }
  ASSAY_ASSIGN(Names names, exclude_names(tensors, marks.marked.names(), options, log));
  if (!names.empty()) return names;
  const MarkOptions::Labels& labels = options.labels;
  const bool by_type = options.outputs.empty() && !options.all;
  const bool excluded = !marks.marked.names().empty();
  return fail(ErrorKind::not_found, "no outputs would remain",
              excluded  ? labels.exclude
              : by_type ? labels.types
                        : labels.outputs,
              "Name at least one tensor of the model that isn't excluded");
}

base::Status set_outputs(model::Model& model, const Names& names) {
  const Tensors tensors = tensors_of(model.graph());
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> outputs;
  Names unknown;
  for (const std::string& name : names) {
    onnx::ValueInfoProto& output = *outputs.Add();
    if (const auto at = tensors.declared.find(name); at != tensors.declared.end()) {
      output = *at->second;
    } else {
      output.set_name(name);
      if (!tensors.by_name.contains(name)) unknown.push_back(name);
    }
  }
  if (!unknown.empty()) return missing(unknown, tensors, MarkOptions::Labels{}.outputs);
  model.graph().mutable_output()->Swap(&outputs);
  return {};
}

base::Status mark_outputs(model::Model& model, const MarkOptions& options, base::Log& log) {
  if (options.empty()) return {};
  ASSAY_ASSIGN(const Names names, choose_outputs(model, options, log));
  return set_outputs(model, names);
}

}  // namespace assay::edit
