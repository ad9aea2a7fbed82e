// Runs patterns with a Python that has ONNX-GraphSurgeon. ASSAY_TEST_PYTHON names it.
#include "plugin/replace_subgraphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/inference/check.h"
#include "model/load.h"
#include "tests/support/fetched.h"

namespace assay::plugin {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] u) { y = Relu(x) z = Neg(y) v = Relu(z) w = Neg(v) u = Abs(w) })";

// Finds a Neg after a Relu. Gets GraphSurgeon as Polygraphy's own examples do.
constexpr auto kPattern = R"(
from polygraphy import mod

gs = mod.lazy_import("onnx_graphsurgeon>=0.5.0")


def get_matching_subgraphs(graph):
    pattern = gs.GraphPattern()
    relu = pattern.add("R", "Relu", inputs=[pattern.variable()])
    pattern.set_output_tensors([pattern.add("N", "Neg", inputs=[relu])])
    return [{"inputs": [t.name for t in m.inputs], "outputs": [t.name for t in m.outputs],
             "attributes": {"scale": 2}} for m in pattern.match_all(graph)]


def get_plugin_metadata():
    return {"name": "relu_neg", "op": "ReluNeg"}
)";

class PluginTest : public testing::Test {
 protected:
  void SetUp() override {
    plugins_.python = test::fetched_python();
    if (plugins_.python.empty()) GTEST_SKIP() << test::kNoPython;
    plugins_.path = folder_.path() / "plugins";
    write("plugins/relu_neg/pattern.py", kPattern);
  }
  fs::path write(const std::string& name, std::string_view text) {
    fs::create_directories((folder_.path() / name).parent_path());
    EXPECT_TRUE(base::write_file(folder_.path() / name, text));
    return folder_.path() / name;
  }
  // Returns a Python that doesn't find PyYAML.
  std::string without_yaml() {
    write("no_yaml/yaml.py", "raise ImportError");
    const fs::path script = write("python.sh", "#!/bin/sh\nPYTHONPATH='" + (folder_.path() / "no_yaml").string() +
                                                   "' exec '" + plugins_.python + "' \"$@\"\n");
    fs::permissions(script, fs::perms::owner_all);
    return script.string();
  }
  base::Expected<Matches> find(const std::vector<std::string>& names) {
    return find_subgraphs(model_, plugins_, names, stop_, log_);
  }
  // Returns the operators of the model after replacing what `config` lists.
  std::vector<std::string> replaced(const std::string& config) {
    const fs::path output = folder_.path() / "replaced.onnx";
    const auto made = replace_subgraphs(model_, plugins_, write("config.yaml", config), output, stop_, log_);
    EXPECT_TRUE(made) << made.error().message();
    const model::Model model = model::load(output).value();
    std::vector<std::string> types;
    for (const auto& node : model.graph().node()) types.push_back(node.op_type());
    return types;
  }
  // Returns the message of the error.
  std::string refused(const std::string& config) {
    const auto counts =
        replace_subgraphs(model_, plugins_, write("config.yaml", config), folder_.path() / "no.onnx", stop_, log_);
    EXPECT_FALSE(counts);
    EXPECT_FALSE(fs::exists(folder_.path() / "no.onnx"));
    return counts ? "" : counts.error().message();
  }

  base::TempDir folder_ = base::TempDir::create().value();
  model::Model model_ = model::parse_text(kModel).value();
  PluginFolder plugins_;
  base::Stop stop_;
  base::SilentLog log_;
};

TEST_F(PluginTest, FindsAndReplacesSubgraphs) {
  const auto matches = find({"relu_neg"});
  ASSERT_TRUE(matches) << matches.error().message();
  EXPECT_EQ(matches->plugins.front().found, 2);
  EXPECT_THAT(matches->config, HasSubstr("name: \"relu_neg\"\nop: \"ReluNeg\"\ninstances:\n- inputs: [\"x\"]\n"
                                         "  outputs: [\"z\"]\n  attributes: {\"scale\": 2}\n"));
  EXPECT_THAT(replaced(matches->config), ElementsAre("ReluNeg", "ReluNeg", "Abs"));
}

// PyYAML takes 1e-05 and Infinity for strings, and an escaped surrogate pair for two characters.
TEST_F(PluginTest, AttributesStayWhatTheyAre) {
  write("plugins/values/pattern.py", R"(
def get_matching_subgraphs(graph):
    return [{"inputs": ["x"], "outputs": ["z"], "attributes": {
        "small": 1e-5, "large": 1e20, "few": [2.5e-7, -1.0], "inf": float("inf"), "minus": -float("inf"),
        "nan": float("nan"), "text": "\U0001F600 \u2028 1e-5 .inf", "number": 2}}]


def get_plugin_metadata():
    return {"name": "values", "op": "Values"}
)");
  for (const std::string& python : {plugins_.python, without_yaml()}) {
    plugins_.python = python;
    const auto matches = find({"values"});
    ASSERT_TRUE(matches) << matches.error().message();
    const fs::path config = write("config.yaml", matches->config), output = folder_.path() / "replaced.onnx";
    const auto made = replace_subgraphs(model_, plugins_, config, output, stop_, log_);
    ASSERT_TRUE(made) << made.error().message();
    const model::Model model = model::load(output).value();
    std::map<std::string, onnx::AttributeProto> attributes;
    for (const auto& attribute : model.graph().node(0).attribute()) attributes[attribute.name()] = attribute;
    EXPECT_EQ(attributes["small"].f(), 1e-5F) << matches->config;
    EXPECT_EQ(attributes["large"].f(), 1e20F);
    EXPECT_THAT(attributes["few"].floats(), ElementsAre(2.5e-7F, -1.0F));
    EXPECT_EQ(attributes["inf"].f(), std::numeric_limits<float>::infinity());
    EXPECT_EQ(attributes["minus"].f(), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(attributes["nan"].type() == onnx::AttributeProto::FLOAT && std::isnan(attributes["nan"].f()));
    EXPECT_EQ(attributes["text"].s(), "\U0001F600 \u2028 1e-5 .inf");
    EXPECT_EQ(attributes["number"].i(), 2);

    const auto instances = read_instances(model_, plugins_, config, stop_, log_);
    ASSERT_TRUE(instances) << instances.error().message();
    EXPECT_THAT(instances->front().attributes, AllOf(HasSubstr(R"("inf":".inf")"), HasSubstr(R"("small":1e-05)")));
  }
}

TEST_F(PluginTest, TextThatIsNotUnicodeIsAnError) {
  const std::string config =
      R"({"name": "relu_neg", "op": "\ud800", "instances": [{"inputs": ["x"], "outputs": ["z"]}]})";
  const auto instances = read_instances(model_, plugins_, write("config.yaml", config), stop_, log_);
  ASSERT_FALSE(instances);
  EXPECT_THAT(instances.error().message(), HasSubstr("can't be read"));
}

// GraphSurgeon drops all of this.
TEST_F(PluginTest, TheModelKeepsWhatDescribesIt) {
  model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17], producer_name: "p", producer_version: "1",
                                 domain: "d", model_version: 7, doc_string: "about", metadata_props: ["key": "value"]>
      g (float[2] a, float[2] x, float[2] b) => (float[2] u) <float[2] a = {1, 2}, float[2] b = {3, 4}, float[2] c = {5, 6}>
      { y = Relu(x) z = Neg(y) v = Add(z, a) t = Add(v, c) u = Add(x, t) })")
               .value();
  onnx::NodeProto& kept = *model_.graph().mutable_node(4);
  kept.set_doc_string("a note");
  onnx::StringStringEntryProto& entry = *kept.add_metadata_props();
  entry.set_key("namespace");
  entry.set_value("layer");
  const fs::path output = folder_.path() / "replaced.onnx";
  const auto made = replace_subgraphs(
      model_, plugins_, write("c.yaml", "name: relu_neg\nop: R\ninstances:\n- inputs: [x]\n  outputs: [z]\n"), output,
      stop_, log_);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_THAT(made->lost_inputs, ElementsAre("b")) << "no node reads it";
  const model::Model after = model::load(output).value();
  EXPECT_EQ(after.proto.domain(), "d");
  EXPECT_EQ(after.proto.model_version(), 7);
  EXPECT_EQ(after.proto.doc_string(), "about");
  EXPECT_EQ(after.proto.producer_version(), "1");
  ASSERT_EQ(after.proto.metadata_props_size(), 1);
  EXPECT_EQ(after.proto.metadata_props(0).value(), "value");
  ASSERT_EQ(after.graph().input_size(), 2);
  EXPECT_EQ(after.graph().input(0).name(), "a");
  EXPECT_EQ(after.graph().input(1).name(), "x");
  const onnx::NodeProto& node = *after.graph().node().rbegin();
  EXPECT_EQ(node.doc_string(), "a note");
  ASSERT_EQ(node.metadata_props_size(), 1);
  EXPECT_EQ(node.metadata_props(0).value(), "layer");
}

// Before IR version 4, every initializer had to be an input.
TEST_F(PluginTest, AnOldModelStaysValid) {
  model_ = model::parse_text(R"(<ir_version: 3, opset_import: ["" : 9]>
      g (float[2] x, float[2] w) => (float[2] u) <float[2] w = {1, 2}> { y = Relu(x) z = Neg(y) u = Add(z, w) })")
               .value();
  const fs::path output = folder_.path() / "replaced.onnx";
  const auto made = replace_subgraphs(
      model_, plugins_, write("c.yaml", "name: relu_neg\nop: Abs\ninstances:\n- inputs: [x]\n  outputs: [z]\n"), output,
      stop_, log_);
  ASSERT_TRUE(made) << made.error().message();
  const model::Model after = model::load(output).value();
  const base::Status valid = model::check(after);
  EXPECT_TRUE(valid) << valid.error().message();
  EXPECT_EQ(after.graph().input_size(), 2);
}

TEST_F(PluginTest, FindsAPluginByTheNameInItsMetadata) {
  write("plugins/other/pattern.py", kPattern);
  fs::remove_all(plugins_.path / "relu_neg");
  const auto matches = find({"other"});
  ASSERT_TRUE(matches) << matches.error().message();
  EXPECT_THAT(matches->config, HasSubstr("name: \"relu_neg\""));
  EXPECT_THAT(replaced(matches->config), ElementsAre("ReluNeg", "ReluNeg", "Abs"));
}

TEST_F(PluginTest, ReplacesOnlyAcceptedMatches) {
  EXPECT_THAT(replaced("name: \"relu_neg\"\nop: \"ReluNeg\"\ninstances:\n- inputs: [\"z\"]\n  outputs: [\"w\"]\n"),
              ElementsAre("Relu", "Neg", "ReluNeg", "Abs"));
}

TEST_F(PluginTest, InstancesAreListedAndReplacedByTheirNumbers) {
  const auto matches = find({"relu_neg"});
  ASSERT_TRUE(matches) << matches.error().message();
  const fs::path config = write("both.yaml", matches->config);
  const auto instances = read_instances(model_, plugins_, config, stop_, log_);
  ASSERT_TRUE(instances) << instances.error().message();
  ASSERT_EQ(instances->size(), 2U);
  EXPECT_EQ(instances->at(1).plugin, "relu_neg");
  EXPECT_EQ(instances->at(1).op, "ReluNeg");
  EXPECT_THAT(instances->at(1).inputs, ElementsAre("z"));
  EXPECT_THAT(instances->at(1).outputs, ElementsAre("w"));
  EXPECT_EQ(instances->at(1).attributes, "{\"scale\":2}");
  const auto made = replace_subgraphs(model_, plugins_, config, folder_.path() / "one.onnx", stop_, log_,
                                      std::vector<std::size_t>{1});
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->plugins.front().found, 1);
  EXPECT_EQ(made->plugins.front().replaced, 1);
  const model::Model replaced = model::load(folder_.path() / "one.onnx").value();
  EXPECT_EQ(replaced.graph().node(0).op_type(), "Relu");
  EXPECT_EQ(replaced.graph().node_size(), 4);
}

// A config of two plug-ins counts their instances on.
TEST_F(PluginTest, NumbersGoOnOverAllPlugins) {
  const std::string one = "name: \"relu_neg\"\nop: \"A\"\ninstances:\n- inputs: [\"x\"]\n  outputs: [\"z\"]\n";
  const std::string two = "name: \"relu_neg\"\nop: \"B\"\ninstances:\n- inputs: [\"z\"]\n  outputs: [\"w\"]\n";
  const fs::path output = folder_.path() / "two.onnx";
  ASSERT_TRUE(replace_subgraphs(model_, plugins_, write("two.yaml", one + "---\n" + two), output, stop_, log_,
                                std::vector<std::size_t>{1}));
  const model::Model replaced = model::load(output).value();
  std::vector<std::string> types;
  for (const auto& node : replaced.graph().node()) types.push_back(node.op_type());
  EXPECT_THAT(types, ElementsAre("Relu", "Neg", "B", "Abs"));
}

TEST_F(PluginTest, InstancesAreChecked) {
  const auto error = [&](const std::string& config) {
    const auto instances = read_instances(model_, plugins_, write("config.yaml", config), stop_, log_);
    EXPECT_FALSE(instances);
    return instances ? "" : instances.error().message();
  };
  EXPECT_THAT(error("name: \"relu_neg\"\nop: \"ReluNeg\"\ninstances:\n- inputs: [\"q\"]\n  outputs: [\"z\"]\n"),
              HasSubstr("the model has no tensor q"));
  EXPECT_THAT(error("name: \"other\"\nop: \"ReluNeg\"\ninstances:\n"), HasSubstr("no plug-in 'other'"));
  EXPECT_EQ(read_instances(model_, plugins_, "nowhere.yaml", stop_, log_).error().kind, base::ErrorKind::not_found);
}

TEST_F(PluginTest, APluginMayReplaceByItself) {
  write("plugins/relu_neg/pattern.py", std::string(kPattern) + R"(

def replace_with_plugin(graph, input_tensors, output_tensors, attrs, op):
    graph.nodes[0].op = "Changed"
    return True
)");
  EXPECT_THAT(replaced("name: \"relu_neg\"\nop: \"ReluNeg\"\ninstances:\n- inputs: [\"x\"]\n  outputs: [\"z\"]\n"),
              ElementsAre("Changed", "Neg", "Relu", "Neg", "Abs"));
}

TEST_F(PluginTest, ReportsErrorsOfAConfiguration) {
  EXPECT_THAT(refused("name: \"relu_neg\"\nop: \"ReluNeg\"\ninstances:\n- inputs: [\"q\"]\n  outputs: [\"z\"]\n"),
              HasSubstr("the model has no tensor q"));
  EXPECT_THAT(refused("name: \"relu_neg\"\nop: \"ReluNeg\"\ninstances:\n- inputs: [\"x\"]\n  outputs: [\"z\"]\n"
                      "  attributes: {\"k\": null}\n"),
              AllOf(HasSubstr("attribute k is None, which ONNX doesn't have"), HasSubstr("config.yaml)")));
  EXPECT_THAT(refused("name: \"other\"\nop: \"ReluNeg\"\ninstances:\n"), HasSubstr("no plug-in 'other'"));
  EXPECT_THAT(refused("op: \"ReluNeg\"\n"), AllOf(HasSubstr("lacks name, op or instances"), HasSubstr("config.yaml)")));
}

// They aren't the plug-in's fault.
TEST_F(PluginTest, AConfigurationOfTheWrongFormIsAnErrorInItsFile) {
  const std::string begin = "name: \"relu_neg\"\nop: \"ReluNeg\"\n";
  const std::vector<std::string> configs = {
      "name: 5\nop: \"ReluNeg\"\ninstances:\n",
      "name: \"relu_neg\"\nop: 5\ninstances:\n",
      begin + "instances: 5\n",
      begin + "instances: [5]\n",
      begin + "instances:\n- outputs: [\"z\"]\n",
      begin + "instances:\n- inputs: 5\n  outputs: [\"z\"]\n",
      begin + "instances:\n- inputs: [\"x\"]\n  outputs: [[\"z\"]]\n",
      begin + "instances:\n- inputs: [\"x\"]\n  outputs: [\"z\"]\n  attributes: 5\n",
      begin + "instances:\n  outputs: [\"z\"]\n- inputs: [\"x\"]\n",
      begin + "instances: 5\n- inputs: [\"x\"]\n",
      begin + "instances: 2024-13-45\n",
      begin + "instances: \"\xff\"\n",
  };
  for (const std::string& python : {plugins_.python, without_yaml()}) {
    plugins_.python = python;
    for (const std::string& config : configs) {
      const fs::path file = write("config.yaml", config);
      const auto instances = read_instances(model_, plugins_, file, stop_, log_);
      ASSERT_FALSE(instances) << config;
      EXPECT_EQ(instances.error().where, file.string()) << config;
    }
  }
}

TEST_F(PluginTest, ReportsErrorsOfAPlugin) {
  write("plugins/raises/pattern.py", "raise ValueError('odd')");
  write("plugins/empty/pattern.py", "");
  write("plugins/exits/pattern.py", "raise SystemExit(0)");
  fs::create_directories(plugins_.path / "no_plugin");
  EXPECT_THAT(list_plugins(plugins_.path).value(), ElementsAre("empty", "exits", "raises", "relu_neg"));
  EXPECT_THAT(find({"raises"}).error().message(), HasSubstr("ValueError: odd"));
  EXPECT_THAT(find({"empty"}).error().message(), HasSubstr("has no function get_matching_subgraphs()"));
  EXPECT_THAT(find({"exits"}).error().message(), HasSubstr("that no pattern.py ends Python"));
}

TEST_F(PluginTest, AMissingFolderOrPackageIsAnError) {
  EXPECT_EQ(list_plugins("nowhere").error().kind, base::ErrorKind::not_found);
  plugins_.python = write("python.sh", "#!/bin/sh\necho \"no package onnx\"\nexit 3\n").string();
  fs::permissions(plugins_.python, fs::perms::owner_all);
  const auto matches = find({"relu_neg"});
  ASSERT_FALSE(matches);
  EXPECT_EQ(matches.error().kind, base::ErrorKind::not_found);
}

}  // namespace
}  // namespace assay::plugin
