// Adds an engine as CONTRIBUTING.md says, a worker program and a row, and shows that nothing else is needed: the
// command line offers it, its library is found, and models run in it.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/stop.h"
#include "base/temp_dir.h"
#include "cli/options/engine_options.h"
#include "model/load.h"
#include "tests/fakes/echo/echo_row.h"
#include "tests/support/paths.h"
#include "worker/engine.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class EchoEngine : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(base::write_file(library(), ""));
    installation_.engines.libraries["echo"].variable = folder_.path();
  }
  std::filesystem::path library() const { return folder_.path() / "libecho.so.1.2"; }
  // Returns the runners that `assay run` would start for these words.
  base::Expected<std::vector<run::EngineSetup>> setups(std::vector<std::string> words) {
    CLI::App app;
    cli::EngineOptions options(backend::kEchoRow);
    options.add_to(app);
    std::ranges::reverse(words);  // as CLI11 wants them
    app.parse(words);
    return options.setups(installation_);
  }
  worker::Outcome<std::unique_ptr<worker::Session>> load(const run::EngineSetup& setup) {
    const model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { y = Neg(x) })")
                                   .value();
    const worker::ModelBytes bytes{tensor::Buffer::own(model.proto.SerializeAsString()), {}};
    return pool_.load(setup.spec, bytes, {});
  }

  base::TempDir folder_ = base::TempDir::create().value();
  cli::Installation installation_;
  base::Stop stop_;
  worker::Pool pool_{{.worker_dir = test::fakes_dir()}, stop_};
};

TEST_F(EchoEngine, RunsFromItsRowAndItsWorker) {
  const auto runners = setups({"--echo=loud:volume=11", "--echo", "--echo-volume", "2"});
  ASSERT_TRUE(runners) << runners.error().message();
  ASSERT_EQ(runners->size(), 2U);
  const run::EngineSetup& loud = runners->at(0);
  EXPECT_THAT(loud.runner, StartsWith("loud-runner-N0-"));
  EXPECT_THAT(runners->at(1).runner, StartsWith("echo"));
  EXPECT_EQ(loud.engine, "Echo");
  EXPECT_EQ(loud.spec.library, library());
  EXPECT_EQ(loud.spec.options.at("volume"), "11");
  EXPECT_EQ(runners->at(1).spec.options.at("volume"), "2");
  const auto session = load(loud);
  ASSERT_TRUE(session) << to_error(session.error(), "echo").message();
  EXPECT_THAT((*session)->info().engine_version, HasSubstr("libecho.so.1.2"));
  tensor::NamedTensors feeds;
  const std::vector<float> values = {3, 4};
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, values));
  const auto result = (*session)->infer(feeds, {}, {});
  ASSERT_TRUE(result) << to_error(result.error(), "echo").message();
  EXPECT_TRUE(tensor::identical(*result->outputs.find("y"), *feeds.find("x")));
}

TEST_F(EchoEngine, ExplainsWhatItRefuses) {
  EXPECT_THAT(setups({"--echo=a:colour=red"}).error().message(),
              AllOf(HasSubstr("Echo has no setting 'colour'"), HasSubstr("lib, volume")));
  installation_.engines.libraries.clear();
  EXPECT_THAT(setups({"--echo"}).error().message(),
              AllOf(HasSubstr("Echo was not found"), HasSubstr("--echo-lib"), HasSubstr("ASSAY_ECHO_LIB")));
  EXPECT_THAT(setups({"--echo", "--echo-lib", "/no/such"}).error().message(), HasSubstr("no Echo at /no/such"));
  run::EngineSetup setup;
  setup.spec = {.kind = "echo", .library = library(), .options = {{"colour", "red"}}};
  EXPECT_THAT(to_error(load(setup).error(), "echo").message(), HasSubstr("no option 'colour'"));
}

}  // namespace
}  // namespace assay
