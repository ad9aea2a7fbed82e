#include "data/saved_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/inputs_file.h"
#include "data/testdata/fixture.h"
#include "tensor/npz.h"

namespace assay::data {
namespace {

using test::data_fixture;
using test::floats;
using test::named;
using testing::ElementsAre;
using testing::HasSubstr;

// The fixtures were written by Polygraphy.
TEST(SavedData, ReadsInputsAndOutputsAlike) {
  for (const auto& path : {data_fixture("inputs.json"), data_fixture("inputs")}) {
    const auto whole = load_inputs(path).value();
    auto data = SavedData::open(path).value();
    EXPECT_FALSE(data.holds_outputs());
    EXPECT_EQ(data.runner_count(), 1U);
    EXPECT_EQ(data.runner_name(0), "");
    ASSERT_EQ(data.iteration_count(0), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const auto arrays = data.arrays(0, i).value();
      EXPECT_EQ(arrays.names(), whole[i].names());
      for (const auto& [name, value] : whole[i]) EXPECT_TRUE(identical(arrays.read(name).value(), value)) << name;
      EXPECT_FALSE(data.runtime_s(0, i).value());
    }
  }
  for (const auto& path : {data_fixture("outputs.json"), data_fixture("outputs")}) {
    const auto whole = load_run_results(path).value();
    auto data = SavedData::open(path).value();
    EXPECT_TRUE(data.holds_outputs());
    ASSERT_EQ(data.runner_count(), whole.runners.size());
    for (std::size_t runner = 0; runner < whole.runners.size(); ++runner) {
      EXPECT_EQ(data.runner_name(runner), whole.runners[runner].runner);
      const auto& iterations = whole.runners[runner].iterations;
      ASSERT_EQ(data.iteration_count(runner), iterations.size());
      for (std::size_t i = 0; i < iterations.size(); ++i) {
        const auto arrays = data.arrays(runner, i).value();
        EXPECT_EQ(arrays.names(), iterations[i].outputs.names());
        for (const auto& [name, value] : iterations[i].outputs) {
          EXPECT_TRUE(identical(arrays.read(name).value(), value)) << name;
        }
        EXPECT_EQ(data.runtime_s(runner, i).value(), iterations[i].runtime_s);
      }
    }
  }
}

TEST(SavedData, ReadsAnArchive) {
  const auto folder = base::TempDir::create().value();
  ASSERT_TRUE(tensor::write_npz(folder.path() / "a.npz", named({{"x", floats({2}, {1, 2})}, {"y", floats({1}, {3})}})));
  auto data = SavedData::open(folder.path() / "a.npz").value();
  const auto arrays = data.arrays(0, 0).value();
  EXPECT_THAT(arrays.names(), ElementsAre("x", "y"));
  EXPECT_EQ(arrays.read("y").value().load<float>(0), 3);
  EXPECT_FALSE(arrays.contains("z"));
  EXPECT_EQ(arrays.read("z").error().kind, base::ErrorKind::not_found);
}

TEST(SavedData, ReadsTheOtherArraysOfADamagedArchive) {
  const auto folder = base::TempDir::create().value();
  const auto file = folder.path() / "a.npz";
  ASSERT_TRUE(tensor::write_npz(file, named({{"x", floats({1}, {3})}, {"y", floats({1}, {5})}})));
  std::string bytes = base::read_file(file).value();
  const std::string three("\x00\x00\x40\x40", 4);
  bytes.at(bytes.find(three)) = '\x01';  // now the checksum is wrong
  ASSERT_TRUE(base::write_file(file, bytes));
  auto data = SavedData::open(file).value();
  const auto arrays = data.arrays(0, 0).value();
  EXPECT_THAT(arrays.names(), ElementsAre("y", "x"));
  EXPECT_EQ(arrays.read("y").value().load<float>(0), 5);
  EXPECT_THAT(arrays.read("x").error().message(), HasSubstr(file.string() + ": entry 'x.npy'"));
  const auto inputs = InputsFile::open(file).value();
  EXPECT_THAT(inputs.read(0).error().message(), HasSubstr(file.string() + ": entry 'x.npy'"));
}

TEST(SavedData, SaysWhereAnArrayIsThatCannotBeRead) {
  const auto folder = base::TempDir::create().value();
  const auto file = folder.path() / "in.json";
  ASSERT_TRUE(base::write_file(file, R"([{"x": 1}])"));
  auto data = SavedData::open(file).value();
  EXPECT_THAT(data.arrays(0, 0)->read("x").error().message(), HasSubstr(file.string() + ": iteration 0: array 'x'"));
}

TEST(SavedData, RejectsOtherFiles) {
  const auto folder = base::TempDir::create().value();
  EXPECT_THAT(SavedData::open(folder.path()).error().message(), HasSubstr("no .json or .npz files"));
  EXPECT_EQ(SavedData::open(folder.path() / "missing").error().kind, base::ErrorKind::not_found);
  ASSERT_TRUE(base::write_file(folder.path() / "text.json", "text"));
  EXPECT_EQ(SavedData::open(folder.path() / "text.json").error().kind, base::ErrorKind::invalid_input);
  EXPECT_EQ(saved_class(data_fixture("outputs.json")).value(), "RunResults");
  EXPECT_EQ(saved_class(data_fixture("inputs")).value(), "");
}

}  // namespace
}  // namespace assay::data
