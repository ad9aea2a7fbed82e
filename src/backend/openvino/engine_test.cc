// Tests the worker with the real OpenVINO that scripts/setup.sh fetched.
#include "backend/openvino/engine.h"
#include "backend/engine_test_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/external_data.h"
#include "model/load.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"
#include "tests/support/processor.h"
#include "worker/engine.h"

namespace assay::backend {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using test::floats;
using test::from_text;
using test::message;
using test::named;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using worker::Failed;
using worker::InferResult;
using worker::Outcome;
using worker::Phase;
using worker::Session;

constexpr auto kAdd = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 2] x, float[3] unused) => (float[N, 2] y, float[N, 2] z) { y = Add(x, x) z = Neg(y) })";

class OpenVino : public testing::Test {
 protected:
  void SetUp() override {
    library_ = test::fetched_openvino();
    if (library_.empty()) GTEST_SKIP() << test::kNoOpenVino;
  }

  [[nodiscard]] worker::EngineSpec spec(std::map<std::string, std::string> options = {}) const {
    options.try_emplace("config.INFERENCE_PRECISION_HINT", "f32");  // some processors compute in bfloat16 otherwise
    return {.kind = "openvino", .library = library_, .options = std::move(options)};
  }
  Outcome<std::unique_ptr<Session>> load(const worker::ModelSource& model,
                                         std::map<std::string, std::string> options = {}) {
    return pool_.load(spec(std::move(options)), model, {});
  }
  Outcome<InferResult> run(const worker::ModelSource& model, const tensor::NamedTensors& feeds) {
    auto session = load(model);
    if (!session) return tl::make_unexpected(session.error());
    return (*session)->infer(feeds, {}, {});
  }
  // Runs "y = Identity(x)" with these values of a type and expects them as the output.
  void expect_back(ElementType type, const std::string& onnx_type, const Tensor& values) {
    const auto model = from_text("<ir_version: 12, opset_import: [\"\" : 24]> g (" + onnx_type + "[N] x) => (" +
                                 onnx_type + "[N] y) { y = Identity(x) }");
    const auto result = run(model, named("x", values));
    ASSERT_TRUE(result) << tensor::name(type) << ": " << describe(result.error());
    EXPECT_TRUE(tensor::identical(*result->outputs.find("y"), values)) << tensor::name(type);
  }

  std::string library_;
  base::Stop stop_;
  worker::Pool pool_{{test::workers_dir(), 4}, stop_};
};

TEST_F(OpenVino, ReportsThatItComputesInALowerPrecision) {
  const auto precision_of = [&](const std::string& hint) {
    const auto session = load(from_text(kAdd), {{"config.INFERENCE_PRECISION_HINT", hint}});
    return session ? (*session)->info().reduced_precision : describe(session.error());
  };
  EXPECT_EQ(precision_of("f32"), "");
  const std::string with_hint = precision_of("bf16");
  if (with_hint.empty() && !test::has_bfloat16()) GTEST_SKIP() << test::kNoBfloat16;
  EXPECT_EQ(with_hint, "bf16");
}

TEST_F(OpenVino, SavesTheCompiledModel) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  const auto blob = folder->path() / "model.blob";
  const auto session = load(from_text(kAdd), {{"save_built", blob.string()}});
  ASSERT_TRUE(session) << describe(session.error());
  EXPECT_GT(std::filesystem::file_size(blob), 0U);
  const auto refused = load(from_text(kAdd), {{"save_built", "/nowhere/model.blob"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(message(refused.error(), Phase::build),
              HasSubstr("cannot save the compiled model as '/nowhere/model.blob'"));
}

TEST_F(OpenVino, ReportsItsVersion) {
  const auto version = pool_.engine_version(spec(), {});
  ASSERT_TRUE(version) << describe(version.error());
  EXPECT_THAT(*version, StartsWith("20"));
}

// Copies the library to `folder`, without the function that takes strings, and links to its other files.
std::string without_strings(const std::filesystem::path& library, const std::filesystem::path& folder) {
  const auto files = base::list_folder(library.parent_path()).value();
  for (const std::filesystem::path& file : files) {
    if (file.filename() == library.filename()) continue;
    std::filesystem::create_symlink(file, folder / file.filename());
  }
  std::string bytes = base::read_file(library).value();
  constexpr std::string_view kFunction = "ov_tensor_create_from_string_array";
  for (std::size_t at = bytes.find(kFunction); at != std::string::npos; at = bytes.find(kFunction, at)) bytes[at] = '_';
  const std::filesystem::path copy = folder / library.filename();
  EXPECT_TRUE(base::write_file(copy, bytes));
  return copy;
}

TEST_F(OpenVino, AnOlderVersionRunsModelsWithoutStrings) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  library_ = without_strings(library_, folder->path());
  expect_back(ElementType::float32, "float", floats({2}, {1, 2}));
  const auto result = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (string[N] x) => (int64[1] y) { y = Shape(x) })"),
                          named("x", Tensor::make_strings({1}, {"a"}).value()));
  ASSERT_FALSE(result);
  EXPECT_THAT(message(result.error(), Phase::run), HasSubstr("can't pass strings; that of 2025.2 and later can"));
}

TEST_F(OpenVino, RunsARealModelFromItsFile) {
  auto session = load(worker::ModelFile{test::models_dir() / "mnist_quantized.onnx"});
  ASSERT_TRUE(session) << describe(session.error());
  const worker::SessionInfo& info = (*session)->info();
  ASSERT_EQ(info.inputs.size(), 1U);
  EXPECT_THAT(info.inputs[0].shape, ElementsAre(1, 1, 28, 28));
  const auto result =
      (*session)->infer(named(info.inputs[0].name, floats({1, 1, 28, 28}, std::vector<float>(784, 0.5F))), {}, {});
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->outputs.begin()->second.shape(), (tensor::Shape{1, 10}));
}

TEST_F(OpenVino, GivesOutputsByNameForEveryShape) {
  auto session = load(from_text(kAdd));
  ASSERT_TRUE(session) << describe(session.error());
  for (const std::int64_t rows : {1, 3, 0, 2}) {
    tensor::NamedTensors feeds =
        named("x", floats({rows, 2}, std::vector<float>(static_cast<std::size_t>(rows) * 2, 1.5F)));
    feeds.set("unused", floats({3}, {0, 0, 0}));
    const auto result = (*session)->infer(feeds, {"z", "y"}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_THAT(result->outputs.names(), ElementsAre("z", "y"));
    EXPECT_EQ(result->outputs.find("z")->shape(), (tensor::Shape{rows, 2}));
    if (rows > 0) {
      EXPECT_EQ(result->outputs.find("z")->load<float>(1), -3);
    }
  }
}

TEST_F(OpenVino, TakesAndGivesEveryTypeThatItHas) {
  const std::vector<std::pair<ElementType, std::string>> types = {
      {ElementType::float32, "float"},     {ElementType::float64, "double"}, {ElementType::float16, "float16"},
      {ElementType::bfloat16, "bfloat16"}, {ElementType::int8, "int8"},      {ElementType::uint8, "uint8"},
      {ElementType::int16, "int16"},       {ElementType::uint16, "uint16"},  {ElementType::int32, "int32"},
      {ElementType::uint32, "uint32"},     {ElementType::int64, "int64"},    {ElementType::uint64, "uint64"},
  };
  for (const auto& [type, name] : types) {
    // Small integers, because OpenVINO computes with at most 32 bits on a CPU.
    const std::size_t size = *tensor::byte_size(type, 1);
    const bool floating = tensor::info(type).kind == tensor::ElementKind::floating;
    std::vector<std::byte> bytes(3 * size);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (floating || i % size == 0) bytes[i] = static_cast<std::byte>(i * 5 + 1);
    }
    expect_back(type, name, Tensor::make(type, {3}, tensor::Buffer::own(std::move(bytes))).value());
  }
  expect_back(ElementType::boolean, "bool", Tensor::of<std::uint8_t>(ElementType::boolean, {3}, {1, 0, 1}));
}

// The output is a passed-through input whose name replaces the input's in OpenVINO; and values have no dimensions.
TEST_F(OpenVino, ReturnsPassedThroughInputs) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[3] x, float s) => (float[3] y, float t) { y = Dropout(x) t = Identity(s) })");
  tensor::NamedTensors feeds = named("x", floats({3}, {1, 2, 3}));
  feeds.set("s", floats({}, {7}));
  const auto result = run(model, feeds);
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_TRUE(tensor::identical(*result->outputs.find("y"), *feeds.find("x")));
  EXPECT_TRUE(tensor::identical(*result->outputs.find("t"), *feeds.find("s")));
}

TEST_F(OpenVino, NamesUnsupportedTypes) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (string[N] x) => (string[N] y) { y = Identity(x) })");
  const auto result = run(model, named("x", Tensor::make_strings({1}, {"a"}).value()));
  ASSERT_FALSE(result);
  EXPECT_THAT(message(result.error(), Phase::run), HasSubstr("the output 'y' is strings"));
}

TEST_F(OpenVino, TakesStrings) {
  auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (string[N] x) => (int64[1] y) { y = Shape(x) })"));
  ASSERT_TRUE(session) << describe(session.error());
  for (const std::vector<std::string>& texts : {std::vector<std::string>{"a", ""}, std::vector<std::string>{}}) {
    const auto count = static_cast<std::int64_t>(texts.size());
    const auto result = (*session)->infer(named("x", Tensor::make_strings({count}, texts).value()), {}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->outputs.find("y")->load<std::int64_t>(0), count);
  }
}

TEST_F(OpenVino, ReportsUnsupportedOperatorsInItsOwnWords) {
  const auto loaded = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17, "my.domain" : 1]>
    g (float[2] x) => (float[2] y) { y = my.domain.Unheard(x) })"));
  ASSERT_FALSE(loaded);
  EXPECT_THAT(message(loaded.error(), Phase::load), HasSubstr("Unheard"));
  const auto damaged = load(worker::ModelBytes{tensor::Buffer::own(std::string("no model")), {}});
  ASSERT_FALSE(damaged);
  EXPECT_THAT(message(damaged.error(), Phase::load), HasSubstr("not an ONNX model"));
  const auto missing = load(worker::ModelFile{"/no/such/model.onnx"});
  ASSERT_FALSE(missing);
  EXPECT_THAT(message(missing.error(), Phase::load), HasSubstr("/no/such/model.onnx"));
}

// The rest of the message says where in OpenVINO's sources the exception passed.
TEST_F(OpenVino, SaysThatMemoryIsTooSmall) {
  const auto memory_message = [&](const std::string& text) {
    const auto loaded = load(from_text(text));
    const auto* failure = loaded ? nullptr : std::get_if<worker::OutOfMemory>(&loaded.error());
    return failure == nullptr ? std::string("no failure of this kind") : failure->message;
  };
  EXPECT_THAT(memory_message(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[100000, 100000, 1000] x) => (float[100000, 100000, 1000] y) { y = Relu(x) })"),
              AllOf(HasSubstr("bad_alloc"), Not(HasSubstr("Exception from"))));
  EXPECT_THAT(memory_message(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) <int64[3] s = {100000, 100000, 4}> {
      e = Expand(x, s) r = Relu(e) y = ReduceMax <axes = [0, 1], keepdims = 0> (r)
    })"),
              HasSubstr("bytes of memory"));
}

TEST_F(OpenVino, ChecksItsOptionsItself) {
  const auto error = [this](std::map<std::string, std::string> options) {
    const auto loaded = load(from_text(kAdd), std::move(options));
    return loaded ? std::string() : message(loaded.error(), Phase::start);
  };
  EXPECT_THAT(error({{"config.FOO", "1"}}), HasSubstr("Unsupported property FOO"));
  EXPECT_THAT(error({{"config.INFERENCE_NUM_THREADS", "many"}}), HasSubstr("INFERENCE_NUM_THREADS"));
  EXPECT_THAT(error({{"device", "TPU"}}), HasSubstr("TPU"));
  EXPECT_THAT(error({{"speed", "11"}}), AllOf(HasSubstr("'speed'"), HasSubstr("device, save_built and config.KEY")));
  EXPECT_EQ(error({{"config.INFERENCE_NUM_THREADS", "1"}}), "");
  // OpenVINO lets neither be called for a combination of devices. The library may lack this one.
  EXPECT_THAT(error({{"device", "HETERO:CPU"}}), AllOf(Not(HasSubstr("get_property")), Not(HasSubstr("set_property"))));
}

TEST_F(OpenVino, RejectsOtherLibraries) {
  const auto loaded =
      pool_.load({.kind = "openvino", .library = "/no/such/libopenvino_c.so", .options = {}}, from_text(kAdd), {});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(message(loaded.error(), Phase::start), HasSubstr("cannot open the library"));
  const auto other = pool_.load({.kind = "openvino", .library = "libm.so.6", .options = {}}, from_text(kAdd), {});
  ASSERT_FALSE(other);
  EXPECT_THAT(message(other.error(), Phase::start), HasSubstr("is not OpenVINO"));
}

TEST_F(OpenVino, ChecksItsFeeds) {
  auto session = load(from_text(kAdd));
  ASSERT_TRUE(session);
  const auto fed = [&](const tensor::NamedTensors& feeds) {
    const auto result = (*session)->infer(feeds, {}, {});
    return result ? std::string() : message(result.error(), Phase::run);
  };
  EXPECT_THAT(fed(named("x", floats({2, 2}, {1, 2, 3, 4}))), HasSubstr("'unused' is not fed"));
  EXPECT_THAT(fed(named("y", floats({1}, {1}))), HasSubstr("no input 'y'"));
  EXPECT_THAT(fed(named("x", floats({2}, {1, 2}))), HasSubstr("wrong shape: expected (?, 2)"));
  tensor::NamedTensors all = named("x", floats({1, 2}, {1, 2}));
  all.set("unused", floats({3}, {0, 0, 0}));
  const auto wanted = (*session)->infer(all, {"q"}, {});
  ASSERT_FALSE(wanted);
  EXPECT_THAT(message(wanted.error(), Phase::run), HasSubstr("no output 'q'"));
}

// OpenVINO's reader of files refuses this model, and its reader of models in memory doesn't (2026.4.1).
TEST_F(OpenVino, ReadsAModelInMemoryAsItReadsItsFile) {
  const worker::ModelSource in_memory = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] l, int64[2] t) => (float z) {
      z = NegativeLogLikelihoodLoss <reduction = "sum", ignore_index = 5> (l, t) })");
  const auto folder = base::TempDir::create().value();
  const std::filesystem::path file = folder.path() / "m.onnx";
  ASSERT_TRUE(base::write_file(file, std::get<worker::ModelBytes>(in_memory).bytes.view()));
  const auto from_file = load(worker::ModelFile{file}), from_memory = load(in_memory);
  const auto outcome = [](const auto& loaded) { return loaded ? "loaded" : describe(loaded.error()); };
  EXPECT_EQ(outcome(from_memory), outcome(from_file));
}

// Writes the values of the first initializer to w.bin in `folder`, and lets the model refer to that file.
void move_out_weight(model::Model& model, const std::vector<float>& values, const std::filesystem::path& folder) {
  const std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  ASSERT_TRUE(base::write_file(folder / "w.bin", bytes));
  auto& weight = *model.proto.mutable_graph()->mutable_initializer(0);
  weight.clear_float_data();
  weight.clear_raw_data();
  model::set_external_data(weight, {.location = "w.bin", .offset = 0, .length = bytes.size(), .inline_form = {}});
}

TEST_F(OpenVino, ReadsExternalDataOfAModelInMemory) {
  const base::TempDir folder = base::TempDir::create().value();
  auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) <float[4] w = {0, 0, 0, 0}> { y = Add(x, w) })");
  ASSERT_TRUE(model);
  move_out_weight(*model, {1, 2, 3, 4}, folder.path());
  const worker::ModelSource source =
      worker::ModelBytes{tensor::Buffer::own(model->proto.SerializeAsString()), folder.path()};
  const auto feeds = named("x", floats({4}, {10, 10, 10, 10}));
  for (int i = 0; i < 2; ++i) {
    const auto result = run(source, feeds);
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->outputs.find("y")->load<float>(3), 14);
  }
  std::filesystem::remove(folder.path() / "w.bin");
  const auto missing = load(source);
  ASSERT_FALSE(missing);
  EXPECT_THAT(message(missing.error(), Phase::load), AllOf(HasSubstr("cannot find external data"), HasSubstr("w.bin")));
}

TEST_F(OpenVino, ReadsAModelInMemoryWithExternalDataAsItReadsItsFile) {
  const base::TempDir folder = base::TempDir::create().value();
  auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (int64[2] t) => (float z) <float[2, 3] w = {0, 0, 0, 0, 0, 0}> {
      z = NegativeLogLikelihoodLoss <reduction = "sum", ignore_index = 5> (w, t) })");
  ASSERT_TRUE(model);
  move_out_weight(*model, {1, 2, 3, 4, 5, 6}, folder.path());
  const std::string bytes = model->proto.SerializeAsString();
  const std::filesystem::path file = folder.path() / "m.onnx";
  ASSERT_TRUE(base::write_file(file, bytes));
  const auto from_file = load(worker::ModelFile{file});
  const auto from_memory = load(worker::ModelBytes{tensor::Buffer::own(bytes), folder.path()});
  ASSERT_FALSE(from_file);
  ASSERT_FALSE(from_memory);
  EXPECT_EQ(describe(from_memory.error()), describe(from_file.error()));
}

}  // namespace
}  // namespace assay::backend
