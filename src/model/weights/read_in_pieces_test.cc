#include "model/weights/read_in_pieces.h"

#include <gtest/gtest.h>

#include <string>

#include "base/temp_dir.h"
#include "model/load.h"
#include "model/save.h"
#include "model/weights/spill_weights.h"

namespace assay::model {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string read_all(const Model& model, int weight, std::size_t piece, int most = 1000000) {
  std::string all;
  const auto read =
      read_in_pieces(model, model.graph().initializer(weight), piece, [&](std::span<const std::byte> part) {
        EXPECT_LE(part.size(), piece);
        all.append(reinterpret_cast<const char*>(part.data()), part.size());
        return --most > 0;
      });
  EXPECT_TRUE(read) << read.error().message();
  return all;
}

// Weights that were written in uneven pieces are read in others.
TEST(ReadInPieces, ReadsTheFilesOfWeightSpill) {
  Model model =
      parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Abs(x) }").value();
  std::vector<std::string> expected;
  WeightSpill spill(model);
  for (const int size : {0, 100, 1023, 1024, 5000, 700, 100000}) {
    std::string values;
    for (int i = 0; i < size; ++i) values.push_back(static_cast<char>(i * 7));
    for (std::size_t at = 0; at < values.size(); at += 600) spill.write(bytes_of(values.substr(at, 600)));
    onnx::TensorProto& weight = *model.graph().add_initializer();
    weight.set_name(std::to_string(size));
    weight.set_data_type(onnx::TensorProto::UINT8);
    weight.add_dims(size);
    weight.add_int32_data(1);  // must be replaced
    spill.end(weight);
    EXPECT_EQ(weight.has_raw_data(), size < 1024) << size;
    expected.push_back(std::move(values));
  }
  ASSERT_TRUE(spill.finish(model));
  const base::TempDir folder = base::TempDir::create().value();
  ASSERT_TRUE(save(model, folder.path() / "m.onnx"));
  const Model loaded = load(folder.path() / "m.onnx").value();
  for (int i = 0; i < static_cast<int>(expected.size()); ++i) {
    for (const std::size_t piece : {1000, 4096, 1 << 20}) {
      EXPECT_EQ(read_all(model, i, piece), expected[i]) << i;
      EXPECT_EQ(read_all(loaded, i, piece), expected[i]) << i;
    }
  }
  EXPECT_EQ(read_all(loaded, 6, 1000, 2), expected[6].substr(0, 2000));
}

TEST(WeightSpill, FailsWithoutATemporaryFolder) {
  Model model =
      parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Abs(x) }").value();
  const char* old = std::getenv("TMPDIR");
  const std::string kept = old == nullptr ? "" : old;
  ::setenv("TMPDIR", "/nowhere", 1);
  WeightSpill spill(model);
  spill.write(bytes_of(std::string(5000, 'x')));
  onnx::TensorProto weight;
  spill.end(weight);
  const base::Status status = spill.finish(model);
  if (old == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
  ASSERT_FALSE(status);
}

}  // namespace
}  // namespace assay::model
