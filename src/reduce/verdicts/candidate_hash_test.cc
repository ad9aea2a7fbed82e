#include "reduce/verdicts/candidate_hash.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <set>

#include "base/files.h"
#include "base/mapped_file.h"
#include "base/temp_dir.h"
#include "edit/test_models.h"
#include "model/external_data.h"
#include "model/load.h"
#include "model/weights.h"
#include "model/weights/spill_weights.h"
#include "tensor/tensor.h"
#include "tests/support/paths.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

fs::path small_model() {
  return test::models_dir() / "mnist_quantized.onnx";
}

tensor::Tensor floats(std::vector<float> values) {
  return tensor::Tensor::of<float>(tensor::ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

TEST(CandidateHash, IsTheSameInEveryProcess) {
  const model::Model model = model::load(small_model()).value();
  EXPECT_EQ(candidate_hash(model), "2e2f9b7b666eddf6757dc0fba6c76499") << "written down from another process";
  const base::TempDir folder = base::TempDir::create().value();
  fs::copy(small_model(), folder.path() / small_model().filename());
  EXPECT_EQ(candidate_hash(model::load(folder.path() / small_model().filename()).value()), candidate_hash(model));
}

TEST(CandidateHash, DiffersWithAnyContent) {
  const model::Model model = edit::test::chain(4);
  std::set<std::string> hashes = {candidate_hash(model)};
  const auto differs = [&](auto change) {
    model::Model other = model;
    change(other);
    return hashes.insert(candidate_hash(other)).second;
  };
  EXPECT_TRUE(differs([](model::Model& m) { m.graph().mutable_node()->RemoveLast(); }));
  EXPECT_TRUE(differs([](model::Model& m) { m.graph().mutable_node()->SwapElements(0, 1); }));
  EXPECT_TRUE(differs([](model::Model& m) { m.graph().mutable_node(0)->set_name("other"); }));
  EXPECT_TRUE(differs([](model::Model& m) { m.proto.mutable_opset_import(0)->set_version(18); }));
  EXPECT_TRUE(differs([](model::Model& m) { m.proto.set_producer_name("someone"); }));
  EXPECT_TRUE(differs([](model::Model& m) { *m.graph().add_initializer() = model::to_proto("w", floats({1, 2})); }));
  EXPECT_TRUE(differs([](model::Model& m) { *m.graph().add_initializer() = model::to_proto("w", floats({1, 3})); }));
}

TEST(CandidateHash, KnowsComputedWeightsByTheirValuesNotByTheirPlace) {
  const std::vector<float> ones(1000, 1.0F);
  const std::vector<float> twos(1000, 2.0F);
  const auto with = [&](const std::vector<float>& values, bool others_first) {
    model::Model model = edit::test::chain(2);
    if (others_first) {
      EXPECT_TRUE(model::spill_weights(model, {{"unused", floats(std::vector<float>(500, 7.0F))}}));
    }
    *model.graph().add_initializer() = model::spill_weights(model, {{"w", floats(values)}}).value().front();
    return candidate_hash(model);
  };
  EXPECT_EQ(with(ones, false), with(ones, true));
  EXPECT_NE(with(ones, false), with(twos, false));
}

TEST(CandidateHash, TakesWeightsOfTheInputByTheirPlace) {
  model::Model model = model::load(small_model()).value();
  const std::string before = candidate_hash(model);
  model.files = std::make_shared<model::WeightFiles>();  // hashing doesn't read them
  EXPECT_EQ(candidate_hash(model), before);
}

TEST(FileIdentity, IsThatOfTheBytes) {
  const base::TempDir folder = base::TempDir::create().value();
  const auto identity = [&](const std::string& name, std::string_view bytes) {
    EXPECT_TRUE(base::write_file(folder.path() / name, bytes));
    return file_identity(folder.path() / name).value();
  };
  EXPECT_EQ(identity("a", "bytes"), identity("b", "bytes"));
  EXPECT_NE(identity("a", "bytes"), identity("b", "bytez"));
  EXPECT_NE(identity("a", ""), identity("b", std::string_view("\0", 1)));
}

TEST(FileIdentity, NamesWhatCannotBeRead) {
  const auto identity = file_identity("/nonexistent/model.onnx");
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().where, "/nonexistent/model.onnx");
}

TEST(FileIdentity, OfLargeFilesSeesSizeTimeAndBothEnds) {
  const base::TempDir folder = base::TempDir::create().value();
  const fs::path path = folder.path() / "large";
  ASSERT_TRUE(base::write_file(path, "begin"));
  fs::resize_file(path, kHashedWhole + 1);  // sparse, so that writing and reading cost no time
  const timespec times[2] = {{1'000'000'000, 5}, {1'000'000'000, 5}};
  const auto identity = [&] {
    EXPECT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    return file_identity(path).value();
  };
  const std::string before = identity();
  EXPECT_EQ(identity(), before);
  fs::last_write_time(path, fs::file_time_type::clock::now());
  EXPECT_NE(file_identity(path).value(), before) << "the time";
  const auto write_at = [&](std::uint64_t offset) {
    std::FILE* file = std::fopen(path.c_str(), "r+");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(std::fseek(file, static_cast<long>(offset), SEEK_SET), 0);
    std::fputc('!', file);
    std::fclose(file);
  };
  write_at(kHashedWhole);
  const std::string changed = identity();
  EXPECT_NE(changed, before) << "the last byte";
  write_at(0);
  EXPECT_NE(identity(), changed) << "the first byte";
}

TEST(InputIdentity, CoversExternalData) {
  const base::TempDir folder = base::TempDir::create().value();
  for (const char* name : {"ext_weights.onnx", "ext_weights.data"}) {
    fs::copy(test::models_dir() / name, folder.path() / name);
  }
  const auto identity = [&] { return input_identity(model::load(folder.path() / "ext_weights.onnx").value()).value(); };
  const std::string before = identity();
  EXPECT_NE(before.find("ext_weights.data"), std::string::npos);
  EXPECT_EQ(identity(), before);
  fs::last_write_time(folder.path() / "ext_weights.data", fs::file_time_type::clock::now());
  EXPECT_NE(identity(), before);
}

// A copy that each run makes has another time.
TEST(InputIdentity, OfACopyIsThatOfItsContent) {
  const base::TempDir folder = base::TempDir::create().value();
  const fs::path path = folder.path() / "large";
  ASSERT_TRUE(base::write_file(path, "begin"));
  fs::resize_file(path, kHashedWhole + 1);
  const auto identity = [&](InputIdentity by, std::time_t seconds) {
    const timespec times[2] = {{seconds, 0}, {seconds, 0}};
    EXPECT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    model::Model model;
    model.path = folder.path() / "m.onnx";
    const auto file = base::MappedFile::open(path).value();
    model.files = std::make_shared<const model::WeightFiles>(
        model::WeightFiles{{model::inline_location(model.path), file}, {"m.data", file}});
    return input_identity(model, by).value();
  };
  EXPECT_NE(identity(InputIdentity::usual, 1'000'000'000), identity(InputIdentity::usual, 1'000'000'001));
  const std::string before = identity(InputIdentity::content, 1'000'000'000);
  EXPECT_EQ(identity(InputIdentity::content, 1'000'000'001), before);
  std::FILE* file = std::fopen(path.c_str(), "r+");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(std::fseek(file, (long{1} << 20) + (64 << 10) + 100, SEEK_SET), 0) << "between the pieces";
  std::fputc('!', file);
  std::fclose(file);
  EXPECT_NE(identity(InputIdentity::content, 1'000'000'000), before);
}

}  // namespace
}  // namespace assay::reduce
