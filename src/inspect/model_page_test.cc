#include "inspect/model_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::inspect {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(const std::string& body) {
  const model::Model model = model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + body).value();
  constexpr DescribeOptions kOptions{.layers = true, .attributes = true};
  return to_page(describe(model, kOptions).value(), kOptions);
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(ModelPage, DrawsNodesAndEdges) {
  const std::string html = page("g (float[2] x) => (float[2] z) { y = Relu(x) z = Neg(y) }");
  EXPECT_EQ(count(html, "<a href="), 4U);  // x, Relu, Neg, z
  EXPECT_EQ(count(html, "<path d="), 3U);
  EXPECT_THAT(html, HasSubstr("<pre class=\"part\" id=\"b1\">Node 0    |  [Op: Relu]\n    {x [dtype=float32"));
}

TEST(ModelPage, ABodyReadsWhatItCaptures) {
  const std::string html = page(
      "g (float[2] x, bool c) => (float[2] y) { k = Relu(x) y = If (c) <then_branch = t () => (float[2] a) { a = "
      "Abs(k) }, else_branch = e () => (float[2] b) { b = Neg(k) }> }");
  EXPECT_EQ(count(html, "<path d="), 4U);  // x to Relu, c to If, Relu to If, If to y
}

TEST(ModelPage, NamesCannotBecomeMarkup) {
  model::Model model = model::parse_text(
                           "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                           "g (float[2] x) => (float[2] y) { y = Relu(x) }")
                           .value();
  model.graph().set_name("</pre><script>alert(1)</script>");
  model.graph().mutable_node(0)->set_name("<b>\"&");
  constexpr DescribeOptions kOptions{.layers = true};
  const std::string html = to_page(describe(model, kOptions).value(), kOptions);
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;&quot;&amp;"));
}

}  // namespace
}  // namespace assay::inspect
