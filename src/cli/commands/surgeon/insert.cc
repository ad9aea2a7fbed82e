// `assay surgeon insert`: inserts one node into a model.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/parse/attributes.h"
#include "surgeon/insert_node.h"

namespace assay::cli {
namespace {

class SurgeonInsert final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
  std::string op_;
  std::string name_;
  std::vector<std::string> attributes_;
};

}  // namespace

void SurgeonInsert::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  constexpr auto kGroup = "Inserted Node";
  app.add_option("--inputs", inputs_, "Set the tensors that the node reads, in order; '' omits an optional one")
      ->option_text("NAME")
      ->required()
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--outputs", outputs_,
                 "Set the tensors that the node computes, in order, in place of the nodes that compute them now. For a "
                 "tensor that is also an input, the node goes between the tensor and all that read it")
      ->option_text("NAME")
      ->required()
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--op", op_, "Set the operator of the node, e.g. Relu; it need not be one of ONNX's")
      ->option_text("OPERATOR")
      ->required()
      ->group(kGroup);
  app.add_option("--name", name_, "Set the name of the node (default: none)")->option_text("NAME")->group(kGroup);
  app.add_option(
         "--attrs", attributes_,
         "Set attributes, name=value: 5 is an integer, 5.0 a number, '5' a string, [1,2] a list, and any other "
         "word a string. For an attribute of ONNX that is an element type, such as to of Cast, it is float16 or "
         "the like")
      ->option_text("NAME=VALUE")
      ->expected(1, -1)
      ->group(kGroup);
  saving_.add_to(app, ModelSaveOptions::Output::required);
}

base::Expected<int> SurgeonInsert::run(Context& context) {
  ASSAY_TRY(saving_.check());
  onnx::NodeProto node;
  node.set_op_type(op_);
  if (!name_.empty()) node.set_name(name_);
  for (const std::string& input : inputs_) node.add_input(input);
  for (const std::string& output : outputs_) node.add_output(output);
  ASSAY_ASSIGN(std::vector<onnx::AttributeProto> attributes, parse_attributes(attributes_, "--attrs"));
  for (onnx::AttributeProto& attribute : attributes) *node.add_attribute() = std::move(attribute);
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  const int before = model.graph().node_size();
  ASSAY_TRY(surgeon::insert_node(model, std::move(node), context.log));
  context.log.info("The graph now has {}; before, it had {}", base::counted(model.graph().node_size(), "node"), before);
  ASSAY_TRY(saving_.save(model, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_surgeon_insert() {
  return std::make_unique<SurgeonInsert>();
}

}  // namespace assay::cli
