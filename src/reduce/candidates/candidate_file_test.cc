#include "reduce/candidates/candidate_file.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "edit/test_models.h"
#include "model/load.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

Candidate candidate(const model::Model& model) {
  return {.model = model, .nodes = model.graph().node_size(), .iteration = {}, .verbatim = {}};
}

class OneFile : public testing::Test {
 protected:
  base::Expected<CandidateFile> make(const model::Model& original) {
    return CandidateFile::make(original, {.artifact = path_}, stop_, log_);
  }
  base::TempDir folder_ = base::TempDir::create().value();
  const fs::path path_ = folder_.path() / "x.onnx";
  base::Stop stop_;
  base::SilentLog log_;
};

TEST_F(OneFile, RefusesAFileThatIsThereAlready) {
  ASSERT_TRUE(base::write_file(path_, "mine"));
  const auto file = make(edit::test::chain(3));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where, path_.string());
  EXPECT_EQ(base::read_file(path_).value(), "mine");
}

TEST_F(OneFile, IsGoneAfterwardsUnlessKept) {
  const model::Model model = edit::test::chain(3);
  {
    CandidateFile file = make(model).value();
    ASSERT_TRUE(file.write(candidate(model)));
    EXPECT_EQ(model::load(path_)->graph().node_size(), 3);
  }
  EXPECT_FALSE(fs::exists(path_));
  {
    CandidateFile file = make(model).value();
    file.keep();
    ASSERT_TRUE(file.write(candidate(model)));
  }
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(OneFile, CopiesTheOriginalByteForByte) {
  const fs::path path = folder_.path() / "original.onnx";
  const std::string bytes = edit::test::chain(1).proto.SerializeAsString() + std::string("\xa2\x06\x01x", 4);
  ASSERT_TRUE(base::write_file(path, bytes));  // with a field that nobody knows
  const model::Model model = model::load(path).value();
  CandidateFile file = make(model).value();
  Candidate original = candidate(model);
  original.verbatim = path;
  ASSERT_TRUE(file.write(original));
  EXPECT_EQ(base::read_file(file.path()).value(), bytes);
}

}  // namespace
}  // namespace assay::reduce
