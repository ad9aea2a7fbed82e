#include "backend/tensorrt/sdk/load_plugins.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "backend/tensorrt/sdk/worker_test_support.h"
#include "tests/support/paths.h"

namespace assay::backend {
namespace {

using test::floats;
using test::from_text;
using test::named;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using worker::Phase;

class LoadPlugins : public TensorRt {};

// The registry keeps the first of two plug-ins of the same name.
TEST_F(LoadPlugins, ABuildOfNvidiasPluginsReplacesThem) {
  const std::string build = test::fake("tensorrt/plugins/libassay_fake_plugin_nvidia.so");
  use_oldest_library();
  std::filesystem::copy_file(build, path(fmt::format("lean/libnvinfer_plugin.so.{}", NV_TENSORRT_MAJOR)));
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Relu(x) y = FakePlugin(a) })");
  EXPECT_TRUE(load(model)) << "TensorRT has NVIDIA's plug-ins";
  with("--plugins", {build});
  for (int repeat = 0; repeat < 2; ++repeat) {
    const auto session = load(model);
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_THAT(texts((*session)->info().messages, base::Level::error), testing::IsEmpty());
  }
}

// NVIDIA's library registers some plug-ins when it is opened, and the others, such as this one, in a function.
TEST_F(LoadPlugins, ABuildOfNvidiasPluginsRegistersAllOfThem) {
  with("--plugins", {test::fake("tensorrt/plugins/libassay_fake_plugin_nvidia.so")});
  const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = FakePlugin(x) })"));
  EXPECT_TRUE(session) << worker::describe(session.error());
}

TEST_F(LoadPlugins, ABrokenLibraryOfNvidiasIsAWarning) {
  use_oldest_library();
  const std::string file = path(fmt::format("lean/libnvinfer_plugin.so.{}", NV_TENSORRT_MAJOR));
  ASSERT_TRUE(base::write_file(file, ""));
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::warning),
              ElementsAre(AllOf(HasSubstr("cannot open NVIDIA's plug-ins " + file), HasSubstr("file too short"))));
}

// A lean runtime is another copy of TensorRT, which doesn't know the plug-ins of the first.
TEST_F(LoadPlugins, ALeanRuntimeHasThePlugins) {
  const std::string plugins = test::fake("tensorrt/plugins/");
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Relu(x) y = FakePlugin(a) })");
  const auto x = named("x", floats({2}, {-1, 2}));
  std::filesystem::copy_file(library(), path("lean.so"));
  with("--version-compatible").with("--exclude-lean-runtime").with("--load-runtime", {path("lean.so")});
  with("--plugins", {plugins + "libassay_fake_plugin.so"}).with_option("save_built", path("x.plan"));
  const auto built = run(model, x);
  ASSERT_TRUE(built) << worker::describe(built.error());

  const auto engine_with = [&](const std::vector<std::string>& libraries) {
    given_ = {};
    options_ = {{"model_type", "engine"}};
    with("--load-runtime", {path("lean.so")});
    if (!libraries.empty()) with("--plugins", libraries);
    return worker::ModelFile{path("x.plan")};
  };
  const worker::ModelFile engine = engine_with({plugins + "libassay_fake_plugin.so"});
  for (int repeat = 0; repeat < 2; ++repeat) {  // each engine has a runtime of its own
    const auto result = run(engine, x);
    ASSERT_TRUE(result) << worker::describe(result.error());
    EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(0, 2));
  }
  EXPECT_THAT(load_error(engine_with({}), Phase::load), HasSubstr("FakePlugin"));
  EXPECT_THAT(
      load_error(engine_with({plugins + "libassay_fake_plugin_old.so"}), Phase::load),
      AllOf(HasSubstr("libassay_fake_plugin_old.so"), HasSubstr("only takes libraries that export getCreators")));
}

}  // namespace
}  // namespace assay::backend
