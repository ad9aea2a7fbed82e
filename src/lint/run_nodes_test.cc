// The engine's verdicts, with the real ONNX Runtime, and with an engine that crashes on demand.
#include "lint/run_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/stop.h"
#include "base/test_log.h"
#include "lint/check_nodes.h"
#include "lint/lint_model.h"
#include "model/load.h"
#include "tensor/generate.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::lint {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

model::Model parse(const std::string& body) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + body).value();
}

class RunNodes : public testing::Test {
 protected:
  void SetUp() override {
    spec_.library = test::fetched_onnxruntime();
    if (spec_.library.empty()) GTEST_SKIP() << test::kNoOnnxRuntime;
  }

  // Returns the report with what the engine alone has found.
  Report run(const model::Model& model) { return run(model, pool_); }
  Report run(const model::Model& model, worker::Pool& pool, double time_s = 60) {
    Report types = make_report(model), report = make_report(model);
    const auto infos = check_types(model, types);
    const auto inputs = [&](std::span<const tensor::TensorSpec> ports) {
      return tensor::generate_inputs(ports, {}, 0, log_);
    };
    const base::Status ran =
        run_nodes(model, infos, {pool, spec_, {.time_s = time_s, .memory_bytes = {}}, inputs}, log_, report);
    EXPECT_TRUE(ran) << ran.error().message();
    return report;
  }

  // Returns the verdicts as one letter for each node.
  static std::string verdicts(const Report& report) {
    std::string all;
    for (const NodeResults& node : report.nodes) all += "PF?"[static_cast<std::size_t>(node.engine)];
    return all;
  }

  worker::EngineSpec spec_;
  base::test::TestLog log_;
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir(), 2}, stop_};
};

TEST_F(RunNodes, ASoundModelPassesInOneRun) {
  const Report report = run(model::load(test::models_dir() / "mnist_quantized.onnx").value());
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.nodes, Each(testing::Field(&NodeResults::engine, CheckResult::passes)));
}

// ONNX Runtime names the newest version that it takes in its message.
TEST_F(RunNodes, AnIrVersionThatTheEngineRefusesIsOneFindingOfTheModel) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { r = Relu(x)  n = Neg(r)  y = Abs(n) }");
  model.proto.set_ir_version(99);
  const Report report = run(model);
  EXPECT_EQ(verdicts(report), "???");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].message, HasSubstr("Unsupported model IR version: 99"));
  EXPECT_THAT(report.findings[0].nodes, IsEmpty());
}

TEST_F(RunNodes, EveryNodeThatIsRejectedIsNamed) {
  const Report report =
      run(parse("g (float[2,4] x, int64[2,4] i) => (float[2,3] a, float[2,4] b, float[2,4] n) <float[5,3] w = "
                "{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, float[4] "
                "v = {1,2,3,4}> {\n"
                "  r = Relu(x)  a = MatMul(r, w)  s = Add(r, v)  b = Add(s, i)  t = Nonsense(s)  n = Neg(s) }"));
  EXPECT_EQ(verdicts(report), "PFPFFP");
  ASSERT_THAT(report.findings, SizeIs(3));
  EXPECT_THAT(report.findings[0].message, HasSubstr("matrix multiplication"));
  EXPECT_THAT(report.findings[0].nodes, ElementsAre(1));
  EXPECT_THAT(report.findings[2].message, HasSubstr("Nonsense"));
}

TEST_F(RunNodes, FailuresThatOnlyARunShowsAreFound) {
  // The index is out of bounds, which no inference sees.
  const Report report =
      run(parse("g (float[4] x) => (float[1] y, float[4] z) { s = Shape(x)  y = Gather(x, s)  z = Neg(x) }"));
  EXPECT_EQ(verdicts(report), "PFP");
}

TEST_F(RunNodes, NodesBelowAFailureAreLoadedIfTheTypesAreKnown) {
  // Both read the result of a node that fails; one of them is wrong itself.
  model::Model model =
      parse("g (float[2,4] x) => (float[2,4] y, float[2,4] z) { t = Nonsense(x)  y = Relu<alpha = 2>(t)  z = Neg(t) }");
  EXPECT_EQ(verdicts(run(model)), "F??");
  onnx::ValueInfoProto* value = model.graph().add_value_info();
  *value = model.graph().input(0);
  value->set_name("t");
  EXPECT_EQ(verdicts(run(model)), "FFP");
}

TEST_F(RunNodes, NodesOfUnknownDomainsAreAWarning) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { t = foo.Bar(x)  y = Relu(x) }");
  onnx::OperatorSetIdProto* opset = model.proto.add_opset_import();
  opset->set_domain("foo");
  opset->set_version(1);
  const Report report = run(model);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_EQ(verdicts(report), "FP");
  // ONNX Runtime doesn't even look for the operator if the model doesn't import its domain.
  model.proto.mutable_opset_import()->RemoveLast();
  const Report without_import = run(model);
  ASSERT_THAT(without_import.findings, SizeIs(1));
  EXPECT_EQ(without_import.findings[0].severity, Severity::warning);
}

TEST_F(RunNodes, RejectedByTheCheckerButNotTheEngineIsAWarning) {
  // ONNX has LayerNormalization since opset 17, ONNX Runtime has had it before.
  const model::Model model = model::parse_text(
                                 "<ir_version: 7, opset_import: [\"\" : 12]> g (float[1,4] x) => (float[1,4] y) "
                                 "<float[4] s = {1,1,1,1}, float[4] b = {0,0,0,0}> { y = LayerNormalization(x, s, b) }")
                                 .value();
  const auto inputs = [&](std::span<const tensor::TensorSpec> ports) {
    return tensor::generate_inputs(ports, {}, 0, log_);
  };
  const Engine engine{pool_, spec_, {.time_s = 60, .memory_bytes = {}}, inputs};
  const Report report = lint_model(model, &engine, log_).value();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_EQ(report.nodes[0].checker, CheckResult::fails);
  EXPECT_EQ(report.nodes[0].engine, CheckResult::passes);
}

TEST_F(RunNodes, CyclesAndMissingTensorsDontHideOtherFailures) {
  const Report report =
      run(parse("g (float[2] x) => (float[2] y, float[2] z) { a = Add(x, b)  b = Relu(a)  y = Neg(nowhere)  z = "
                "Nonsense(x)  v = Abs(x) }"));
  EXPECT_EQ(verdicts(report).substr(3), "FP");
}

TEST_F(RunNodes, AWronglyDeclaredTypeIsAFailureOfTheNode) {
  const auto inputs = [&](std::span<const tensor::TensorSpec> ports) {
    return tensor::generate_inputs(ports, {}, 0, log_);
  };
  const Engine engine{pool_, spec_, {.time_s = 60, .memory_bytes = {}}, inputs};
  const model::Model model = parse("g (float[2] x) => (int64[2] y, float[2] z) { z = Neg(x)  y = Relu(x) }");
  const Report report = lint_model(model, &engine, log_).value();
  EXPECT_EQ(verdicts(report), "PF");
  EXPECT_THAT(report.findings, testing::Contains(testing::AllOf(testing::Field(&Finding::severity, Severity::exception),
                                                                testing::Field(&Finding::source, Source::checker))));
}

TEST_F(RunNodes, AModelThatTheEngineCannotRunIsNotCalledSound) {
  const auto inputs = [&](std::span<const tensor::TensorSpec> ports) {
    return tensor::generate_inputs(ports, {}, 0, log_);
  };
  const Engine engine{pool_, spec_, {.time_s = 60, .memory_bytes = {}}, inputs};
  const Report report = lint_model(parse("g (float[2] x) => () { y = Relu(x) }"), &engine, log_).value();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].severity, Severity::exception);
  EXPECT_EQ(report.findings[0].message, "The model has no outputs, so ONNX Runtime refuses to run it");
}

TEST_F(RunNodes, AModelWithAnInputThatCannotBeFedIsOnlyLoaded) {
  EXPECT_EQ(verdicts(run(parse("g (seq(float[N]) s) => (int64 n) { n = SequenceLength(s) }"))), "P");
  EXPECT_THAT(log_.text(),
              HasSubstr("only loaded, not run: the input 's' isn't a tensor, and only tensors can be fed"));
}

TEST_F(RunNodes, WithoutExternalDataNoEngineIsAsked) {
  const auto inputs = [&](std::span<const tensor::TensorSpec> ports) {
    return tensor::generate_inputs(ports, {}, 0, log_);
  };
  const Engine engine{pool_, spec_, {.time_s = 60, .memory_bytes = {}}, inputs};
  const model::Model model =
      model::load(test::models_dir() / "ext_weights.onnx", {.ignore_external_data = true}).value();
  const Report report = lint_model(model, &engine, log_).value();
  EXPECT_TRUE(report.passes());
  EXPECT_THAT(report.nodes, Each(testing::Field(&NodeResults::engine, CheckResult::unknown)));
}

TEST_F(RunNodes, ACrashOfTheEngineIsAFinding) {
  worker::Pool fakes({test::fakes_dir(), 1}, stop_);
  spec_ = {"fake", {}, {{"behaviour", "segfault"}}};
  const Report report = run(parse("g (float[2] x) => (float[2] y) { t = Relu(x)  y = Neg(t) }"), fakes);
  EXPECT_EQ(verdicts(report), "FF");
  EXPECT_THAT(report.findings, Each(testing::Field(&Finding::message, HasSubstr("crashed with signal 11"))));
}

TEST_F(RunNodes, TheNodeThatHangsIsFound) {
  const Report report = run(parse(R"(g (float[2] x) => (float[2] a, float[2] y, float[2] b) <bool c = {1}> {
      a = Relu(x)  b = Neg(x)
      y = Loop(, c, x) <body = b (int64 i, bool go, float[2] s) => (bool on, float[2] t) {
                          on = Identity(go)  t = Identity(s) }>
      z = Abs(x) })"),
                            pool_, 4);
  EXPECT_EQ(verdicts(report), "PPFP");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].nodes, ElementsAre(2));
  EXPECT_THAT(report.findings[0].message, HasSubstr("did not end within 4 s"));
}

TEST_F(RunNodes, NodesThatAreSkippedAreReported) {
  worker::Pool fakes({test::fakes_dir(), 1}, stop_);
  spec_ = {"fake", {}, {{"load", "hang"}}};
  const Report report = run(parse("g (float[2] x) => (float[2] a, float[2] b, float[2] c, float[2] d) {"
                                  "  a = Relu(x)  b = Neg(x)  c = Abs(x)  d = Exp(x) }"),
                            fakes, 0.2);
  EXPECT_EQ(verdicts(report), "FF??");
  ASSERT_THAT(report.findings, SizeIs(3));
  EXPECT_EQ(report.findings[2].severity, Severity::warning);
  EXPECT_EQ(report.findings[2].message, "2 nodes were not checked, because too many runs did not end within 0.2 s");
}

}  // namespace
}  // namespace assay::lint
