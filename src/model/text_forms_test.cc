#include "model/text_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The same model as onnx.save() writes it.
constexpr std::string_view kProtobuf = R"(ir_version: 10
graph {
  node {
    input: "x"
    input: "w"
    output: "y"
    op_type: "Add"
  }
  name: "g"
  initializer {
    dims: 2
    data_type: 1
    name: "w"
    raw_data: "\000\000\200?\000\000\000@"
  }
  input {
    name: "x"
    type { tensor_type { elem_type: 1 shape { dim { dim_param: "n" } } } }
  }
  output {
    name: "y"
    type { tensor_type { elem_type: 1 shape { dim { dim_param: "n" } } } }
  }
}
opset_import {
  domain: ""
  version: 21
}
)";
constexpr std::string_view kJson = R"({
  "ir_version": "10",
  "graph": {
    "node": [{"input": ["x", "w"], "output": ["y"], "op_type": "Add"}],
    "name": "g",
    "initializer": [{"dims": ["2"], "data_type": 1, "name": "w", "raw_data": "AACAPwAAAEA="}],
    "input": [{"name": "x", "type": {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_param": "n"}]}}}}],
    "output": [{"name": "y", "type": {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_param": "n"}]}}}}]
  },
  "opset_import": [{"domain": "", "version": "21"}]
})";
constexpr std::string_view kOnnx = R"(<
   ir_version: 10,
   opset_import: ["" : 21]
>
g (float[n] x) => (float[n] y)
   <float[2] w =  {1,2}>
{
   y = Add (x, w)
}
)";

class TextForms : public testing::Test {
 protected:
  fs::path write(const std::string& name, std::string_view text) {
    EXPECT_TRUE(base::write_file(dir_.path() / name, text));
    return dir_.path() / name;
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return dir_.path() / name; }

  static void expect_the_model(const base::Expected<Model>& model) {
    ASSERT_TRUE(model.has_value()) << model.error().message();
    EXPECT_EQ(model->proto.ir_version(), 10);
    EXPECT_EQ(default_opset(model->proto), 21);
    ASSERT_EQ(model->graph().node_size(), 1);
    EXPECT_EQ(model->graph().node(0).op_type(), "Add");
    EXPECT_EQ(model->graph().input(0).type().tensor_type().shape().dim(0).dim_param(), "n");
    const auto weight = read_weight(*model, model->graph().initializer(0));
    ASSERT_TRUE(weight.has_value()) << weight.error().message();
    ASSERT_EQ(weight->size(), 2U);
    EXPECT_EQ(weight->load<float>(0), 1);
    EXPECT_EQ(weight->load<float>(1), 2);
  }

  base::Error refused(std::string_view text) {
    auto model = load(write("refused.onnx", text));
    EXPECT_FALSE(model.has_value());
    return model ? base::Error{} : model.error();
  }

 private:
  base::TempDir dir_ = base::TempDir::create().value();
};

TEST_F(TextForms, AreLoadedWhateverTheirName) {
  for (const std::string_view text : {kProtobuf, kJson, kOnnx}) expect_the_model(load(write("m.onnx", text)));
  expect_the_model(load(write("m.onnx", "\n# a comment\n" + std::string(kProtobuf))));
  expect_the_model(load(write("m.onnx", "# a comment { ( [\n" + std::string(kOnnx))));
}

TEST_F(TextForms, SayWhereTheyAreWrong) {
  EXPECT_THAT(refused("ir_version: 10\ngraph {\n  nodes {}\n}").message(),
              AllOf(HasSubstr("not a model in protobuf's text format: line 3, column"), HasSubstr("nodes")));
  EXPECT_THAT(refused(R"({"ir_version": "ten"})").message(), HasSubstr("not a model in protobuf's JSON: "));
  EXPECT_THAT(refused(R"({"ir_version": 8, "graph": [1x]})").message(), HasSubstr(" It is near '"));
  EXPECT_THAT(refused(R"({"ir_version")").message(), Not(HasSubstr("\n")));
  EXPECT_THAT(refused("<ir_version: 10> g (float x)").message(), HasSubstr("not a model in ONNX's text format: "));
  EXPECT_THAT(refused("producer_name: 'p'").message(), HasSubstr("it has no graph"));
  EXPECT_THAT(refused("domain knowledge").message(), HasSubstr("protobuf's text format"));
}

TEST_F(TextForms, OtherTextIsNone) {
  for (const std::string_view text :
       {"this is no model", "<!DOCTYPE html>\n<html>", R"({"Layers": []})", "[1]", "{}"}) {
    EXPECT_EQ(text_form(text), std::nullopt) << text;
    EXPECT_THAT(refused(text).message(), HasSubstr("the file is text, not an ONNX model"));
  }
}

TEST_F(TextForms, DeepNestingIsAnError) {
  const std::string model(kOnnx.substr(0, kOnnx.find("y = ")));
  EXPECT_THAT(refused(model + "y = If (x) <then_branch = " + std::string(100000, '(')).message(),
              HasSubstr("nested deeper than 100"));
  std::string text = "ir_version: 10\ngraph {";
  std::string json = R"({"ir_version": "10", "graph": {)";
  for (int i = 0; i < 100000; ++i) {
    text += "node{attribute{g{";
    json += R"("node": [{"attribute": [{"g": {)";
  }
  EXPECT_EQ(refused(text).kind, ErrorKind::invalid_input);
  EXPECT_EQ(refused(json).kind, ErrorKind::invalid_input);
}

TEST_F(TextForms, AreWrittenIfTheNameSaysSo) {
  const Model model = load(write("m.onnx", kOnnx)).value();
  for (const std::string name : {"m.textproto", "m.pbtxt", "m.json", "m.onnxjson"}) {
    ASSERT_TRUE(save(model, path(name)).has_value());
    EXPECT_TRUE(is_text_file(path(name))) << name;
    expect_the_model(load(path(name)));
  }
  ASSERT_TRUE(save(model, path("m.pb")).has_value());
  EXPECT_FALSE(is_text_file(path("m.pb")));

  const base::Status onnx = save(model, path("m.onnxtxt"));
  ASSERT_FALSE(onnx.has_value());
  EXPECT_THAT(onnx.error().message(), HasSubstr("ends in .onnx or, for text, in .textproto or .json"));
  const base::Status external = save(model, path("m.json"), {.external_data_path = ""});
  ASSERT_FALSE(external.has_value());
  EXPECT_THAT(external.error().message(), HasSubstr("a model that is saved as text has its weights inside"));
}

// Python's protobuf refuses 3.40282347e+38, the shortest form of the largest float32.
TEST_F(TextForms, TheLargestFloatsAreWrittenExactly) {
  Model model = load(write("m.onnx", kOnnx)).value();
  onnx::AttributeProto& lowest = *model.graph().mutable_node(0)->add_attribute();
  lowest.set_name("lowest");
  lowest.set_type(onnx::AttributeProto::FLOAT);
  lowest.set_f(std::numeric_limits<float>::lowest());
  model.proto.set_doc_string(R"(a "quoted" -3.40282347e+38)");
  const std::string text = write_text(model, TextForm::json).value();
  EXPECT_THAT(text, HasSubstr(R"("f": -3.4028234663852886e+38)"));
  EXPECT_THAT(text, HasSubstr(R"(a \"quoted\" -3.40282347e+38)"));
  ASSERT_TRUE(save(model, path("limits.json")).has_value());
  const Model loaded = load(path("limits.json")).value();
  EXPECT_EQ(loaded.graph().node(0).attribute().rbegin()->f(), std::numeric_limits<float>::lowest());
}

// Large weights are cut out of the text as they are of other files.
TEST_F(TextForms, LargeWeightsSurvive) {
  Model model = load(write("m.onnx", kOnnx)).value();
  onnx::TensorProto& weight = *model.graph().mutable_initializer(0);
  weight.set_dims(0, 1000);
  weight.clear_float_data();
  std::string values;
  for (int i = 0; i < 4000; ++i) values += static_cast<char>(i * 7);
  weight.set_raw_data(values);
  ASSERT_TRUE(save(model, path("large.json")).has_value());
  const Model loaded = load(path("large.json")).value();
  EXPECT_LT(loaded.proto.ByteSizeLong(), 1000U);
  EXPECT_EQ(read_weight(loaded, loaded.graph().initializer(0)).value().buffer().view(), values);
}

}  // namespace
}  // namespace assay::model
