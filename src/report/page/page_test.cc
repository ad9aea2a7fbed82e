#include "report/page/page.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <cstring>

#include "base/files.h"
#include "base/temp_dir.h"
#include "report/page/encode_views.h"
#include "report/page/html_text.h"
#include "tensor/base64.h"

namespace assay::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string decode_views(const Page& page) {
  const auto packed = tensor::decode_base64(encode_views(page));
  EXPECT_TRUE(packed);
  std::string block(1 << 22, '\0');
  uLongf size = block.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(block.data()), &size,
                       reinterpret_cast<const Bytef*>(packed->view().data()), packed->view().size()),
            Z_OK);
  block.resize(size);
  return block;
}

// Returns the offset of a column in a block, and its number of elements.
std::pair<std::size_t, std::size_t> column(const std::string& block, const std::string& name, const std::string& type) {
  std::uint32_t length = 0;
  std::memcpy(&length, block.data(), 4);
  const std::string header = block.substr(4, length);
  const std::string key = "\"" + name + "\":[\"" + type + "\",";
  const std::size_t at = header.find(key);
  EXPECT_NE(at, std::string::npos) << name << " isn't in " << header;
  char* end = nullptr;
  const std::size_t offset = std::strtoull(header.c_str() + at + key.size(), &end, 10);
  return {(4 + length + 7) / 8 * 8 + offset, std::strtoull(end + 1, nullptr, 10)};
}

std::vector<double> numbers(const std::string& block, const std::string& name) {
  const auto [offset, count] = column(block, name, "f64");
  std::vector<double> values(count);
  std::memcpy(values.data(), block.data() + offset, count * sizeof(double));
  return values;
}

TEST(Page, SaysTheVerdictAndEscapesEverything) {
  const std::string hostile = "<b>&\"'";
  const std::string escaped = "&lt;b&gt;&amp;&quot;&#39;";
  Page page{.title = "t" + hostile, .mark = Mark::bad, .verdict = "v" + hostile, .command_line = "c" + hostile};
  page.steps = {{.question = "q" + hostile,
                 .mark = Mark::good,
                 .answer = "a" + hostile,
                 .seconds = 0.0123,
                 .tables = {{.title = "h" + hostile, .columns = {"k" + hostile}, .rows = {{"r" + hostile}}}}}};
  page.minimal_case = MinimalCase{.file = "f" + hostile, .model_text = "m" + hostile, .commands = {"x" + hostile}};
  page.environment = {{"n" + hostile, "e" + hostile}};
  const std::string html = to_html(page);
  for (const char letter : std::string("tvcqahkrfmxne")) {
    EXPECT_THAT(html, HasSubstr(letter + escaped));
    EXPECT_THAT(html, Not(HasSubstr(letter + hostile)));
  }
  EXPECT_THAT(html, AllOf(HasSubstr("Problem found"), HasSubstr("12 ms"), HasSubstr("default-src 'none'")));
}

TEST(Page, HasOnlyTheSectionsThatItHasDataFor) {
  const std::string html = to_html({.title = "a title"});
  for (const char* id : {"steps", "results", "errors", "graph", "tensors", "reduction", "minimal", "environment"}) {
    EXPECT_THAT(html, Not(HasSubstr("<section id=\"" + std::string(id)))) << id;
  }
  EXPECT_THAT(html, HasSubstr("<h1>a title</h1>"));
}

// Changes of weights are colours of the graph, but no errors of layers.
TEST(Page, PlotsErrorsBetweenTwoSidesOnly) {
  Page page;
  page.graph.tensors.push_back({.name = "w", .norm = 1});
  const std::string plot = "<section id=\"errors\"";
  EXPECT_THAT(to_html(page), Not(HasSubstr(plot)));
  page.first_side = "onnxrt N0";
  EXPECT_EQ(to_html(page).find(plot) != std::string::npos, to_html(page).find("id=\"tensors\"") != std::string::npos)
      << "as all views, it needs the script";
}

TEST(Page, GivesLongTextsAWideColumn) {
  const std::string text(41, 'x');
  const std::string html = html_table({.columns = {"a", "b"}, .rows = {{"short", text}}});
  EXPECT_THAT(html, AllOf(HasSubstr("<td>short</td>"), HasSubstr("<td class=\"long\">" + text)));
  const std::string longer(201, 'x');
  EXPECT_THAT(html_table({.columns = {"a"}, .rows = {{longer}}}), HasSubstr("<td class=\"very-long\">" + longer));
}

TEST(Page, LeavesOutColumnsWithoutText) {
  const std::string html =
      html_table({.columns = {"Runner", "Signal", "Error"}, .rows = {{"a", "", ""}, {"b", "", "x"}}});
  EXPECT_THAT(html, AllOf(HasSubstr("Runner"), HasSubstr("Error"), Not(HasSubstr("Signal"))));
  EXPECT_THAT(html, HasSubstr("<tr><td>a</td><td></td></tr><tr><td>b</td><td>x</td></tr>"));
  EXPECT_THAT(html_table({.columns = {"Runner"}, .rows = {}}), HasSubstr("Runner"));
}

TEST(Page, NamesNoFileOfAMinimalCaseThatIsNotSaved) {
  Page page;
  page.minimal_case = MinimalCase{.file = "small.onnx", .model_text = "y = Neg(x)"};
  EXPECT_THAT(to_html(page), HasSubstr("<code>small.onnx</code>"));
  page.minimal_case->file.clear();
  EXPECT_THAT(to_html(page), AllOf(HasSubstr("y = Neg(x)"), Not(HasSubstr("<code></code>"))));
}

TEST(Page, KeepsTheHistogramsOfTheWorstTensorsOnly) {
  Page page;
  for (int tensor = 0; tensor < 300; ++tensor) {
    const PageStatistics side{
        .side = "s",
        .histogram = PageHistogram{.low = 0, .high = 1, .counts = {1000 + static_cast<std::uint64_t>(tensor)}}};
    page.graph.tensors.push_back({.name = std::to_string(tensor),
                                  .norm = tensor == 7 ? kNotMeasured : tensor,
                                  .origin = tensor == 3 ? Origin::born : Origin::none,
                                  .statistics = {side}});
  }
  const std::vector<double> counts = numbers(decode_views(page), "histogram_counts");
  ASSERT_EQ(counts.size(), kHistograms);
  EXPECT_EQ(counts[0], 1003);
  EXPECT_EQ(counts[1], 1101);
  EXPECT_EQ(counts.back(), 1299);
}

TEST(Page, KeepsNumbersExactly) {
  Page page;
  page.checks = {{.seconds = 0.1, .nodes = 5000000000, .failed = true, .pass = "p"}};
  page.graph.tensors = {{.name = "t", .absolute = 1e-310, .relative = std::numeric_limits<double>::infinity()}};
  const std::string block = decode_views(page);
  EXPECT_THAT(numbers(block, "check_seconds"), testing::ElementsAre(0.1));
  EXPECT_THAT(numbers(block, "check_nodes"), testing::ElementsAre(5e9));
  EXPECT_THAT(numbers(block, "tensor_absolute"), testing::ElementsAre(1e-310));
  EXPECT_THAT(numbers(block, "tensor_relative"), testing::ElementsAre(std::numeric_limits<double>::infinity()));
  EXPECT_THAT(numbers(block, "tensor_norm"), testing::ElementsAre(testing::IsNan()));
}

TEST(Page, IsWrittenToAFile) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  const Page page{.title = "a title"};
  ASSERT_TRUE(write_page(page, folder->path() / "new" / "report.html"));
  EXPECT_EQ(base::read_file(folder->path() / "new" / "report.html").value(), to_html(page));
  EXPECT_FALSE(write_page(page, folder->path()));
}

TEST(SecondsText, HasAUnit) {
  EXPECT_EQ(seconds_text(0), "0 ms");
  EXPECT_EQ(seconds_text(0.9996), "1.0 s");
  EXPECT_EQ(seconds_text(125), "2 min 5 s");
  EXPECT_EQ(seconds_text(kNotMeasured), "");
}

}  // namespace
}  // namespace assay::report
