#include "model/load.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/files.h"
#include "base/temp_dir.h"
#include "model/copy_model.h"
#include "model/inference/check.h"
#include "model/save.h"
#include "model/serialize.h"
#include "model/visit_tensors.h"
#include "model/weights.h"
#include "tests/support/cache_of_links.h"
#include "tests/support/paths.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using testing::AllOf;
using testing::HasSubstr;

class Load : public testing::Test {
 protected:
  fs::path write(const std::string& name, std::string_view bytes) {
    const fs::path path = folder() / name;
    EXPECT_TRUE(base::write_file(path, bytes));
    return path;
  }
  [[nodiscard]] const fs::path& folder() const { return dir_.path(); }

  // Like write(), without waiting for the disk.
  void overwrite(const std::string& name, const std::string& bytes) {
    fs::remove(folder() / name);
    std::ofstream(folder() / name, std::ios::binary) << bytes;
  }

  // Creates a model of one external tensor 'w' of `floats` values.
  fs::path write_external(const std::map<std::string, std::string>& entries, int floats = 4) {
    onnx::ModelProto proto;
    proto.set_ir_version(10);
    proto.add_opset_import()->set_version(20);
    proto.mutable_graph()->set_name("g");
    onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
    tensor->set_name("w");
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    tensor->add_dims(floats);
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : entries) {
      onnx::StringStringEntryProto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    return write("model/m.onnx", proto.SerializeAsString());
  }

  static base::Error error_of(const fs::path& path, const LoadOptions& options = {}) {
    auto model = load(path, options);
    EXPECT_FALSE(model) << "loaded: " << path;
    return model ? base::Error{} : model.error();
  }

 private:
  base::TempDir dir_ = base::TempDir::create().value();
};

std::string bytes_of(const fs::path& path) {
  return base::read_file(path).value();
}

TEST_F(Load, LeavesLargeWeightsInTheFile) {
  const Model model = load(test::models_dir() / "polygraphy_reduce_example.onnx").value();
  EXPECT_GT(fs::file_size(model.path), 1'000'000u);
  EXPECT_LT(model.proto.SpaceUsedLong(), 20'000u);
  int by_reference = 0;
  visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, TensorRole) {
    by_reference += tensor.data_location() == onnx::TensorProto::EXTERNAL ? 1 : 0;
    EXPECT_TRUE(read_weight(model, tensor)) << tensor.name();
  });
  EXPECT_GT(by_reference, 0);
}

TEST_F(Load, ReadsExternalDataBesideTheModelAndInAnotherFolder) {
  const Model model = load(test::models_dir() / "ext_weights.onnx").value();
  const auto tensor = read_weight(model, model.graph().initializer(0)).value();
  EXPECT_EQ(tensor.load<float>(0), 1.0F);

  const fs::path alone = write("alone.onnx", bytes_of(test::models_dir() / "ext_weights.onnx"));
  const base::Error error = error_of(alone);
  EXPECT_EQ(error.kind, ErrorKind::not_found);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("alone.onnx"), HasSubstr("tensor '"), HasSubstr("ext_weights.data"),
                                     HasSubstr("--external-data-dir")));
  EXPECT_TRUE(load(alone, {.external_data_dir = test::models_dir()}));

  const Model structure = load(alone, {.ignore_external_data = true}).value();
  EXPECT_EQ(structure.graph().node_size(), model.graph().node_size());
  EXPECT_FALSE(read_weight(structure, structure.graph().initializer(0)));
}

TEST_F(Load, FilesThatAreNoModelsGetAnErrorOfTheirOwn) {
  struct Case {
    std::string bytes;
    std::string says;
  };
  const std::string good = bytes_of(test::models_dir() / "scan_1.onnx");
  onnx::ModelProto no_version;
  no_version.mutable_graph()->set_name("g");
  onnx::ModelProto no_graph;
  no_graph.set_ir_version(10);
  const Case cases[] = {
      {"", "is empty"},
      {"name: \"model\"\ngraph {\n}\n", "is text"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"},
      {std::string("ftrt\0\1", 6), "an engine of TensorRT"},
      {good.substr(0, good.size() / 2), "cut off"},
      {good + "\x3a\x7f", "cut off"},
      {std::string("\x08\x0a\x0b\x0b\x0b\x0b", 6), "not valid protobuf"},
      {std::string("PK\x03\x04 archive"), "zip"},
      {std::string("\x18\0\0\0ORTM", 8) + std::string(24, '\0'), "ONNX Runtime's own format"},
      {no_graph.SerializeAsString(), "has no graph"},
      {no_version.SerializeAsString() + std::string(1, '\x1a') + std::string(1, '\0'), "no ir_version"},
  };
  for (const Case& item : cases) {
    const base::Error error = error_of(write("bad.onnx", item.bytes));
    EXPECT_EQ(error.kind, ErrorKind::invalid_input);
    EXPECT_THAT(error.message(), AllOf(HasSubstr(item.says), HasSubstr("bad.onnx")));
  }
  EXPECT_EQ(error_of(folder() / "missing.onnx").kind, ErrorKind::not_found);
  EXPECT_THAT(error_of(folder()).message(), HasSubstr("not a regular file"));
}

TEST_F(Load, ExternalDataThatLeadsOutOfTheFolderIsRefused) {
  write("outside.bin", std::string(64, 'x'));
  fs::create_directories(folder() / "model");
  fs::create_symlink(folder() / "outside.bin", folder() / "model/link.bin");
  fs::create_symlink(folder(), folder() / "model/up");
  for (const std::string& location :
       {(folder() / "outside.bin").string(), std::string("../outside.bin"), std::string("a/../../outside.bin"),
        std::string("link.bin"), std::string("up/outside.bin"), std::string("."), std::string("/dev/zero")}) {
    const base::Error error = error_of(write_external({{"location", location}}));
    EXPECT_EQ(error.kind, ErrorKind::invalid_input) << error.message();
    EXPECT_THAT(error.message(), AllOf(HasSubstr("tensor 'w'"), HasSubstr(location)));
  }
}

TEST_F(Load, ExternalDataMayBeReachedThroughAnotherFolder) {
  write("model/w.bin", std::string(16, '\0'));
  fs::create_directories(folder() / "model/data");
  const auto model = load(write_external({{"location", "data/../w.bin"}}));
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(read_weight(*model, model->graph().initializer(0))->load<float>(3), 0.0F);
}

TEST_F(Load, ALinkInsideTheFolderIsFollowed) {
  write("model/data/real.bin", std::string(16, '\0'));
  fs::create_symlink("data/real.bin", folder() / "model/link.bin");
  const auto model = load(write_external({{"location", "link.bin"}}));
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(read_weight(*model, model->graph().initializer(0))->load<float>(3), 0.0F);
}

TEST_F(Load, LinksToTheFolderOfTheModelItselfAreFollowed) {
  write("model/w.bin", std::string(16, '\0'));
  const fs::path linked = write_external({{"location", "w.bin"}});
  test::move_to_blobs(linked.parent_path(), {"m.onnx", "w.bin"});
  const auto model = load(linked);
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(read_weight(*model, model->graph().initializer(0))->load<float>(3), 0.0F);
  const base::Status valid = check(*model);
  EXPECT_TRUE(valid) << valid.error().message();
  ASSERT_TRUE(copy_model(*model, folder() / "copy.onnx"));
  EXPECT_TRUE(load(folder() / "copy.onnx"));

  write("elsewhere.bin", std::string(16, '\0'));
  fs::remove(folder() / "model/w.bin");
  fs::create_symlink("../elsewhere.bin", folder() / "model/w.bin");
  EXPECT_THAT(error_of(linked).message(), HasSubstr("is outside the model's folder"));
}

TEST_F(Load, ExternalDataHasToReachTheTensorsEnd) {
  write("model/w.bin", std::string(20, '\0'));
  using Entries = std::map<std::string, std::string>;
  EXPECT_TRUE(load(write_external({{"location", "w.bin"}})));
  EXPECT_TRUE(load(write_external({{"location", "w.bin"}, {"offset", "4"}, {"length", "16"}, {"checksum", "x"}})));
  for (const Entries& entries : {Entries{{"location", "w.bin"}, {"offset", "5"}},
                                 Entries{{"location", "w.bin"}, {"offset", "8"}, {"length", "16"}},
                                 Entries{{"location", "w.bin"}, {"offset", "21"}, {"length", "0"}},
                                 Entries{{"location", "w.bin"}, {"length", "18446744073709551615"}}}) {
    const base::Error error = error_of(write_external(entries));
    EXPECT_THAT(error.message(), AllOf(HasSubstr("too short"), HasSubstr("'w'"), HasSubstr("w.bin")));
  }
  for (const std::string number : {"-1", "4x", "", "99999999999999999999999", " 4"}) {
    const base::Error error = error_of(write_external({{"location", "w.bin"}, {"offset", number}}));
    EXPECT_THAT(error.message(), AllOf(HasSubstr("not a number"), HasSubstr("'w'")));
  }
  EXPECT_THAT(error_of(write_external({{"offset", "0"}})).message(), HasSubstr("has no location"));
}

TEST_F(Load, ALengthThatContradictsTheShapeFailsWhenValuesAreRead) {
  write("model/w.bin", std::string(20, '\0'));
  const auto model = load(write_external({{"location", "w.bin"}, {"length", "8"}}));
  ASSERT_TRUE(model);
  EXPECT_THAT(read_weight(*model, model->graph().initializer(0)).error().message(), HasSubstr("16 bytes, but has 8"));
}

TEST_F(Load, MarksOfItsOwnInAFileAreRefused) {
  write("model/w.bin", std::string(20, '\0'));
  EXPECT_THAT(error_of(write_external({{"location", "w.bin"}, {kInlineKey, "1"}})).message(), HasSubstr("reserved"));
  EXPECT_THAT(error_of(write_external({{"location", "#m.onnx"}})).message(), HasSubstr("reserved"));
}

TEST_F(Load, UnsoundTensorsStayAsTheyAre) {
  onnx::ModelProto proto;
  proto.set_ir_version(10);
  onnx::GraphProto* graph = proto.mutable_graph();
  const auto add = [&](const char* name, int type, std::int64_t count) {
    onnx::TensorProto* tensor = graph->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    tensor->add_dims(count);
    tensor->set_raw_data(std::string(4000, 'x'));
    return tensor;
  };
  add("too long", onnx::TensorProto::FLOAT, 999);
  add("too short", onnx::TensorProto::FLOAT, 1001);
  add("no type", 99, 1000);
  add("strings", onnx::TensorProto::STRING, 1000);
  add("two forms", onnx::TensorProto::FLOAT, 1000)->add_float_data(1);
  add("segment", onnx::TensorProto::FLOAT, 1000)->mutable_segment();
  const fs::path path = write("m.onnx", proto.SerializeAsString());
  const auto model = load(path);
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(model->proto.SerializeAsString(), proto.SerializeAsString());
}

TEST_F(Load, NestingIsBounded) {
  onnx::ModelProto proto;
  proto.set_ir_version(10);
  onnx::GraphProto* graph = proto.mutable_graph();
  for (int i = 0; i < 60; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  EXPECT_THAT(error_of(write("deep.onnx", proto.SerializeAsString())).message(), HasSubstr("deep.onnx"));
  graph->set_doc_string(std::string(100'000, 'x'));
  EXPECT_THAT(error_of(write("deep.onnx", proto.SerializeAsString())).message(), HasSubstr("nested deeper"));
}

// A truncated file is an error, or a model if the missing part was optional; never a crash.
TEST_F(Load, AnyPrefixOfAModelIsAnErrorOrAModel) {
  for (const char* name : {"nested_local_function.onnx", "ext_weights.onnx", "mnist_quantized.onnx"}) {
    const std::string good = bytes_of(test::models_dir() / name);
    const std::size_t step = good.size() > 2000 ? 37 : 1;
    int loaded = 0;
    for (std::size_t size = 0; size < good.size(); size += step) {
      overwrite("cut.onnx", good.substr(0, size));
      const auto model = load(folder() / "cut.onnx", {.external_data_dir = test::models_dir()});
      loaded += model ? 1 : 0;
      if (!model) {
        EXPECT_THAT(model.error().message(), HasSubstr("cut.onnx")) << size;
      }
    }
    EXPECT_LT(loaded, 10) << name;
  }
}

// After random damage, a model that still loads can be read and saved without a crash.
TEST_F(Load, DamagedModelsDoNotCrash) {
  std::mt19937 random(1);
  int loaded = 0;
  for (const char* name : {"nested_local_function.onnx", "ext_weights.onnx", "element_types.onnx", "scan_1.onnx"}) {
    const std::string good = bytes_of(test::models_dir() / name);
    for (int round = 0; round < 400; ++round) {
      std::string bytes = good;
      for (unsigned i = 0; i <= random() % 4; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
      overwrite("damaged.onnx", bytes);
      const auto model = load(folder() / "damaged.onnx", {.external_data_dir = test::models_dir()});
      if (!model) continue;
      ++loaded;
      visit_tensors(model->proto, [&](const onnx::TensorProto& tensor, TensorRole) {
        if (data_bytes(tensor) < 1'000'000) (void)read_weight(*model, tensor);
      });
      (void)serialize(*model);
    }
  }
  EXPECT_GT(loaded, 100);
}

TEST_F(Load, AModelOfGigabytesCostsLittleMemory) {
  constexpr std::int64_t kFloats = 625'000'000;  // 2.5 GB
  write("model/w.bin", "");
  fs::resize_file(folder() / "model/w.bin", kFloats * 4);  // sparse: takes no space
  rusage before = {};
  getrusage(RUSAGE_SELF, &before);
  const auto model = load(write_external({{"location", "w.bin"}}, kFloats));
  ASSERT_TRUE(model) << model.error().message();
  const auto tensor = read_weight(*model, model->graph().initializer(0)).value();
  EXPECT_EQ(tensor.load<float>(kFloats - 1), 0.0F);
  rusage after = {};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 8'000) << "KiB";
}

// The same for weights in the model file itself: a tensor whose values are a hole in the file.
TEST_F(Load, InlineWeightsAreNotRead) {
  constexpr std::uint32_t kBytes = 1U << 28;
  onnx::ModelProto proto;
  proto.set_ir_version(10);
  onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  tensor->add_dims(kBytes / 4);
  std::string content =
      tensor->SerializeAsString() + std::string("\x4a\x80\x80\x80\x80\x01", 6);  // raw_data, 2^28 bytes
  const auto wrap = [&](char tag, std::uint64_t after) {
    std::string header(1, tag);
    for (std::uint64_t length = content.size() + after; true; length >>= 7) {
      header.push_back(static_cast<char>(length < 0x80 ? length : length | 0x80));
      if (length < 0x80) break;
    }
    content = header + content;
  };
  wrap('\x2a', kBytes);  // GraphProto.initializer
  wrap('\x3a', kBytes);  // ModelProto.graph
  const fs::path path = write("m.onnx", "\x08\x0a" + content);
  fs::resize_file(path, fs::file_size(path) + kBytes);
  rusage before = {};
  getrusage(RUSAGE_SELF, &before);
  const auto model = load(path);
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(data_bytes(model->graph().initializer(0)), kBytes);
  ASSERT_TRUE(save(*model, folder() / "external.onnx", {.external_data_path = "w.data"}));
  EXPECT_EQ(fs::file_size(folder() / "w.data"), kBytes);
  EXPECT_LT(fs::file_size(folder() / "external.onnx"), 1000u);
  rusage after = {};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 16'000) << "KiB";
}

TEST_F(Load, AModelWithoutExternalDataIgnoresNoWeights) {
  onnx::ModelProto proto = load(write_external({{"location", "w.data"}}), {.ignore_external_data = true}).value().proto;
  proto.mutable_graph()->clear_initializer();
  const auto model = load_bytes(proto.SerializeAsString(), {.ignore_external_data = true});
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_FALSE(model->weights_ignored);
}

TEST_F(Load, BytesInMemoryBecomeTheSameModel) {
  const Model from_file = load(write_external({{"location", "w.data"}}), {.ignore_external_data = true}).value();
  std::string bytes;
  {
    onnx::ModelProto proto = from_file.proto;
    onnx::TensorProto* inside = proto.mutable_graph()->add_initializer();
    inside->set_name("inside");
    inside->set_data_type(onnx::TensorProto::UINT8);
    inside->add_dims(5000);
    inside->set_raw_data(std::string(5000, '\7'));
    bytes = proto.SerializeAsString();
  }
  const auto model = load_bytes(bytes);
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_TRUE(model->weights_ignored);
  EXPECT_TRUE(model->path.empty());
  const onnx::TensorProto& inside = model->graph().initializer(1);
  EXPECT_FALSE(inside.has_raw_data()) << "large weights are outside of the message";
  EXPECT_EQ(read_weight(*model, inside).value().bytes()[4999], std::byte{7});
  EXPECT_FALSE(read_weight(*model, model->graph().initializer(0))) << "its file was not named";
  EXPECT_EQ(serialize(*model).value(), bytes);
}

TEST(LoadBytes, ReadsExternalDataOnlyFromTheGivenFolder) {
  const base::TempDir dir = base::TempDir::create().value();
  ASSERT_TRUE(base::write_file(dir.path() / "w.data", std::string(16, '\1')));
  onnx::ModelProto proto;
  proto.set_ir_version(10);
  onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  tensor->add_dims(4);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  tensor->add_external_data()->set_key("location");
  tensor->mutable_external_data(0)->set_value("w.data");
  const auto model = load_bytes(proto.SerializeAsString(), {.external_data_dir = dir.path()});
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(read_weight(*model, model->graph().initializer(0)).value().bytes()[0], std::byte{1});
}

TEST(LoadBytes, ValuesInAFileThatWasTruncatedSinceAreAnError) {
  const base::TempDir dir = base::TempDir::create().value();
  ASSERT_TRUE(base::write_file(dir.path() / "w.data", std::string(1 << 16, '\1')));
  onnx::ModelProto proto;
  proto.set_ir_version(10);
  onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::UINT8);
  tensor->add_dims(1 << 16);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  tensor->add_external_data()->set_key("location");
  tensor->mutable_external_data(0)->set_value("w.data");
  const auto model = load_bytes(proto.SerializeAsString(), {.external_data_dir = dir.path()});
  ASSERT_TRUE(model) << model.error().message();
  std::filesystem::resize_file(dir.path() / "w.data", 100);
  for (const base::Error& error :
       {read_weight(*model, model->graph().initializer(0)).error(), serialize(*model).error()}) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_input);
    EXPECT_THAT(error.message(), HasSubstr("truncated after the model was loaded"));
  }
}

TEST(LoadBytes, ValuesInAFileThatWasOverwrittenSinceAreAnError) {
  const base::TempDir dir = base::TempDir::create().value();
  const std::filesystem::path path = dir.path() / "m.onnx";
  onnx::ModelProto proto;
  proto.set_ir_version(10);
  onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::UINT8);
  tensor->add_dims(1 << 16);
  tensor->set_raw_data(std::string(1 << 16, '\1'));
  ASSERT_TRUE(base::write_file(path, proto.SerializeAsString()));
  const auto model = load(path);
  ASSERT_TRUE(model) << model.error().message();
  tensor->set_raw_data(std::string(1 << 16, '\2'));
  const auto time = std::filesystem::last_write_time(path);
  std::ofstream(path, std::ios::binary) << proto.SerializeAsString();
  std::filesystem::last_write_time(path, time + std::chrono::seconds(1));  // both may be in one tick of the clock
  for (const base::Error& error :
       {read_weight(*model, model->graph().initializer(0)).error(), serialize(*model).error()}) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_input);
    EXPECT_THAT(error.message(), HasSubstr("overwritten or truncated after the model was loaded"));
  }
}

TEST(LoadBytes, RejectsBytesThatAreNotAModel) {
  const auto model = load_bytes("hello");
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message(), HasSubstr("text"));
}

TEST(ParseText, RejectsInvalidText) {
  const auto model = parse_text("<ir_version: 10> g (float[2] x) => (float[2] y) { y = Relu(x }");
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message(), HasSubstr("text format"));
  EXPECT_FALSE(parse_text("<ir_version: 10> g () => () {} g"));
}

}  // namespace
}  // namespace assay::model
