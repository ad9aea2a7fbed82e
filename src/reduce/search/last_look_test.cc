#include "reduce/search/last_look.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "edit/model_texts.h"
#include "model/inference/check.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

bool has_operator(const model::Model& model, std::string_view op_type) {
  return std::ranges::any_of(model.graph().node(), [&](const auto& node) { return node.op_type() == op_type; });
}

Verdict fails_if(bool fails) {
  return {.kind = fails ? Kind::fails : Kind::passes, .text = fails ? "exit status 1" : "exit status 0"};
}

tensor::Tensor floats(const std::vector<float>& values) {
  return tensor::Tensor::of<float>(tensor::ElementType::float32, {std::ssize(values)}, values);
}

// A reference that returns these values for any model, or nothing if it lacks one of them.
class KnownReference final : public Reference {
 public:
  explicit KnownReference(std::map<std::string, tensor::Tensor> values) : values_(std::move(values)) {}
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    tensor::NamedTensors result;
    for (const std::string& name : names) {
      const auto at = values_.find(name);
      if (at == values_.end()) return {};
      result.set(name, at->second);
    }
    return result;
  }

 private:
  std::map<std::string, tensor::Tensor> values_;
};

// Every node that remains was removed, so what the oracle needs besides nodes doesn't hide one.
TEST(LastLook, RemovesANodeWhoseOutputHasToBeTheRecordedValue) {
  const model::Model model =
      edit::test::parse("g (float[2] x) => (float[2] y) { a = Exp (x) b = Neg (a) c = Abs (b) y = Sqrt (c) }");
  const auto judge = [](const model::Model& candidate) {
    for (const onnx::NodeProto& node : candidate.graph().node()) {
      if (node.op_type() != "Sqrt") continue;
      const auto& inputs = candidate.graph().input();
      return fails_if(std::ranges::none_of(inputs, [&](const auto& input) { return input.name() == node.input(0); }));
    }
    return fails_if(false);
  };
  test::FunctionJudges judges(1, judge);
  ReduceParts parts = test::bare_parts(judges);
  parts.reference = [](const edit::Subject&, const edit::TensorFacts&) {
    const tensor::Tensor value = floats({1, 2});
    return std::make_unique<KnownReference>(
        std::map<std::string, tensor::Tensor>{{"a", value}, {"b", value}, {"c", value}});
  };
  const auto reduction = test::reduce(model, {}, parts);
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(reduction->nodes_after, 1) << edit::test::text(*reduction->model);
  EXPECT_TRUE(has_operator(*reduction->model, "Sqrt"));
  EXPECT_TRUE(reduction->untried.empty());
}

// A check that fails if there is a Scan, whatever its body computes.
TEST(LastLook, ReturnsZerosFromABodyThatOnlyHasToExist) {
  const model::Model model = edit::test::parse(
      "g (float[2] h, float[3,2] x) => (float[2] y, float[3,4] z) { y, z = Scan <num_scan_inputs = 1, body = b "
      "(float[2] s, float[2] v) => (float[2] t, w) { t = Add (s, v) w = Concat <axis = 0> (t, v) }> (h, x) }");
  test::FunctionJudges judges(1, [](const model::Model& candidate) {
    edit::test::expect_valid(candidate);
    return fails_if(has_operator(candidate, "Scan"));
  });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(count_all_nodes(*reduction->model), 1) << edit::test::text(*reduction->model);
  EXPECT_TRUE(reduction->untried.empty());
}

// The branches of the inner If have different ranks, so the rank of its output, and so of the result, isn't known.
// ONNX's checker wants outputs to have shapes, so candidates aren't checked here (body_removals_test.cc does that).
TEST(LastLook, ReturnsZerosOfABranchInPlaceOfAnIfOfUnknownRank) {
  const model::Model model = edit::test::parse(
      "g (bool c, bool d, float[2] x, float[2,3] z) => (int64 n) { y = If (c) <then_branch = t () => (float[] t_y) "
      "{ t_y = If (d) <then_branch = u () => (float[2] u_y) { u_y = Neg (x) }, else_branch = v () => (float[2,3] v_y) "
      "{ v_y = Neg (z) }> }, else_branch = e () => (float[2] e_y) { e_y = Exp (x) }> n = Size (y) }");
  test::FunctionJudges judges(1, [](const model::Model& candidate) { return fails_if(has_operator(candidate, "If")); });
  ReduceOptions options;
  options.skip = {"replace-if-by-branch"};
  const auto reduction = test::reduce(model, options, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(count_all_nodes(*reduction->model), 1) << edit::test::text(*reduction->model);
  EXPECT_TRUE(reduction->untried.empty());
}

// Before IR version 4, a body can't return an initializer, so nothing but another node could take the Sin's place.
TEST(LastLook, NamesANodeWhoseOutputABodyHasToReturn) {
  const model::Model model = edit::test::parse(
      "g (bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] t_y) { t_y = Sin (x) }, "
      "else_branch = e () => (float[2] e_y) { e_y = Sin (x) }> }",
      "ir_version: 3, opset_import: [\"\" : 17]");
  const auto has_sines = [](const model::Model& candidate) {
    for (const onnx::NodeProto& node : candidate.graph().node()) {
      const auto is_sine = [](const onnx::AttributeProto& attribute) {
        return attribute.g().node_size() == 1 && attribute.g().node(0).op_type() == "Sin";
      };
      if (node.op_type() == "If") return std::ranges::all_of(node.attribute(), is_sine);
    }
    return false;
  };
  test::FunctionJudges judges(1, [&](const model::Model& candidate) { return fails_if(has_sines(candidate)); });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(count_all_nodes(*reduction->model), 3);
  EXPECT_THAT(reduction->untried, testing::ElementsAre(testing::HasSubstr("Sin 't_y' in the body of 'y': the body"),
                                                       testing::HasSubstr("Sin 'e_y' in the body of 'y': the body")));
}

// Constants of bodies count as nodes if the failure needs Constant nodes to be nodes. The body as a whole isn't
// searched, since it has no initializers here.
TEST(LastLook, RemovesConstantNodesOfBodiesThatCountAsNodes) {
  const model::Model model = edit::test::parse(
      "g (bool c, float[2] x) => (float[2] y) { k = Constant <value = float[2] {1, 2}> () a = Add (x, k) "
      "y = If (c) <then_branch = t () => (float[2] t_y) { u = Constant <value = float[2] {3, 4}> () "
      "t_y = Mul (a, u) }, else_branch = e () => (float[2] e_y) { e_y = Mul (a, a) }> }");
  const auto fails = [](const model::Model& candidate) {
    if (!has_operator(candidate, "Constant") || !has_operator(candidate, "If")) return false;
    for (const onnx::NodeProto& node : candidate.graph().node()) {
      const auto multiplies = [](const onnx::AttributeProto& attribute) {
        const auto is_mul = [](const onnx::NodeProto& inner) { return inner.op_type() == "Mul"; };
        return attribute.g().initializer().empty() && std::ranges::any_of(attribute.g().node(), is_mul);
      };
      if (node.op_type() == "If") return std::ranges::all_of(node.attribute(), multiplies);
    }
    return false;
  };
  test::FunctionJudges judges(1, [&](const model::Model& candidate) { return fails_if(fails(candidate)); });
  ReduceOptions options;
  options.skip = {"remove-body-nodes"};
  const auto reduction = test::reduce(model, options, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(count_all_nodes(*reduction->model, Constants::as_nodes), 4) << edit::test::text(*reduction->model);
  EXPECT_EQ(reduction->nodes_after, 4);
  EXPECT_THAT(reduction->untried, testing::IsEmpty());
}

TEST(LastLook, TriesInputsOfUnknownRankLast) {
  const model::Model model =
      edit::test::parse("g (float[2] x) => (float y) { a, b = custom.Make (x) c = custom.Mix (a, b) y = Identity (c) }",
                        R"(ir_version: 8, opset_import: ["" : 17, "custom" : 1])");
  test::FunctionJudges judges(1, [](const auto& candidate) { return fails_if(has_operator(candidate, "Identity")); });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(reduction->nodes_after, 1);
  ASSERT_EQ(reduction->model->graph().input_size(), 1);
  EXPECT_EQ(reduction->model->graph().input(0).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT);
  EXPECT_EQ(reduction->stop_reason, Reduction::StopReason::minimal);
}

// A candidate keeps the sizes of the model that it was cut from, whether or not anything in it is frozen.
TEST(LastLook, KeepsTheSizesThatTheSmallerModelWasFoundWith) {
  const model::Model model = edit::test::parse(
      "g (float[N] x, float[2] z) => (float[N] y) { s = Shape (x) a = Reshape (x, s) b = Neg (a) y = Exp (b) }");
  const auto judge = [](const model::Model& candidate) {
    const bool is_static = std::ranges::all_of(candidate.graph().input(), [](const auto& input) {
      return input.type().tensor_type().shape().dim(0).has_dim_value();
    });
    const bool is_whole = candidate.graph().node_size() > 3;
    return fails_if(has_operator(candidate, "Exp") && (is_whole || is_static));
  };
  test::FunctionJudges judges(1, judge);
  ReduceParts parts = test::bare_parts(judges);
  parts.reference = [](const edit::Subject&, const edit::TensorFacts&) {
    const tensor::Tensor data = floats({1});
    const auto size = tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {1}, std::vector<std::int64_t>{1});
    return std::make_unique<KnownReference>(
        std::map<std::string, tensor::Tensor>{{"x", data}, {"a", data}, {"b", data}, {"s", size}});
  };
  const auto reduction = test::reduce(model, {}, parts);
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(reduction->nodes_after, 1);
}

// The original's value of `ids` has more elements than the smaller model's once shrink-dimensions has run.
TEST(LastLook, FreezesNoValuesOfSizesThatWereReduced) {
  const model::Model model = edit::test::parse(R"(g (float[4,3] x) => (float[4,3,2] y)
      <float[5,2] w = {1,2,3,4,5,6,7,8,9,10}> { ids = Cast <to = 7> (x) y = Gather (w, ids) })");
  const auto first_size = [](const model::Model& of) {
    return of.graph().input().empty() ? 0 : of.graph().input(0).type().tensor_type().shape().dim(0).dim_value();
  };
  int shrunk = 0;
  test::FunctionJudges judges(1, [&](const model::Model& candidate) {
    const base::Status valid = model::full_check(candidate);
    EXPECT_TRUE(valid.has_value()) << valid.error().message() << "\n" << edit::test::text(candidate);
    const bool fails = has_operator(candidate, "Cast") && has_operator(candidate, "Gather");
    if (fails && first_size(candidate) == 1) ++shrunk;
    return fails_if(fails);
  });
  ReduceParts parts = test::bare_parts(judges);
  parts.reference = [&](const edit::Subject& subject, const edit::TensorFacts&) -> std::unique_ptr<Reference> {
    if (first_size(subject.model()) != 4) return nullptr;
    const auto ids =
        tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {4, 3}, std::vector<std::int64_t>(12));
    return std::make_unique<KnownReference>(std::map<std::string, tensor::Tensor>{{"ids", ids}});
  };
  ReduceOptions options{.thorough = true};
  options.skip = {"lower-opsets", "shrink-inputs", "tidy-names"};
  const auto reduction = test::reduce(model, options, parts);
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(reduction->nodes_after, 2);
  EXPECT_GT(shrunk, 0);
}

TEST(LastLook, SaysThatAModelWithoutNodesFailsToo) {
  const model::Model model = edit::test::parse("g (float[2] x) => (float[2] y) { a = Exp (x) y = Neg (a) }");
  test::FunctionJudges judges(1, [](const auto&) { return fails_if(true); });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value());
  EXPECT_EQ(reduction->nodes_after, 1);
  EXPECT_TRUE(reduction->empty_fails);
}

// One pass of an intermittent check proves little: wrong passes are found.
TEST(LastLook, SearchesAgainWithRepeatsIfACandidateThatPassedFails) {
  const model::Model model = edit::test::parse(
      "g (float[2] x) => (float[2] y) { a = Exp (x) b = Neg (a) c = Abs (b) d = Sqrt (c) e = Tanh (d) y = Sin (e) }");
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const auto judge = [&](const model::Model& candidate) {
      return fails_if(has_operator(candidate, "Abs") && random() % 5 < 2);
    };
    test::FunctionJudges judges(1, judge);
    const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
    if (!reduction) continue;  // the model happened to pass each of its first runs
    if (reduction->stop_reason == Reduction::StopReason::minimal) {
      EXPECT_EQ(reduction->nodes_after, 1) << "seed " << seed;
    }
  }
}

// Returns the names of the operators in the functions, in alphabetical order.
std::vector<std::string> operators_in_functions(const model::Model& model) {
  std::vector<std::string> names;
  for (const onnx::FunctionProto& function : model.proto.functions()) {
    for (const onnx::NodeProto& node : function.node()) names.push_back(node.op_type());
  }
  std::ranges::sort(names);
  return names;
}

TEST(LastLook, RemovesNodesOfFunctionsThatHaveToBeCalled) {
  const model::Model model =
      edit::test::parse(R"(g (float[2] x) => (float[2] y) { a = Exp (x) b = own.f (a) y = Neg (b) }
      <domain: "own", opset_import: ["" : 17, "own" : 1]> f (u) => (v) { a = Abs (u)  b = Sin (a)
          c = own.g (b)  v = Tanh (c) }
      <domain: "own", opset_import: ["" : 17]> g (u) => (v) { a = Abs (u)  b = Cos (a)  v = Tanh (b) })",
                        R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
  // Fails if a function with a Sin calls one with a Cos.
  const auto fails = [](const model::Model& candidate) {
    const std::vector<std::string> names = operators_in_functions(candidate);
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    return has("Sin") && has("Cos") && has("g") && has_operator(candidate, "f");
  };
  for (const int slots : {1, 4}) {
    test::FunctionJudges judges(slots, [&](const auto& candidate) { return fails_if(fails(candidate)); });
    const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
    ASSERT_TRUE(reduction.has_value());
    EXPECT_EQ(reduction->model->graph().node_size(), 1);
    EXPECT_THAT(operators_in_functions(*reduction->model), testing::ElementsAre("Cos", "Sin", "g"));
    EXPECT_THAT(reduction->untried, testing::IsEmpty());
    edit::test::expect_valid(*reduction->model);
  }
}

TEST(LastLook, RemovesNodesOfFunctionsWhoseResultsNoCallerReads) {
  // The names of the function are those of the graph, which must not be mixed up.
  const model::Model model = edit::test::parse(R"(g (float[2] x) => (float[2] y) { a, y = own.f (x) }
      <domain: "own", opset_import: ["" : 17]> f (x) => (a, y) { a = Abs (x)  b = Neg (a)  y = Cos (x) })",
                                               R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
  const auto judge = [](const model::Model& candidate) {
    const std::vector<std::string> names = operators_in_functions(candidate);
    return fails_if(has_operator(candidate, "f") && std::ranges::find(names, "Cos") != names.end());
  };
  test::FunctionJudges judges(1, judge);
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value());
  EXPECT_THAT(operators_in_functions(*reduction->model), testing::ElementsAre("Cos"));
  EXPECT_THAT(reduction->model->graph().node(0).output(), testing::ElementsAre("y"));
  edit::test::expect_valid(*reduction->model);
}

TEST(LastLook, RemovesNodesOfFunctionsWhoseResultsOnlyTheModelReturns) {
  const model::Model model = edit::test::parse(R"(g (float[2] x) => (float[2] y) { a, y = own.f (x) }
      <domain: "own", opset_import: ["" : 17, "own" : 1]> f (x) => (a, y) { a = Abs (x)  b, y = own.g (x) }
      <domain: "own", opset_import: ["" : 17]> g (x) => (a, y) { a = Tan (x)  y = Cos (x) })",
                                               R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
  using Names = std::vector<std::string>;
  for (const Names& needed : {Names{"Abs"}, Names{"Abs", "Tan", "g"}}) {
    const auto judge = [&](const model::Model& candidate) {
      return fails_if(has_operator(candidate, "f") && std::ranges::includes(operators_in_functions(candidate), needed));
    };
    test::FunctionJudges judges(1, judge);
    const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
    ASSERT_TRUE(reduction.has_value());
    EXPECT_EQ(operators_in_functions(*reduction->model), needed);
    EXPECT_THAT(reduction->model->graph().node(0).output(), testing::SizeIs(1));
    EXPECT_THAT(reduction->untried, testing::IsEmpty());
    edit::test::expect_valid(*reduction->model);
  }
}

TEST(LastLook, GivesAFunctionAnInputInPlaceOfANode) {
  const model::Model model = edit::test::parse(R"(g (float[2] x) => (float[2] y) { y = own.f (x) }
      <domain: "own", opset_import: ["" : 17, "own" : 1]> f (u) => (v) { a = own.g (u)  v = Tanh (a) }
      <domain: "own", opset_import: ["" : 17]> g (u) => (v) { e = RandomNormal <shape = [2]> ()  v = Add (u, e) })",
                                               R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
  // Fails if the function g adds something.
  const auto fails = [](const model::Model& candidate) {
    const std::vector<std::string> names = operators_in_functions(candidate);
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    return has("Add") && has("g") && has_operator(candidate, "f");
  };
  test::FunctionJudges judges(1, [&](const auto& candidate) { return fails_if(fails(candidate)); });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value());
  EXPECT_THAT(operators_in_functions(*reduction->model), testing::ElementsAre("Add", "g"));
  edit::test::expect_valid(*reduction->model);
}

TEST(LastLook, LetsNoFunctionReturnAnInput) {
  const model::Model model = edit::test::parse(R"(g (float[2] x) => (float[2] y) { y = own.f (x) }
      <domain: "own", opset_import: ["" : 17]> f (u) => (v) { a = Shape (u)  v = Expand (u, a) })",
                                               R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
  const auto returns_input = [](const onnx::FunctionProto& function) {
    return function.node_size() == 0 || function.input(0) == function.output(0);
  };
  // Fails if it calls a function, without looking at it.
  test::FunctionJudges judges(1, [&](const auto& candidate) {
    EXPECT_TRUE(std::ranges::none_of(candidate.proto.functions(), returns_input));
    return fails_if(has_operator(candidate, "f"));
  });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value());
  EXPECT_THAT(operators_in_functions(*reduction->model), testing::Contains("Expand"));
  EXPECT_THAT(reduction->untried, testing::IsEmpty());
}

TEST(LastLook, NamesFunctionsThatNothingCalls) {
  const model::Model model = edit::test::parse(
      "g (float[2] x) => (float[2] y) { a = Exp (x) y = Neg (a) }\n"
      "<domain: \"local\", opset_import: [\"\" : 17]> unused (u) => (v) { v = Abs (u) }",
      R"(ir_version: 8, opset_import: ["" : 17, "local" : 1])");
  test::FunctionJudges judges(1, [](const auto& candidate) { return fails_if(candidate.proto.functions_size() == 1); });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value());
  EXPECT_THAT(reduction->uncalled_functions, testing::ElementsAre("unused"));
  EXPECT_THAT(reduction->untried, testing::IsEmpty());
}

// A model with a function that a node calls and two that none calls.
model::Model with_functions() {
  return edit::test::parse(R"(g (float[2] x) => (float[2] y) { a = own.called (x) y = Neg (a) }
      <domain: "own", opset_import: ["" : 17]> first (u) => (v) { v = Abs (u) }
      <domain: "own", opset_import: ["" : 17]> called (u) => (v) { v = Exp (u) }
      <domain: "own", opset_import: ["" : 17]> needed (u) => (v) { v = Sin (u) })",
                           R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
}

Verdict fails_with_needed_function(const model::Model& candidate) {
  return fails_if(std::ranges::any_of(candidate.proto.functions(),
                                      [](const onnx::FunctionProto& function) { return function.name() == "needed"; }));
}

// Removing all uncalled functions together is in vain.
TEST(LastLook, RemovesEachFunctionThatNothingCalls) {
  for (const bool skips_pass : {false, true}) {
    test::FunctionJudges judges(1, fails_with_needed_function);
    ReduceOptions options;
    if (skips_pass) options.skip.insert("drop-unused-functions");
    const auto reduction = test::reduce(with_functions(), options, test::bare_parts(judges));
    ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
    EXPECT_THAT(reduction->uncalled_functions, testing::ElementsAre("needed"));
    const auto has_first = [](const onnx::FunctionProto& function) { return function.name() == "first"; };
    EXPECT_TRUE(std::ranges::none_of(reduction->model->proto.functions(), has_first));
  }
}

// It is unknown whether the failure needs them.
TEST(LastLook, NamesNoFunctionsIfItDoesNotEnd) {
  for (const Mode mode : {Mode::minimal, Mode::bisect, Mode::linear}) {
    test::FunctionJudges judges(1, fails_with_needed_function);
    ReduceOptions options{.mode = mode};
    if (mode == Mode::minimal) options.skip.emplace(kVerify);
    const auto reduction = test::reduce(with_functions(), options, test::bare_parts(judges));
    ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
    EXPECT_THAT(reduction->uncalled_functions, testing::IsEmpty());
  }
}

// The check fails if an output is infinite: computed by the Exp, or a constant of that value.
TEST(LastLook, TheOnlyNodeIsntReplacedByWhatItComputes) {
  const model::Model model = edit::test::parse("g () => (float[2] y) <float[2] x = {1, 1000}> { y = Exp (x) }");
  const auto judge = [](const model::Model& candidate) {
    const auto& inputs = candidate.graph().input();
    return fails_if(has_operator(candidate, "Exp") ||
                    std::ranges::none_of(inputs, [](const auto& input) { return input.name() == "y"; }));
  };
  test::FunctionJudges judges(1, judge);
  ReduceParts parts = test::bare_parts(judges);
  parts.reference = [](const edit::Subject&, const edit::TensorFacts&) {
    const tensor::Tensor value = floats({2.7F, std::numeric_limits<float>::infinity()});
    return std::make_unique<KnownReference>(std::map<std::string, tensor::Tensor>{{"y", value}});
  };
  const auto reduction = test::reduce(model, {}, parts);
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(reduction->nodes_after, 1);
  EXPECT_FALSE(reduction->empty_fails);
}

// Without the Concat, the MatMul multiplies matrices whose sizes don't match, and ONNX infers no shape for its output.
TEST(LastLook, ABypassThatChangesSizesKeepsTheRanksOfOutputs) {
  const model::Model model = edit::test::parse(
      "g (float[2,3] x, float[1,3] p, float[2,3] w) => (float[2,3] y) { c = Concat <axis = 0> (x, p) y = MatMul (w, c) "
      "}");
  int invalid = 0;
  test::FunctionJudges judges(1, [&](const model::Model& candidate) {
    if (!model::check(candidate)) ++invalid;
    return fails_if(has_operator(candidate, "Concat") && has_operator(candidate, "MatMul"));
  });
  const auto reduction = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(reduction.has_value()) << reduction.error().message();
  EXPECT_EQ(reduction->nodes_after, 2);
  EXPECT_EQ(invalid, 0);
}

// Fails if a node of this type reads nothing but what is computed from what Exp computes.
test::FunctionJudges::Function reads_only_exp(const std::string& op_type) {
  return [op_type](const model::Model& candidate) {
    std::set<std::string> reached;
    bool fails = false;
    for (const onnx::NodeProto& node : candidate.graph().node()) {
      const auto is_reached = [&](const std::string& name) { return reached.contains(name); };
      if (node.op_type() == "Exp" || std::ranges::any_of(node.input(), is_reached)) reached.insert(node.output(0));
      fails = fails || (node.op_type() == op_type && std::ranges::all_of(node.input(), is_reached));
    }
    return fails_if(fails);
  };
}

// Neither the Unsqueeze nor the Squeeze can be bypassed alone, since their readers need the rank.
TEST(LastLook, BypassesNodesThatKeepTheTypeOnlyTogether) {
  const model::Model model = edit::test::parse(R"(g (float[2] x) => (float[2] y) <int64[1] axes = {0}> {
      a = Exp(x)  b = Unsqueeze(a, axes)  c = Squeeze(b, axes)  y = Log(c) })");
  test::FunctionJudges judges(1, reads_only_exp("Log"));
  const auto result = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->model->graph().node_size(), 2) << edit::test::text(*result->model);
}

// The path through them isn't the only one from the Exp to the Add.
TEST(LastLook, BypassesNodesThatKeepTheTypeOnlyTogetherOnABranch) {
  const model::Model model = edit::test::parse(R"(g (float[2] x) => (float[2] y) <int64[1] axes = {0}> {
      a = Exp(x)  b = Unsqueeze(a, axes)  c = Squeeze(b, axes)  y = Add(a, c) })");
  test::FunctionJudges judges(1, reads_only_exp("Add"));
  const auto result = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(result.has_value()) << result.error().message();
  std::vector<std::string> types;
  for (const onnx::NodeProto& node : result->model->graph().node()) types.push_back(node.op_type());
  EXPECT_THAT(types, testing::ElementsAre("Exp", "Add"));
}

std::vector<std::string> operators_that_lead_from_exp_to_log(const std::string& graph) {
  test::FunctionJudges judges(1, reads_only_exp("Log"));
  const auto result = test::reduce(edit::test::parse(graph), {}, test::bare_parts(judges));
  std::vector<std::string> types;
  if (!result) return types;
  for (const onnx::NodeProto& node : result->model->graph().node()) types.push_back(node.op_type());
  return types;
}

// The nodes begin with any input, and end with the input that has the type of another one.
TEST(LastLook, BypassesNodesThatKeepTheTypeOnlyTogetherFromEachInput) {
  EXPECT_THAT(operators_that_lead_from_exp_to_log(R"(g (float[2] x, float[2] z) => (float[2] y) <int64 one = {1}> {
                  a = Exp(x) b = SequenceConstruct(z, a) c = SequenceAt(b, one) y = Log(c) })"),
              testing::ElementsAre("Exp", "Log"));
  EXPECT_THAT(operators_that_lead_from_exp_to_log(R"(g (float[2] x, float[2] z) => (float[2] y) {
                  a = Exp(x) b = Shape(a) c = Reshape(z, b) y = Log(c) })"),
              testing::ElementsAre("Exp", "Log"));
}

TEST(LastLook, ListsEachBypassOnce) {
  test::FunctionJudges judges(1, reads_only_exp("Log"));
  ReduceParts parts = test::bare_parts(judges);
  std::vector<std::string> tried;
  parts.explore.show_progress = [&](const Progress& progress) {
    if (progress.pass == kVerify && progress.ended) tried.emplace_back(progress.ended->what);
  };
  ASSERT_TRUE(test::reduce(edit::test::parse("g (float[2] x) => (float[2] y) { a = Exp(x) y = Log(a) }"), {}, parts));
  EXPECT_THAT(tried, testing::Contains(testing::HasSubstr("bypassed: 'x' in place of 'a'")).Times(1));
}

// The readers accept another rank, so what remains of a path between the culprits isn't needed.
TEST(LastLook, BypassesNodesThatChangeTheRank) {
  EXPECT_THAT(operators_that_lead_from_exp_to_log(R"(g (float[2,3] x) => (float[6] y) <int64[1] all = {-1}> {
                  a = Exp(x) b = Reshape(a, all) y = Log(b) })"),
              testing::ElementsAre("Exp", "Log"));
  EXPECT_THAT(operators_that_lead_from_exp_to_log(R"(g (float[1,6] x) => (float[1,2,4] y) <int64[3] s = {1,2,4}> {
                  a = Exp(x) b = ReduceMax<keepdims = 0>(a) c = Expand(b, s) y = Log(c) })"),
              testing::ElementsAre("Exp", "Log"));
}

TEST(LastLook, BypassesNoNodeWhoseReaderNeedsTheRank) {
  const model::Model model = edit::test::parse(R"(g (float[4] x) => (float[1,1,2,2] y)
      <int64[4] s = {1,1,2,2}, float[1,1,1,1] w = {2}> { a = Exp(x) b = Reshape(a, s) y = Conv(b, w) })");
  int invalid = 0;
  test::FunctionJudges judges(1, [&](const model::Model& candidate) {
    bool reads_exp = false;
    for (const onnx::NodeProto& node : candidate.graph().node()) {
      if (node.op_type() == "Conv" && node.input(0) == "a") ++invalid;
      reads_exp = reads_exp || (node.op_type() == "Reshape" && node.input(0) == "a");
    }
    return fails_if(reads_exp && has_operator(candidate, "Exp") && has_operator(candidate, "Conv"));
  });
  const auto result = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->nodes_after, 3);
  EXPECT_EQ(invalid, 0);
}

// One of the nodes between the two culprits also belongs to the shorter way from one tensor to another.
TEST(LastLook, BypassesNodesBetweenSequences) {
  const model::Model model = edit::test::parse(R"(g (float[2] x) => (float[2] y) <int64 i = {0}> {
      [first] a = SequenceConstruct(x, x)  b = SequenceAt(a, i)  c = SequenceConstruct(b, x)
      [last] y = SequenceAt(c, i) })");
  test::FunctionJudges judges(1, [](const model::Model& candidate) {
    std::set<std::string> reached;
    bool fails = false;
    for (const onnx::NodeProto& node : candidate.graph().node()) {
      const bool is_reached =
          std::ranges::any_of(node.input(), [&](const std::string& name) { return reached.contains(name); });
      if (node.name() == "first" || is_reached) reached.insert(node.output(0));
      fails = fails || (node.name() == "last" && is_reached);
    }
    return fails_if(fails);
  });
  const auto result = test::reduce(model, {}, test::bare_parts(judges));
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->model->graph().node_size(), 2) << edit::test::text(*result->model);
}

}  // namespace
}  // namespace assay::reduce
