#include "data/results_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "data/testdata/fixture.h"
#include "tensor/npz.h"

namespace assay::data {
namespace {

using test::data_fixture;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ResultsReader, ListsAFilesContentAndReadsTheSame) {
  for (const char* path : {"outputs.json", "outputs", "uneven.json"}) {
    const RunResults expected = load_run_results(data_fixture(path)).value();
    const auto reader = ResultsReader::open(data_fixture(path)).value();
    ASSERT_EQ(reader->runner_count(), expected.runners.size());
    for (std::size_t r = 0; r < reader->runner_count(); ++r) {
      EXPECT_EQ(reader->runner_name(r), expected.runners[r].runner);
      ASSERT_EQ(reader->iteration_count(r), expected.runners[r].iterations.size());
      for (std::size_t i = reader->iteration_count(r); i-- > 0;) {
        const IterationResult& wanted = expected.runners[r].iterations[i];
        const IterationResult found = reader->read(r, i).value();
        EXPECT_EQ(found.runner, wanted.runner);
        EXPECT_EQ(found.runtime_s, wanted.runtime_s);
        ASSERT_EQ(found.outputs.names(), wanted.outputs.names());
        for (const auto& [name, tensor] : wanted.outputs) {
          EXPECT_TRUE(tensor::identical(tensor, *found.outputs.find(name))) << name;
        }
      }
    }
  }
}

TEST(ResultsReader, ReadsOnlyRequestedOutputs) {
  const auto reader = ResultsReader::open(data_fixture("outputs.json")).value();
  const std::unordered_set<std::string> wanted = {"last_out", "nothing"};
  EXPECT_THAT(reader->read(0, 0, &wanted).value().outputs.names(), ElementsAre("last_out"));
}

TEST(ResultsReader, EstimatesTheSizeOfOutputs) {
  const auto reader = ResultsReader::open(data_fixture("outputs.json")).value();
  const IterationResult result = reader->read(0, 0).value();
  const auto outputs = reader->outputs(0, 0).value();
  ASSERT_EQ(outputs.size(), result.outputs.size());
  for (const auto& output : outputs) {
    const std::uint64_t bytes = result.outputs.find(output.name)->bytes().size();
    EXPECT_GE(output.bytes, bytes) << output.name;
    EXPECT_LE(output.bytes, bytes + 256) << output.name << ": the header of an .npy file comes on top";
  }
}

TEST(ResultsReader, ReadsArchivesOfNumpyAsExpectedOutputs) {
  auto folder = base::TempDir::create().value();
  for (const float value : {1.F, 2.F}) {
    tensor::NamedTensors outputs;
    outputs.set("y", tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {value}));
    outputs.set("z", tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {value + 10}));
    ASSERT_TRUE(tensor::write_npz(folder.path() / (std::to_string(static_cast<int>(value)) + ".npz"), outputs));
  }
  const auto one = ResultsReader::open(folder.path() / "2.npz");
  ASSERT_TRUE(one) << one.error().message();
  EXPECT_EQ((*one)->runner_name(0), "expected");
  EXPECT_EQ((*one)->outputs(0, 0)->size(), 2U);
  const std::unordered_set<std::string> wanted = {"z"};
  const IterationResult result = (*one)->read(0, 0, &wanted).value();
  EXPECT_THAT(result.outputs.names(), ElementsAre("z"));
  EXPECT_EQ(result.outputs.find("z")->load<float>(0), 12);
  const auto both = ResultsReader::open(folder.path()).value();
  ASSERT_EQ(both->runner_count(), 1U);
  EXPECT_EQ(both->iteration_count(0), 2U);
}

TEST(ResultsReader, RejectsOtherFiles) {
  auto folder = base::TempDir::create().value();
  ASSERT_TRUE(base::write_file(folder.path() / "f.json", "[]"));
  EXPECT_THAT(ResultsReader::open(folder.path() / "f.json").error().message(), HasSubstr("not a file of outputs"));
  EXPECT_THAT(ResultsReader::open(folder.path() / "g.json").error().message(), HasSubstr("g.json"));
}

}  // namespace
}  // namespace assay::data
