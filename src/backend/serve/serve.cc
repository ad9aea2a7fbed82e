// Exceptions of an engine become answers. Assay itself notices everything else: crashes, hangs, too much memory. After
// a model is unloaded, free memory of the heap is returned to the system, because it would count towards the next
// model's limit.
#include "backend/serve/serve.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <new>

#include "backend/serve/serve_packets.h"

namespace assay::backend {
namespace {

using worker::Phase;
using worker::Progress;
using worker::Reply;

// Returns free heap memory to the system unless there is little: trimming is slow, and the next model needs some.
void release_free_heap() {
  constexpr std::size_t kKeep = 32U << 20;  // bytes
  if (::mallinfo2().fordblks > kKeep) ::malloc_trim(0);
}

class Server {
 public:
  explicit Server(EngineAdapter& engine) : engine_(engine) {}

  Reply answer(const worker::Request& request) {
    return std::visit([this](const auto& r) { return guarded(r); }, request);
  }

 private:
  template <class Request>
  Reply guarded(const Request& request) {
    try {
      return answer_to(request);
    } catch (const std::bad_alloc&) {
      return worker::Refused{{phase_, 0, "no memory left"}, true};
    } catch (const std::exception& error) {
      return worker::Refused{{phase_, 0, error.what()}, false};
    } catch (...) {
      return worker::Refused{{phase_, 0, "the engine threw an unknown exception"}, false};
    }
  }

  Reply answer_to(const worker::OpenRequest& request) {
    phase_ = Phase::start;
    if (request.protocol != worker::kProtocol) {
      return refused(kOtherVersion);
    }
    auto version = engine_.open(request.library, request.options);
    if (!version) return std::move(version).error();
    opened_ = true;
    return worker::Opened{*std::move(version)};
  }

  Reply answer_to(const worker::LoadRequest& request) {
    phase_ = Phase::load;
    if (!opened_) return refused("no engine is open");
    loaded_ = false;
    auto info = engine_.load(request.model);
    if (!info) return std::move(info).error();
    loaded_ = true;
    return worker::Loaded{*std::move(info)};
  }

  Reply answer_to(const worker::InferRequest& request) {
    phase_ = Phase::run;
    if (!loaded_) return refused("no model is loaded");
    auto result = engine_.infer(request.feeds, request.wanted);
    auto region = engine_.take_region();
    if (!result) return std::move(result).error();
    return worker::Inferred{*std::move(result), std::move(region)};
  }

  Reply answer_to(const worker::UnloadRequest&) {
    if (opened_) engine_.unload();  // a failed load leaves what it has loaded, too
    loaded_ = false;
    release_free_heap();
    return worker::Unloaded{};
  }

  [[nodiscard]] Reply refused(std::string message) const {
    return worker::Refused{{phase_, 0, std::move(message)}, false};
  }

  EngineAdapter& engine_;
  Phase phase_ = Phase::start;
  bool opened_ = false;
  bool loaded_ = false;
};

}  // namespace

int serve(EngineAdapter& engine, int channel_fd) {
  if (!is_socket(channel_fd)) return report_missing_channel();
  ::fcntl(channel_fd, F_SETFD, FD_CLOEXEC);  // processes that the engine starts must not keep the connection open
  worker::Channel channel{worker::FileDescriptor(channel_fd)};
  Server server(engine);
  for (;;) {
    const Progress progress = receive_packet(channel);
    if (progress == Progress::closed) return 0;
    if (progress != Progress::done) return 2;
    // Must live as long as the answer, because an engine may return a feed as an output.
    const base::Expected<worker::Request> request = worker::decode_request(channel.take());
    if (!request) {
      std::fprintf(stderr, "%s\n", request.error().message().c_str());
      return 2;
    }
    const Reply reply = server.answer(*request);
    if (!send_reply(channel, reply)) return 0;
    if (std::holds_alternative<worker::Refused>(reply) && !engine.is_usable()) return 0;
  }
}

}  // namespace assay::backend
