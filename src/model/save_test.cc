#include "model/save.h"
#include "model/serialize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "base/files.h"
#include "base/temp_dir.h"
#include "base/test_log.h"
#include "base/test_status_log.h"
#include "model/load.h"
#include "model/weights.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Save : public testing::Test {
 protected:
  [[nodiscard]] fs::path at(const std::string& name) const { return dir_.path() / name; }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path())) names.push_back(entry.path().filename());
    return names;
  }

 private:
  base::TempDir dir_ = base::TempDir::create().value();
};

onnx::TensorProto floats(const std::string& name, std::int64_t count, float first = 0) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<float>(i);
  return to_proto(name, tensor::Tensor::of(tensor::ElementType::float32, {count}, values));
}

// Initializers "small" (16 bytes), "a" (4000), "b" (2 MiB), "c" (1300), and a Constant with 4000 bytes.
Model weights() {
  Model model;
  model.proto.set_ir_version(10);
  model.proto.add_opset_import()->set_version(20);
  onnx::GraphProto& graph = model.graph();
  graph.set_name("g");
  *graph.add_initializer() = floats("small", 4);
  *graph.add_initializer() = floats("a", 1000, 1);
  *graph.add_initializer() = floats("b", 1 << 19, 2);
  *graph.add_initializer() = floats("c", 325, 3);
  onnx::NodeProto* node = graph.add_node();
  node->set_op_type("Constant");
  node->add_output("k");
  onnx::AttributeProto* value = node->add_attribute();
  value->set_name("value");
  value->set_type(onnx::AttributeProto::TENSOR);
  *value->mutable_t() = floats("k", 1000, 4);
  return model;
}

std::map<std::string, std::string> entries(const onnx::TensorProto& tensor) {
  std::map<std::string, std::string> result;
  for (const auto& entry : tensor.external_data()) result[entry.key()] = entry.value();
  return result;
}

onnx::ModelProto parse(const fs::path& path) {
  onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(base::read_file(path).value()));
  return proto;
}

void expect_same_values(const Model& a, const Model& b) {
  ASSERT_EQ(a.graph().initializer_size(), b.graph().initializer_size());
  for (int i = 0; i < a.graph().initializer_size(); ++i) {
    EXPECT_TRUE(
        identical(read_weight(a, a.graph().initializer(i)).value(), read_weight(b, b.graph().initializer(i)).value()))
        << a.graph().initializer(i).name();
  }
}

TEST_F(Save, PutsInitializersAboveTheThresholdIntoOneFile) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "w.data"));
  const onnx::ModelProto proto = parse(at("m.onnx"));
  using Entries = std::map<std::string, std::string>;
  EXPECT_TRUE(proto.graph().initializer(0).has_raw_data());
  EXPECT_EQ(entries(proto.graph().initializer(1)),
            (Entries{{"location", "w.data"}, {"offset", "0"}, {"length", "4000"}}));
  EXPECT_EQ(entries(proto.graph().initializer(2))["offset"], "4096") << "large: on a page";
  EXPECT_EQ(entries(proto.graph().initializer(3))["offset"], std::to_string(4096 + (2 << 20))) << "small: on 64 bytes";
  EXPECT_TRUE(proto.graph().node(0).attribute(0).t().has_raw_data()) << "attributes stay";
  const auto loaded = load(at("m.onnx"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  expect_same_values(weights(), *loaded);
}

TEST_F(Save, MovesValuesThatAreListed) {
  Model model = parse_text(R"(<ir_version: 10, opset_import: ["" : 21]>
      g (float[1] x) => (float[1] y)
      <int64[3] i = {1, -2, 3}, int8[4] b = {1, -2, 3, -4}, float[2] f = {1.5, -2}, bool[2] t = {1, 0}, string[2] s = {"a", "b"}>
      { y = Identity(x) })")
                    .value();
  onnx::TensorProto& half = *model.graph().add_initializer();  // as onnx.helper.make_tensor() writes it
  half.set_name("h");
  half.set_data_type(onnx::TensorProto::FLOAT16);
  half.add_dims(2);
  half.add_int32_data(0x3C00);
  half.add_int32_data(0x4000);
  onnx::TensorProto& broken = *model.graph().add_initializer();
  broken = half;
  broken.set_name("broken");
  broken.add_int32_data(0);
  ASSERT_TRUE(save(model, at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 0}));
  std::map<std::string, std::string> lengths;
  const onnx::ModelProto proto = parse(at("m.onnx"));
  for (const onnx::TensorProto& tensor : proto.graph().initializer())
    lengths[tensor.name()] = entries(tensor)["length"];
  EXPECT_EQ(lengths, (std::map<std::string, std::string>{
                         {"i", "24"}, {"b", "4"}, {"f", "8"}, {"t", "2"}, {"s", ""}, {"h", "4"}, {"broken", ""}}));
  model.graph().mutable_initializer()->RemoveLast();
  ASSERT_TRUE(save(model, at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 0}));
  expect_same_values(model, load(at("m.onnx")).value());
}

TEST_F(Save, ATensorOfExactlyTheThresholdIsMoved) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 4000}));
  EXPECT_EQ(entries(parse(at("m.onnx")).graph().initializer(1))["length"], "4000");
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 4001}));
  const onnx::ModelProto proto = parse(at("m.onnx"));
  EXPECT_TRUE(proto.graph().initializer(1).has_raw_data());
  EXPECT_EQ(entries(proto.graph().initializer(2))["offset"], "0");
}

TEST_F(Save, ATensorWithoutValuesIsNeverMoved) {
  Model model = weights();
  model.graph().clear_initializer();
  *model.graph().add_initializer() = floats("empty", 0);
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(save(model, at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 0}, log));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx"));
  EXPECT_THAT(log.text(), HasSubstr("No initializer has values, so no file"));
}

TEST_F(Save, AFileForEachTensorIsNamedAfterItIfPossible) {
  Model model = weights();
  model.graph().mutable_initializer(1)->set_name("layer/a");
  model.graph().mutable_initializer(3)->set_name("b");
  ASSERT_TRUE(save(model, at("m.onnx"), {.external_data_path = "", .all_tensors_to_one_file = false}));
  EXPECT_EQ(files().size(), 4u);
  const onnx::ModelProto proto = parse(at("m.onnx"));
  EXPECT_EQ(entries(proto.graph().initializer(2))["location"], "b");
  EXPECT_EQ(entries(proto.graph().initializer(1))["location"], "m.onnx.1.data") << "'/' can't be in it";
  EXPECT_EQ(entries(proto.graph().initializer(3))["location"], "m.onnx.2.data") << "'b' was taken";
  expect_same_values(model, load(at("m.onnx")).value());
}

TEST_F(Save, FilesForEachTensorAreReplacedWithTheirModel) {
  const SaveOptions options = {.external_data_path = "", .all_tensors_to_one_file = false};
  ASSERT_TRUE(save(weights(), at("m.onnx"), options));
  const auto before = files();
  const Model loaded = load(at("m.onnx")).value();
  ASSERT_TRUE(save(loaded, at("m.onnx"), options)) << "the model that was loaded";
  ASSERT_TRUE(save(weights(), at("m.onnx"), options)) << "another model in its place";
  EXPECT_THAT(files(), testing::UnorderedElementsAreArray(before));
  expect_same_values(weights(), load(at("m.onnx")).value());
  EXPECT_THAT(save(loaded, at("n.onnx"), options).error().message(), HasSubstr("has weights of"));
  EXPECT_THAT(save(weights(), at("n.onnx"), options).error().message(), HasSubstr("weights of another one"));
}

TEST_F(Save, RemovesWhatAKilledSaveHasLeft) {
  ASSERT_TRUE(base::write_file(at(".m.onnx.assay-abcdef"), "half"));
  ASSERT_TRUE(base::write_file(at("below/.w.data.assay-abcdef"), "half"));
  ASSERT_TRUE(base::write_file(at(".other.onnx.assay-abcdef"), "half"));
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "below/w.data"}));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "below", ".other.onnx.assay-abcdef"));
  EXPECT_FALSE(fs::exists(at("below/.w.data.assay-abcdef")));
}

TEST_F(Save, NamesTheDataFileByDefault) {
  for (int times = 0; times < 2; ++times) {
    ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = ""}));
    EXPECT_EQ(entries(parse(at("m.onnx")).graph().initializer(1))["location"], "m.onnx.data");
    EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "m.onnx.data"));
  }
}

TEST_F(Save, SaysWhichNameItHasChosen) {
  base::test::TestLog log(base::Level::info);
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}, log));
  EXPECT_EQ(log.text(), "");
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = ""}, log));
  EXPECT_THAT(log.text(), HasSubstr(entries(parse(at("m.onnx")).graph().initializer(1))["location"] + " next to it"));
}

TEST_F(Save, ShowsOnATerminalHowFarALongSaveIs) {
  Model large = weights();
  *large.graph().add_initializer() = floats("large", 1 << 24);
  ASSERT_TRUE(save(large, at("large.onnx")));
  const Model loaded = load(at("large.onnx")).value();
  for (const auto& options : {SaveOptions{}, SaveOptions{.external_data_path = "w.bin"}}) {
    base::test::StatusLog log;
    ASSERT_TRUE(save(loaded, at("copy.onnx"), options, log));
    EXPECT_THAT(log.lines, Contains("Saving " + at("copy.onnx").string() + ": 66.0 MiB of 66.0 MiB"));
    EXPECT_EQ(log.lines.back(), "");
  }
  base::test::StatusLog log;
  ASSERT_TRUE(save(weights(), at("small.onnx"), {}, log));
  EXPECT_THAT(log.lines, IsEmpty());
}

TEST_F(Save, ExternalDataComesInlineByDefault) {
  const Model model = load(test::models_dir() / "ext_weights.onnx").value();
  ASSERT_TRUE(save(model, at("m.onnx")));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx"));
  EXPECT_THAT(base::read_file(at("m.onnx")).value(), Not(HasSubstr("ext_weights.data")));
  expect_same_values(model, load(at("m.onnx")).value());
}

TEST_F(Save, TheSourceMayBeTheDestination) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}));
  const Model external = load(at("m.onnx")).value();
  ASSERT_TRUE(save(external, at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 2000}));
  expect_same_values(weights(), load(at("m.onnx")).value());
  ASSERT_TRUE(save(external, at("m.onnx")));
  fs::remove(at("w.data"));
  const Model loaded = load(at("m.onnx")).value();
  expect_same_values(weights(), loaded);
  ASSERT_TRUE(save(loaded, at("m.onnx"), {.external_data_path = ""}));
  expect_same_values(weights(), load(at("m.onnx")).value());
}

TEST_F(Save, WeightsOfAnOverwrittenFileAreNotSaved) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 2000}));
  const Model model = load(at("m.onnx")).value();
  Model without = model;  // needs no weights of that file
  without.graph().clear_initializer();
  const auto size = fs::file_size(at("w.data"));
  std::ofstream(at("w.data")) << std::string(size, 'x');
  fs::last_write_time(at("w.data"), fs::file_time_type::clock::now() + std::chrono::hours(1));
  const auto status = save(model, at("n.onnx"));
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), AllOf(HasSubstr("w.data"), HasSubstr("overwritten or truncated after")));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "w.data"));
  EXPECT_TRUE(save(without, at("n.onnx")));
}

TEST_F(Save, FilesOfALoadedModelAreReplacedOnlyWithTheModel) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}));
  const std::string before = base::read_file(at("w.data")).value();
  const Model loaded = load(at("m.onnx")).value();
  fs::create_symlink("w.data", at("link.data"));
  const auto refused = [&](const std::string& path, const SaveOptions& options) {
    return save(loaded, at(path), options).error().message();
  };
  EXPECT_THAT(refused("n.onnx", {.external_data_path = "w.data"}), HasSubstr("w.data). Choose another name"));
  EXPECT_THAT(refused("n.onnx", {.external_data_path = "link.data"}), HasSubstr("has weights of"));
  EXPECT_THAT(refused("n.onnx", {.external_data_path = "m.onnx"}), HasSubstr("is the model itself"));
  EXPECT_THAT(refused("w.data", {}), HasSubstr("has weights of"));
  EXPECT_EQ(base::read_file(at("w.data")).value(), before);
  EXPECT_FALSE(fs::exists(at("n.onnx")));
  EXPECT_TRUE(save(loaded, at("n.onnx"), {.external_data_path = "n.data"}));
  EXPECT_TRUE(save(loaded, at("m.onnx"), {.external_data_path = "w.data"}));
}

TEST_F(Save, AFileOfAnotherModelIsNotReplaced) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}));
  const std::string before = base::read_file(at("w.data")).value();
  Model other = weights();
  *other.graph().mutable_initializer(0) = floats("small", 4, 9);
  for (int i = 0; i < 2; ++i) {
    const auto refused = save(other, at("n.onnx"), {.external_data_path = "w.data"});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(), HasSubstr("it may have weights of another one"));
    ASSERT_TRUE(save(other, at("n.onnx")));  // to replace a model that has no weights there makes no difference
  }
  EXPECT_EQ(base::read_file(at("w.data")).value(), before);
  fs::remove(at("n.onnx"));
  EXPECT_TRUE(save(other, at("m.onnx"), {.external_data_path = "w.data"})) << "the file of the model that is replaced";
}

TEST_F(Save, AnEmptyFileIsReplaced) {
  ASSERT_TRUE(base::write_file(at("w.data"), ""));
  EXPECT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}));
  EXPECT_GT(fs::file_size(at("w.data")), 0);
}

TEST_F(Save, ALinkToTheModelItselfReplacesTheModelAndItsWeights) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}));
  const Model loaded = load(at("m.onnx")).value();
  fs::create_symlink("m.onnx", at("link.onnx"));
  ASSERT_TRUE(save(loaded, at("link.onnx"), {.external_data_path = "w.data"}));
  EXPECT_TRUE(fs::is_symlink(at("link.onnx")));
  EXPECT_TRUE(load(at("m.onnx")));
  fs::create_directory(at("far"));
  fs::create_symlink("../m.onnx", at("far/link.onnx"));
  EXPECT_THAT(save(loaded, at("far/link.onnx"), {.external_data_path = "w.data"}).error().message(),
              HasSubstr("the weights would not be in that folder"));
  EXPECT_FALSE(fs::exists(at("far/w.data")));
  ASSERT_TRUE(save(loaded, at("link.onnx")));
  EXPECT_EQ(parse(at("m.onnx")).graph().initializer(0).external_data_size(), 0) << "the weights are in the model";
}

TEST_F(Save, WithoutItsExternalDataAModelKeepsItsReferences) {
  const Model model = load(test::models_dir() / "ext_weights.onnx", {.ignore_external_data = true}).value();
  ASSERT_TRUE(save(model, at("m.onnx")));
  EXPECT_EQ(parse(at("m.onnx")).graph().SerializeAsString(), model.graph().SerializeAsString());
  ASSERT_TRUE(save(model, at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 0}));
  EXPECT_EQ(entries(parse(at("m.onnx")).graph().initializer(0))["location"], "ext_weights.data");
}

TEST_F(Save, ExternalDataCanStayInPlace) {
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 5000}));
  const Model model = load(at("m.onnx")).value();
  ASSERT_TRUE(save(model, at("candidate.onnx"), {.leave_external = true}));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "w.data", "candidate.onnx"));
  EXPECT_EQ(base::read_file(at("candidate.onnx")).value(), base::read_file(at("m.onnx")).value());
}

// The weights of 2.5 GB take no space on the disk: their file is one hole, and copies of it are, too.
class SaveLarge : public Save {
 protected:
  static constexpr std::int64_t kFloats = 625'000'000;

  void SetUp() override {
    ASSERT_TRUE(base::write_file(at("w.bin"), ""));
    fs::resize_file(at("w.bin"), kFloats * 4);
  }

  // Makes the tensor refer to the file.
  static void make_large(onnx::TensorProto& tensor) {
    tensor.clear_raw_data();
    tensor.set_dims(0, kFloats);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    tensor.add_external_data()->set_key("location");
    tensor.mutable_external_data(0)->set_value("w.bin");
  }

  [[nodiscard]] Model loaded(const Model& model) const {
    EXPECT_TRUE(base::write_file(at("m.onnx"), model.proto.SerializeAsString()));
    return load(at("m.onnx")).value();
  }
  [[nodiscard]] Model large() const {
    Model model = weights();
    make_large(*model.graph().mutable_initializer(1));
    return loaded(model);
  }
};

TEST_F(SaveLarge, AModelOfMoreThan2GiBGetsAFileOfWeightsWithAWarning) {
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(save(large(), at("out.onnx"), {}, log));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "w.bin", "out.onnx", "out.onnx.data"));
  EXPECT_THAT(log.text(), AllOf(HasSubstr("at most 2 GiB"), HasSubstr("out.onnx.data next to it")));
  const Model again = load(at("out.onnx")).value();
  EXPECT_EQ(shape(again.graph().initializer(1)), tensor::Shape{kFloats});
  EXPECT_EQ(entries(again.graph().initializer(1))["location"], "out.onnx.data");
  EXPECT_EQ(read_weight(again, again.graph().initializer(3))->load<float>(0), 3);
}

TEST_F(SaveLarge, AFileThatProtobufWouldNotReadIsNotWritten) {
  constexpr std::uint64_t kTooLarge = (std::uint64_t{1} << 31) - 1;
  const auto with_bytes = [&](std::uint64_t count) {
    Model model = weights();
    onnx::TensorProto& tensor = *model.graph().mutable_initializer(1);
    make_large(tensor);
    tensor.set_data_type(onnx::TensorProto::UINT8);
    tensor.set_dims(0, static_cast<std::int64_t>(count));
    fs::resize_file(at("w.bin"), count);
    return loaded(model);
  };
  constexpr std::uint64_t kFirst = 2'000'000'000;
  const std::uint64_t count = kFirst + kTooLarge - inline_bytes(with_bytes(kFirst)).value();
  ASSERT_TRUE(save(with_bytes(count), at("out.onnx")));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "w.bin", "out.onnx", "out.onnx.data"));
  ASSERT_TRUE(save(with_bytes(count - 1), at("inline.onnx")));
  EXPECT_EQ(fs::file_size(at("inline.onnx")), kTooLarge - 1);
}

TEST_F(SaveLarge, OneFilePerTensorIsCountedInTheWarning) {
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(save(large(), at("out.onnx"), {.all_tensors_to_one_file = false}, log));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "w.bin", "out.onnx", "a", "b", "c"));
  EXPECT_THAT(log.text(), HasSubstr("are in 3 files next to it"));
}

TEST_F(SaveLarge, AModelThatHasToBeOneFileIsRefusedBeforeAnythingIsWritten) {
  const Model model = large();
  EXPECT_GT(inline_bytes(model).value(), kLargestFile);
  EXPECT_EQ(inline_bytes(weights()).value(), weights().proto.ByteSizeLong());
  const auto status = save(model, at("out.onnx"), {.inline_only = true});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(status.error().message(),
              AllOf(HasSubstr("2 GiB"), HasSubstr("--save-external-data"), HasSubstr("out.onnx")));
  EXPECT_FALSE(serialize(model));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx", "w.bin"));
}

TEST_F(SaveLarge, WhatCannotMoveToAFileIsRefused) {
  Model model = weights();
  make_large(*model.graph().mutable_node(0)->mutable_attribute(0)->mutable_t());
  const auto status = save(loaded(model), at("out.onnx"), {.external_data_path = "w.data", .size_threshold = 1 << 30});
  ASSERT_TRUE(status) << "it was external before";
  const auto refused = save(large(), at("out.onnx"), {.size_threshold = std::uint64_t{1} << 40});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              AllOf(HasSubstr("without the initializers of 1.0 TiB or more"), HasSubstr("size-threshold")));
}

TEST_F(Save, ExternalDataThatNoWeightNeedsIsAWarning) {
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data", .size_threshold = 10 << 20}, log));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx"));
  EXPECT_THAT(log.text(),
              AllOf(HasSubstr("No initializer has 10.0 MiB or more"), HasSubstr("--external-data-size-threshold 0")));
  log.clear();
  ASSERT_TRUE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}, log));
  EXPECT_EQ(log.text(), "");
}

TEST_F(Save, AnotherModelInTheFolderGetsItsOwnFiles) {
  const SaveOptions first = {.external_data_path = "weights/w.data", .all_tensors_to_one_file = false};
  const SaveOptions second = options_for_another(first, "good_");
  EXPECT_EQ(second.external_data_path, "weights/good_w.data");
  EXPECT_TRUE(second.all_tensors_to_one_file);
  EXPECT_EQ(options_for_another({}, "good_").external_data_path, std::nullopt);
  EXPECT_EQ(options_for_another({.external_data_path = ""}, "good_").external_data_path, "");
}

TEST_F(Save, NamesForExternalDataThatCannotWorkAreRefused) {
  for (const char* name : {"/tmp/w.data", "../w.data", "below/", "m.onnx", "./m.onnx", "#w"}) {
    const auto status = save(weights(), at("m.onnx"), {.external_data_path = name});
    ASSERT_FALSE(status) << name;
    EXPECT_THAT(status.error().message(), HasSubstr(name));
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(Save, AFailureLeavesNoNewFiles) {
  ASSERT_TRUE(fs::create_directory(at("m.onnx")));  // so that writing the model fails, after its weights are written
  const auto status = save(weights(), at("m.onnx"), {.external_data_path = "w.data"});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("m.onnx"));
  EXPECT_THAT(files(), UnorderedElementsAre("m.onnx"));
}

TEST_F(Save, AFailureLeavesTheOldWeights) {
  ASSERT_TRUE(fs::create_directory(at("m.onnx")));
  ASSERT_TRUE(base::write_file(at("w.data"), "of another model"));
  ASSERT_FALSE(save(weights(), at("m.onnx"), {.external_data_path = "w.data"}));
  EXPECT_EQ(base::read_file(at("w.data")).value(), "of another model");
}

TEST_F(Save, AReadOnlyFolderIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(at(""), fs::perms::owner_read | fs::perms::owner_exec);
  const auto status = save(weights(), at("m.onnx"));
  fs::permissions(at(""), fs::perms::owner_all);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::io);
}

TEST_F(Save, AWeightThatIsGoneIsNamed) {
  Model model = load(test::models_dir() / "ext_weights.onnx").value();
  model.files = std::make_shared<const WeightFiles>();
  const auto status = save(model, at("m.onnx"));
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr(model.graph().initializer(0).name()));
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace assay::model
