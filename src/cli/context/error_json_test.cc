#include "cli/context/error_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::cli {
namespace {

TEST(ErrorJson, HoldsThePartsAndTheMessage) {
  const base::Error error{base::ErrorKind::not_found, "no \"such\" file", "a\\b.onnx", "Check the path"};
  const auto document = nlohmann::json::parse(error_json(error));
  EXPECT_EQ(document.at("error").at("kind"), "not_found");
  EXPECT_EQ(document.at("error").at("where"), "a\\b.onnx");
  EXPECT_EQ(document.at("error").at("fix"), "Check the path");
  EXPECT_EQ(document.at("error").at("message"), error.message());
}

}  // namespace
}  // namespace assay::cli
