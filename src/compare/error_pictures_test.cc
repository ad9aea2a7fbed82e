#include "compare/error_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/files.h"
#include "base/temp_dir.h"
#include "compare/error_grid.h"
#include "compare/error_spread.h"
#include "stats/histogram.h"

namespace assay::compare {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Tensor floats(tensor::Shape shape, const std::vector<float>& values) {
  return Tensor::of(ElementType::float32, std::move(shape), values);
}

PairFacts facts_of(const tensor::Shape& shape, const std::vector<float>& a, const std::vector<float>& b) {
  return {floats(shape, a), floats(shape, b), {}};
}

TEST(Histogram, IsThatOfNumPy) {
  // Equals numpy.histogram([0, 0.1, 0.2, 0.3, 0.5, 1, 1], bins=10) in float32.
  const Tensor tensor = floats({7}, {0, 0.1F, 0.2F, 0.3F, 0.5F, 1, 1});
  const stats::TensorSeries<float> series(tensor);
  const stats::OneColumn<float> column(series);
  const auto histograms = stats::histograms_of<float>(column, std::array{stats::summarize(tensor)});
  EXPECT_THAT(histograms.at(0).counts, testing::ElementsAre(1, 1, 1, 1, 0, 1, 0, 0, 0, 2));
  EXPECT_THAT(stats::draw(histograms[0]),
              HasSubstr("(0.9, 1)   |          2 | ########################################"));
}

TEST(Histogram, OfEqualNumbersSurroundsThem) {
  const Tensor tensor = floats({3}, {2, 2, 2});
  const stats::TensorSeries<float> series(tensor);
  const auto histograms =
      stats::histograms_of<float>(stats::OneColumn<float>(series), std::array{stats::summarize(tensor)});
  EXPECT_EQ(histograms.at(0).min, 1.5);
  EXPECT_EQ(histograms[0].counts[5], 3U);
}

TEST(Histogram, IsNotDrawnForNonFiniteValues) {
  const Tensor tensor = floats({2}, {2, kNaN});
  const stats::TensorSeries<float> series(tensor);
  EXPECT_EQ(
      stats::draw(
          stats::histograms_of<float>(stats::OneColumn<float>(series), std::array{stats::summarize(tensor)}).at(0)),
      "");
}

TEST(ErrorGrid, ShowsWhereErrorsAre) {
  std::vector<float> a(12), b(12);
  a[7] = 3;
  const ErrorGrids grids = make_grids(facts_of({3, 4}, a, b), 100, 100);
  EXPECT_EQ(grids.absolute.rows, 3U);
  EXPECT_EQ(grids.absolute.columns, 4U);
  EXPECT_EQ(grids.absolute.at(1, 3), 3);
  EXPECT_EQ(grids.absolute.max(), 3);
  EXPECT_EQ(draw_text(grids.absolute), "|    |\n|   █|\n|    |");
  EXPECT_EQ(layout_text(grids.absolute), "3 rows of 4 elements");
  EXPECT_EQ(layout_text(make_grids(facts_of({1}, {1}, {0}), 9, 9).absolute), "1 row of 1 element");
}

TEST(ErrorGrid, HeatIsAShareOfOneHoweverItRounds) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    ErrorGrid grid{.rows = 1, .columns = 6, .tensor_rows = 1, .tensor_columns = 6, .cells = {}};
    for (int i = 0; i < 6; ++i) grid.cells.push_back(std::exp(static_cast<double>(random() % 4000) / 100 - 20));
    for (const double error : grid.cells) {
      EXPECT_GT(heat(grid, error), 0);
      EXPECT_LE(heat(grid, error), 1);
    }
    EXPECT_FALSE(draw_text(grid).empty());
  }
}

TEST(ErrorGrid, KeepsTheWorstOfManyElements) {
  const std::size_t size = 1000 * 1000;
  std::vector<float> a(size), b(size);
  a[999 * 1000 + 999] = 1;
  a[5] = kNaN;
  const ErrorGrids grids = make_grids(facts_of({1000, 1000}, a, b), 8, 16);
  EXPECT_EQ(grids.absolute.cells.size(), 8U * 16U);
  EXPECT_EQ(grids.absolute.at(7, 15), 1);
  EXPECT_TRUE(std::isnan(grids.absolute.at(0, 0)));
  EXPECT_EQ(grids.absolute.at(3, 3), 0);
  EXPECT_THAT(draw_svg(grids.absolute, "<t>"), HasSubstr("&lt;t>"));
}

TEST(ErrorGrid, TakesEveryShape) {
  for (const tensor::Shape& shape : {tensor::Shape{}, tensor::Shape{1}, tensor::Shape{10007}, tensor::Shape{2, 3, 4, 5},
                                     tensor::Shape{1, 1, 1}, tensor::Shape{100000, 1}, tensor::Shape{3, 0}}) {
    const std::vector<float> zeros(tensor::element_count(shape).value());
    std::vector<float> ones(zeros.size(), 1);
    const ErrorGrids grids = make_grids(facts_of(shape, ones, zeros), 16, 16);
    EXPECT_LE(grids.absolute.cells.size(), 256U);
    for (const double cell : grids.absolute.cells) EXPECT_TRUE(cell == 1 || cell == -1);
    EXPECT_EQ(grids.absolute.cells.empty(), zeros.empty());
  }
}

TEST(ErrorSpread, CountsErrorsByTheirSize) {
  const ErrorSpread spread = spread_of(facts_of({5}, {1, 2.002F, 1000.2F, 0, kNaN}, {1, 2, 1000, 0, 0}));
  EXPECT_EQ(spread.absolute.zeros, 2U);
  EXPECT_EQ(spread.absolute.undefined, 1U);
  const std::string text = draw_text(spread.absolute);
  EXPECT_THAT(text, HasSubstr("         0 |            2"));
  EXPECT_THAT(text, HasSubstr("    < 1e-2 |            1 | "));
  EXPECT_THAT(text, HasSubstr("     < 1e0 |            1 | "));
  EXPECT_THAT(text, HasSubstr("NaN or inf |            1"));
}

class ErrorPicturesTest : public testing::Test {
 protected:
  base::TempDir folder_ = base::TempDir::create().value();
  base::SilentLog log_;
};

TEST_F(ErrorPicturesTest, SavesPicturesUnderNamesThatStayInTheFolder) {
  ErrorPictures pictures({folder_.path() / "maps", folder_.path() / "plots", true, true}, log_);
  PairFacts facts = facts_of({2, 2}, {1, 2, 3, kNaN}, {1, 2.5F, 3, 4});
  pictures.draw("../a/b:0", facts, {1e-5, 1e-5});
  pictures.draw("../a/b:0", facts, {});
  ASSERT_TRUE(pictures.status()) << pictures.status().error().message();
  for (const char* name :
       {"maps/absolute_error_.._a_b_0.svg", "maps/relative_error_.._a_b_0_1.svg", "plots/error_metrics_.._a_b_0.svg"}) {
    const auto text = base::read_file(folder_.path() / name);
    ASSERT_TRUE(text) << name;
    EXPECT_TRUE(text->starts_with("<svg ") && text->ends_with("</svg>\n")) << name;
  }
}

TEST_F(ErrorPicturesTest, ReportsAFolderThatCannotBeWritten) {
  ASSERT_TRUE(base::write_file(folder_.path() / "file", "x"));
  ErrorPictures pictures({folder_.path() / "file", {}, false, {}}, log_);
  pictures.draw("y", facts_of({1}, {1}, {2}), {});
  EXPECT_FALSE(pictures.status());
}

TEST_F(ErrorPicturesTest, DrawsNothingWithoutOutputs) {
  ErrorPictures pictures({folder_.path() / "maps", folder_.path() / "plots", true, true}, log_);
  pictures.draw("y", facts_of({0}, {}, {}), {});
  EXPECT_TRUE(pictures.status());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "maps"));
}

}  // namespace
}  // namespace assay::compare
