// Runs patterns with a Python that has ONNX-GraphSurgeon. ASSAY_TEST_PYTHON names it.
#include "plugin/replace_subgraphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "tests/support/fetched.h"

namespace assay::plugin {
namespace {

namespace fs = std::filesystem;
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
  base::Expected<Matches> find(const std::vector<std::string>& names) {
    return find_subgraphs(model_, plugins_, names, stop_, log_);
  }
  // Returns the operators of the model after replacing what `config` lists.
  std::vector<std::string> replaced(const std::string& config) {
    const fs::path output = folder_.path() / "replaced.onnx";
    const auto counts = replace_subgraphs(model_, plugins_, write("config.yaml", config), output, stop_, log_);
    EXPECT_TRUE(counts) << counts.error().message();
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
  const auto counts = replace_subgraphs(model_, plugins_, config, folder_.path() / "one.onnx", stop_, log_,
                                        std::vector<std::size_t>{1});
  ASSERT_TRUE(counts) << counts.error().message();
  EXPECT_EQ(counts->front().found, 1);
  EXPECT_EQ(counts->front().replaced, 1);
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
  EXPECT_THAT(refused("name: \"other\"\nop: \"ReluNeg\"\ninstances:\n"), HasSubstr("no plug-in 'other'"));
  EXPECT_THAT(refused("op: \"ReluNeg\"\n"),
              testing::AllOf(HasSubstr("lacks name, op or instances"), HasSubstr("config.yaml)")));
}

TEST_F(PluginTest, ReportsErrorsOfAPlugin) {
  write("plugins/raises/pattern.py", "raise ValueError('odd')");
  write("plugins/empty/pattern.py", "");
  fs::create_directories(plugins_.path / "no_plugin");
  EXPECT_THAT(list_plugins(plugins_.path).value(), ElementsAre("empty", "raises", "relu_neg"));
  EXPECT_THAT(find({"raises"}).error().message(), HasSubstr("ValueError: odd"));
  EXPECT_THAT(find({"empty"}).error().message(), HasSubstr("has no function get_matching_subgraphs()"));
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
