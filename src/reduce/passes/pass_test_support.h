// Helpers for tests of passes, which compare models as ONNX text.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "edit/changes/known_value_infos.h"
#include "edit/model_texts.h"
#include "reduce/passes/pass.h"

namespace assay::reduce::test {

using edit::test::expect_valid;
using edit::test::parse;
using edit::test::text;
using Propose = std::vector<edit::ModelChange> (*)(const PassInput&);

inline std::vector<edit::ModelChange> propose(Propose pass, const model::Model& model,
                                              const tensor::NamedTensors& values = {}) {
  const edit::ValueInfos known = edit::known_value_infos(model);
  return pass({model, known, values});
}

inline model::Model apply_all(const model::Model& model, const std::vector<edit::ModelChange>& changes) {
  std::vector<const edit::ModelChange*> pointers;
  for (const edit::ModelChange& change : changes) pointers.push_back(&change);
  return edit::apply(model, pointers, edit::known_value_infos(model)).model;
}

// Applies everything that the pass proposes at once.
inline void expect_all(Propose pass, const model::Model& before, const model::Model& after,
                       const tensor::NamedTensors& values = {}) {
  const model::Model applied = apply_all(before, propose(pass, before, values));
  EXPECT_EQ(text(applied), text(after));
  expect_valid(applied);
}
inline void expect_all(Propose pass, const std::string& before, const std::string& after) {
  expect_all(pass, parse(before), parse(after));
}

// Applies each proposal alone, in their order.
inline void expect_each(Propose pass, const model::Model& before, const std::vector<model::Model>& after) {
  std::vector<std::string> texts;
  for (const edit::ModelChange& change : propose(pass, before)) {
    const model::Model applied = apply_all(before, {change});
    texts.push_back(text(applied));
    expect_valid(applied);
  }
  std::vector<std::string> expected;
  for (const model::Model& model : after) expected.push_back(text(model));
  EXPECT_EQ(texts, expected);
}
inline void expect_each(Propose pass, const std::string& before, const std::vector<std::string>& after) {
  std::vector<model::Model> models;
  for (const std::string& each : after) models.push_back(parse(each));
  expect_each(pass, parse(before), models);
}

inline void expect_nothing(Propose pass, const std::string& model) {
  EXPECT_THAT(propose(pass, parse(model)), testing::SizeIs(0));
}

}  // namespace assay::reduce::test
