#include "reduce/search/change_search.h"

#include "edit/changes/known_value_infos.h"
#include "edit/model_texts.h"
#include "model/inference/check.h"

namespace assay::reduce {
namespace {

edit::ModelChange bypass(const std::string& output, const std::string& input) {
  const edit::NodeRef node{.graph = {}, .output = output, .op_type = {}, .nth = 0};
  return {"bypass", {edit::RenameUses{{}, output, input}, edit::RemoveNode{node}}};
}

// The second change is void once the first is made. That must not make the others look void, too.
TEST(ChangeSearch, TriesEachChangeThatHasAnEffect) {
  ChangeSearch::Start start{.model = std::make_shared<const model::Model>(edit::test::parse(
                                "g (float[2] x) => (float[2] y) { a = Abs(x)  b = Sin(a)  c = Exp(b)  y = Relu(c) }")),
                            .changes = {bypass("a", "x"), bypass("a", "x"), bypass("b", "a"), bypass("c", "b")},
                            .known = {}};
  start.known = edit::known_value_infos(*start.model);
  ChangeSearch search("test", 0.7, std::make_shared<const ChangeSearch::Start>(std::move(start)));
  while (const std::optional<Proposal> proposal = search.next()) {
    const auto& model = std::get<SharedModel>(proposal->draft);
    const bool fails = edit::test::text(*model).find("Sin") != std::string::npos;
    search.learn({.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}});
  }
  EXPECT_EQ(edit::test::text(*search.model()),
            edit::test::text(edit::test::parse("g (float[2] x) => (float[2] y) { b = Sin(x)  y = Relu(b) }")));
  EXPECT_EQ(search.changes_made(), 2);
}

// The Sin computes nothing that is used, but it remains, and the output would be an input.
TEST(ChangeSearch, TriesNoModelWithoutOutputs) {
  ChangeSearch::Start start{.model = std::make_shared<const model::Model>(
                                edit::test::parse("g (float[2] x) => (float[2] y) { y = Relu(x)  a = Sin(x) }")),
                            .changes = {bypass("y", "x")},
                            .known = {}};
  start.known = edit::known_value_infos(*start.model);
  ChangeSearch search("test", 0.7, std::make_shared<const ChangeSearch::Start>(std::move(start)));
  EXPECT_FALSE(search.next());
}

edit::ModelChange shrink(const std::string& input) {
  return {"size of " + input, {edit::SetSize{input, 0, 1}}};
}

// Both operands of the Add broadcast, but its output would change its shape if both had one element.
TEST(ChangeSearch, TriesNoModelThatTheCheckerRejectsIfItAcceptsTheFirst) {
  for (const bool stays_valid : {true, false}) {
    ChangeSearch::Start start{.model = std::make_shared<const model::Model>(
                                  edit::test::parse("g (float[2] x, float[2] z) => (float[2] y) { y = Add(x, z) }")),
                              .changes = {shrink("x"), shrink("z")},
                              .known = {},
                              .stays_valid = stays_valid};
    start.known = edit::known_value_infos(*start.model);
    ChangeSearch search("test", 0.7, std::make_shared<const ChangeSearch::Start>(std::move(start)));
    while (search.next()) search.learn({.kind = Verdict::Kind::fails, .text = {}});
    EXPECT_EQ(search.changes_made(), stays_valid ? 1 : 2);
    EXPECT_EQ(model::full_check(*search.model()).has_value(), stays_valid);
  }
}

}  // namespace
}  // namespace assay::reduce
