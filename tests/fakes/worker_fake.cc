// A worker whose engine misbehaves on demand, for tests of the pool and of code that uses it.
// The bytes of a model (or the content of its file) are an order, "PLACE BEHAVIOUR", with PLACE being load, run or
// unload, as in "run segfault"; the option "behaviour" gives the behaviour of open. See kBehaviours. Any other content
// is a model that works: it returns its inputs under their own names, in the order requested. The option "count" makes
// every output a float64 scalar: the number of models that this process has loaded, including this one.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string_view>

#include "backend/serve/serve.h"
#include "base/files.h"
#include "worker/child.h"

namespace assay {
namespace {

using backend::Answer;
using backend::refuse;
using worker::kChannel;
using worker::Phase;

void write_raw(std::string_view bytes) {
  if (write(kChannel, bytes.data(), bytes.size()) < 0) _exit(3);
}

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

[[noreturn]] void eat_memory() {
  constexpr std::size_t kBite = 16 << 20;
  for (;;) {
    void* bite = mmap(nullptr, kBite, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bite == MAP_FAILED) sleep_for_ever();
    std::memset(bite, 1, kBite);
  }
}

struct Behaviour {
  std::string_view name;
  void (*misbehave)();
};

constexpr Behaviour kBehaviours[] = {
    {"fail", [] {}},  // see Fake::act
    {"throw", [] { throw std::runtime_error("thrown on demand"); }},
    {"throw_bad_alloc", [] { throw std::bad_alloc(); }},
    {"exit0", [] { _exit(0); }},
    {"exit42", [] { std::cerr << "leaving" << std::endl, _exit(42); }},
    {"abort", [] { std::cerr << "about to abort" << std::endl, std::abort(); }},
    {"segfault",
     [] {
       std::signal(SIGSEGV, SIG_DFL);
       std::raise(SIGSEGV);
     }},
    {"kill", [] { std::raise(SIGKILL); }},
    {"hang", [] { sleep_for_ever(); }},
    {"delay", [] { sleep(2); }},
    {"ignore_sigterm",
     [] {
       std::signal(SIGTERM, SIG_IGN);
       sleep_for_ever();
     }},
    {"eat_memory", [] { eat_memory(); }},
    {"leave_child",
     [] {
       if (fork() == 0) sleep_for_ever();
       _exit(42);
     }},
    {"garbage",
     [] {
       write_raw(std::string(1000, '\xff'));
       sleep_for_ever();
     }},
    {"no_protobuf",
     [] {
       write_raw({"\x04\0\0\0\xff\xff\xff\xff", 8});
       sleep_for_ever();
     }},
    {"wrong_answer",
     [] {
       write_raw({"\x02\0\0\0\x2a\0", 6});  // Unloaded
       sleep_for_ever();
     }},
    {"half",
     [] {
       write_raw({"\x64\0\0\0half", 8});
       close(kChannel);
       sleep_for_ever();
     }},
    {"half_exit",
     [] {
       write_raw({"\x64\0", 2});
       _exit(0);
     }},
    {"half_hang",
     [] {
       write_raw({"\x64\0\0\0half", 8});
       sleep_for_ever();
     }},
    {"close",
     [] {
       close(kChannel);
       sleep_for_ever();
     }},
    {"chatter",
     [] {
       const std::string line(1000, 'x');
       for (int i = 0; i < 30000; ++i) std::cerr << line << '\n';
     }},
};

class Fake final : public backend::EngineAdapter {
 public:
  Answer<std::string> open(const std::string& library, const std::map<std::string, std::string>& options) override {
    count_ = options.contains("count");
    if (const auto load = options.find("load"); load != options.end()) at_load_ = load->second;
    if (options.contains("behaviour") && !act(options.at("behaviour"))) return refuse(Phase::start, 7, "as ordered");
    return "fake " + library;
  }

  Answer<worker::SessionInfo> load(const worker::ModelSource& model) override {
    ++loads_;
    if (const auto* file = std::get_if<worker::ModelFile>(&model)) {
      order_ = base::read_file(file->path).value_or("");
    } else {
      order_ = std::get<worker::ModelBytes>(model).bytes.view();
    }
    if (!act(at_load_) || !act(order_at("load"))) return refuse(Phase::load, 7, "as ordered");
    return worker::SessionInfo{
        {}, {{"x", tensor::ElementType::float32, {-1}}}, {{"x", tensor::ElementType::float32, {-1}}}, 0.5};
  }

  Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds,
                                    const std::vector<std::string>& wanted) override {
    if (!act(order_at("run"))) return refuse(Phase::run, 7, "as ordered");
    worker::InferResult result;
    for (const std::string& name : wanted.empty() ? feeds.names() : wanted) {
      const tensor::Tensor* feed = feeds.find(name);
      if (feed == nullptr) return refuse(Phase::run, 1, "there is no output '" + name + "'");
      result.outputs.set(
          name, count_ ? tensor::Tensor::of<double>(tensor::ElementType::float64, {}, {double(loads_)}) : *feed);
    }
    return result;
  }

  void unload() override { act(order_at("unload")); }

 private:
  [[nodiscard]] std::string_view order_at(std::string_view place) const {
    const std::string_view order = order_;
    return order.starts_with(place) && order.size() > place.size() ? order.substr(place.size() + 1) : "";
  }

  // Returns false if it should fail.
  static bool act(std::string_view behaviour) {
    for (const Behaviour& row : kBehaviours) {
      if (row.name == behaviour) row.misbehave();
    }
    return behaviour != "fail";
  }

  bool count_ = false;
  int loads_ = 0;
  std::string at_load_;  // what it does when it loads any model
  std::string order_;
};

}  // namespace
}  // namespace assay

int main() {
  assay::Fake fake;
  return assay::backend::serve(fake, assay::worker::kChannel);
}
