//===- Server.cpp - A language server ------------------------------------------------------------------------------------------------===//

#include "Server.h"

#include "Features.h"
#include "Inspection.h"
#include "Tasks.h"

#include "limits/Limits.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <unistd.h>

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

/// Codes of JSON-RPC and of the protocol.
enum ErrorCode {
  parseError = -32700,
  invalidRequest = -32600,
  methodNotFound = -32601,
  invalidParams = -32602,
  internalError = -32603,
  notInitialized = -32002,
  requestCancelled = -32800,
  requestFailed = -32803,
};

/// An inspection begins when a document has not changed for this time.
constexpr std::chrono::milliseconds pause{150};

std::string textOf(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// The open document; throws NoAnswer if it has been closed before the task began.
const Document &openOne(const World &world, const std::string &uri) {
  if (const Document *document = world.documents.find(uri))
    return *document;
  throw NoAnswer{"`" + uri + "` is not open any more"};
}

class Server {
public:
  explicit Server(const Settings &settings) : world{settings, {}, {}} {}

  int run();

private:
  // the editor
  void take(MessageReader::Received received);
  void request(const json::Value &id, llvm::StringRef method, json::Object params);
  void notification(llvm::StringRef method, json::Object params);
  void send(json::Object message);
  void notify(llvm::StringRef method, json::Value params) { send(json::Object{{"method", method}, {"params", std::move(params)}}); }
  void answer(const json::Value &id, json::Value result) { send(json::Object{{"id", id}, {"result", std::move(result)}}); }
  void refuse(const json::Value &id, ErrorCode code, const std::string &message) {
    send(json::Object{{"id", id}, {"error", json::Object{{"code", static_cast<int>(code)}, {"message", message}}}});
  }
  void writeSome();

  // requests
  json::Value initialize(const json::Object &params);
  json::Value codeActions(const json::Object &params) const;
  void execute(const json::Value &id, const json::Object &params);
  void ask(const json::Value &id, std::chrono::seconds limit, std::function<json::Value(const World &)> find,
           std::function<void(const json::Value &result)> then = {});

  // looking at texts
  struct Looked {
    llvm::StringSet<> files;       // that were read
    json::Array diagnostics;
    bool showsProgress = false;
  };
  void lookAt(const std::string &uri, std::chrono::milliseconds wait);
  void lookAtAllThatReads(const Document &changed);
  void hear(const std::string &uri, json::Object message);
  void endProgress(const std::string &uri, const std::string &message);
  static std::string nameOfInspection(const std::string &uri) { return "inspection " + uri; }
  static std::string nameOfRequest(const json::Value &id) { return "request " + textOf(id); }

  World world;
  Tasks tasks;
  std::map<std::string, Looked> looked; // by document
  MessageReader reader;
  std::string outgoing;
  bool isInitialized = false, isShutDown = false, isOver = false;
  bool canShowProgress = false, showsResults = false;
  unsigned progressTokens = 0;
};

// ---- the editor ------------------------------------------------------------------------------------------------------------

void Server::send(json::Object message) {
  message["jsonrpc"] = "2.0";
  outgoing += framed(std::move(message));
}

void Server::writeSome() {
  while (!outgoing.empty()) {
    const ssize_t count = llvm::sys::RetryAfterSignal(-1, ::write, STDOUT_FILENO, outgoing.data(), outgoing.size());
    if (count < 0) {
      isOver |= errno != EAGAIN && errno != EWOULDBLOCK;
      return;
    }
    outgoing.erase(0, static_cast<std::size_t>(count));
  }
}

int Server::run() {
  ::fcntl(STDOUT_FILENO, F_SETFL, ::fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
  while (!isOver) {
    tasks.advance();
    // Read nothing from an editor that does not read what we send.
    const bool listens = outgoing.size() < limits::editorMessage;
    std::vector<pollfd> waiting{{STDIN_FILENO, static_cast<short>(listens ? POLLIN : 0), 0},
                                {outgoing.empty() ? -1 : STDOUT_FILENO, POLLOUT, 0}};
    tasks.waitFor(waiting);
    if (llvm::sys::RetryAfterSignal(-1, ::poll, waiting.data(), waiting.size(), tasks.millisecondsToWait()) < 0)
      break;
    if (waiting[1].revents)
      writeSome();
    if (waiting[0].revents && listens) {
      char bytes[1 << 16];
      const ssize_t count = llvm::sys::RetryAfterSignal(-1, ::read, STDIN_FILENO, static_cast<char *>(bytes), sizeof(bytes));
      if (count <= 0)
        break; // the editor is gone
      reader.append(llvm::StringRef(bytes, static_cast<std::size_t>(count)));
      while (std::optional<MessageReader::Received> received = isOver ? std::nullopt : reader.next())
        take(std::move(*received));
    }
    for (const pollfd &ready : llvm::drop_begin(waiting, 2))
      if (ready.revents)
        tasks.read(ready);
  }
  writeSome();
  return isShutDown ? 0 : 1;
}

void Server::take(MessageReader::Received received) {
  if (!received.error.empty())
    return refuse(nullptr, received.isRequest ? parseError : invalidRequest, received.error);
  json::Object &message = received.message;
  const std::optional<llvm::StringRef> method = message.getString("method");
  const json::Value *id = message.get("id");
  if (id && id->kind() != json::Value::String && id->kind() != json::Value::Number)
    return refuse(nullptr, invalidRequest, "an `id` is a number or a text");
  if (!method) {
    // A message without a method is an answer to a request of ours; all answers are ignored.
    if (!message.get("result") && !message.get("error"))
      refuse(id ? *id : json::Value(nullptr), invalidRequest, "a message without `method`");
    return;
  }
  const json::Object *params = message.getObject("params");
  json::Object copy = params ? *params : json::Object();
  if (id)
    request(*id, *method, std::move(copy));
  else
    notification(*method, std::move(copy));
}

void Server::request(const json::Value &id, llvm::StringRef method, json::Object params) {
  if (isShutDown)
    return refuse(id, invalidRequest, "after `shutdown` there is only `exit`");
  if (method == "initialize") {
    if (isInitialized)
      return refuse(id, invalidRequest, "`initialize` comes once");
    isInitialized = true;
    return answer(id, initialize(params));
  }
  if (!isInitialized)
    return refuse(id, notInitialized, "`initialize` comes first");
  if (method == "shutdown") {
    isShutDown = true;
    return answer(id, nullptr);
  }
  if (method == "textDocument/codeAction")
    return answer(id, codeActions(params));
  if (method == "workspace/executeCommand")
    return execute(id, params);
  const auto feature = llvm::find_if(features(), [&](const Feature &one) { return one.method == method; });
  if (feature == features().end())
    return refuse(id, methodNotFound, "`" + method.str() + "` is not known");
  const std::string uri = uriOf(params);
  if (!world.documents.find(uri))
    return refuse(id, invalidParams, "`" + uri + "` is not open");
  ask(id, std::chrono::seconds(limits::editorAnswer),
      [answer = feature->answer, uri, params = std::move(params)](const World &world) { return answer(world, openOne(world, uri), params); });
}

void Server::notification(llvm::StringRef method, json::Object params) {
  if (method == "exit") {
    isOver = true;
    return;
  }
  if (!isInitialized || isShutDown)
    return;
  if (method == "$/cancelRequest") {
    if (const json::Value *id = params.get("id"); id && tasks.cancel(nameOfRequest(*id)))
      refuse(*id, requestCancelled, "cancelled");
  } else if (method == "textDocument/didOpen") {
    if (Document *document = world.documents.open(params)) {
      lookAt(document->uri, {});
      lookAtAllThatReads(*document);
    }
  } else if (method == "textDocument/didChange") {
    if (Document *document = world.documents.change(params)) {
      lookAt(document->uri, pause);
      lookAtAllThatReads(*document);
    }
  } else if (method == "textDocument/didSave") {
    // Files that the documents use may have changed.
    for (const auto &[uri, document] : world.documents.all())
      if (uri != uriOf(params))
        lookAt(uri, pause);
  } else if (method == "textDocument/didClose") {
    const std::string uri = uriOf(params);
    if (!world.documents.find(uri))
      return;
    tasks.cancel(nameOfInspection(uri));
    endProgress(uri, "closed");
    const Document closed = *world.documents.find(uri);
    world.documents.close(uri);
    looked.erase(uri);
    notify("textDocument/publishDiagnostics", json::Object{{"uri", uri}, {"diagnostics", json::Array{}}});
    lookAtAllThatReads(closed);
  } else if (method == "window/workDoneProgress/cancel") {
    for (const auto &[uri, document] : world.documents.all())
      if (params.getString("token") == llvm::StringRef(nameOfInspection(uri))) {
        tasks.cancel(nameOfInspection(uri));
        endProgress(uri, "cancelled");
      }
  } else if (method == "workspace/didChangeWorkspaceFolders") {
    if (const json::Object *event = params.getObject("event"))
      for (llvm::StringRef list : {"removed", "added"})
        if (const json::Array *folders = event->getArray(list))
          for (const json::Value &value : *folders)
            if (const json::Object *folder = value.getAsObject()) {
              const std::string path = pathOf(folder->getString("uri").value_or(""));
              llvm::erase(world.folders, path);
              if (list == "added")
                world.folders.push_back(path);
            }
  }
  // Servers may ignore all other notifications.
}

// ---- requests --------------------------------------------------------------------------------------------------------------

json::Value Server::initialize(const json::Object &params) {
  if (const json::Array *folders = params.getArray("workspaceFolders")) {
    for (const json::Value &value : *folders)
      if (const json::Object *folder = value.getAsObject())
        world.folders.push_back(pathOf(folder->getString("uri").value_or("")));
  } else if (const auto root = params.getString("rootUri")) {
    world.folders.push_back(pathOf(*root));
  }
  const json::Object *capabilities = params.getObject("capabilities");
  const json::Object *window = capabilities ? capabilities->getObject("window") : nullptr;
  canShowProgress = window && window->getBoolean("workDoneProgress").value_or(false);
  const json::Object *options = params.getObject("initializationOptions");
  showsResults = options && options->getBoolean("showsResults").value_or(false);

  json::Object provided{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync", json::Object{{"openClose", true}, {"change", 2}, {"save", true}}},
      {"codeActionProvider", json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
      {"workspace", json::Object{{"workspaceFolders", json::Object{{"supported", true}, {"changeNotifications", true}}}}},
  };
  for (const Feature &feature : features())
    if (!feature.capability.empty())
      provided[feature.capability] = feature.value();
  json::Array commands;
  for (llvm::StringLiteral command : lensCommands)
    commands.push_back(("quadrille." + command).str());
  provided["executeCommandProvider"] = json::Object{{"commands", std::move(commands)}};
  return json::Object{{"capabilities", std::move(provided)},
                      {"serverInfo", json::Object{{"name", "quadrille"}, {"version", QUADRILLE_VERSION}}}};
}

/// Has a task find the answer to a request.
void Server::ask(const json::Value &id, std::chrono::seconds limit, std::function<json::Value(const World &)> find,
                 std::function<void(const json::Value &)> then) {
  Tasks::Task task;
  task.name = nameOfRequest(id);
  if (tasks.cancel(task.name)) // an editor that uses an id again does not wait for the earlier request any more
    refuse(id, requestCancelled, "another request has the same `id`");
  task.limit = limit;
  task.work = [this, find = std::move(find)](const Send &send) {
    try {
      send(json::Object{{"result", find(world)}});
    } catch (const NoAnswer &why) {
      send(json::Object{{"failure", why.message}});
    }
  };
  auto isAnswered = std::make_shared<bool>(false);
  task.onMessage = [this, id, isAnswered, then = std::move(then)](json::Object message) {
    *isAnswered = true;
    if (const auto failure = message.getString("failure"))
      return refuse(id, requestFailed, failure->str());
    const json::Value *result = message.get("result");
    if (then && result)
      then(*result);
    answer(id, result ? *result : json::Value(nullptr));
  };
  task.onEnd = [this, id, isAnswered](Tasks::End how) {
    if (*isAnswered)
      return;
    if (how == Tasks::End::TooLong)
      refuse(id, requestFailed, "this takes longer than " + std::to_string(limits::editorAnswer.value()) + " seconds (`editorAnswer`)");
    else
      refuse(id, internalError, "quadrille ended by a fault of its own while it looked for the answer");
  };
  tasks.add(std::move(task));
}

/// The mends of those diagnostics that were published and lie in a range.
json::Value Server::codeActions(const json::Object &params) const {
  const auto found = looked.find(uriOf(params));
  const std::optional<Range> range = rangeFrom(params.get("range"));
  json::Array actions;
  const json::Object *context = params.getObject("context");
  const json::Array *only = context ? context->getArray("only") : nullptr;
  const bool isWanted = !only || llvm::any_of(*only, [](const json::Value &kind) { return kind.getAsString() == llvm::StringRef("quickfix"); });
  if (found == looked.end() || !range || !isWanted)
    return actions;
  for (const json::Value &value : found->second.diagnostics) {
    const json::Object &diagnostic = *value.getAsObject();
    const Range place = *rangeFrom(diagnostic.get("range"));
    const json::Object *data = diagnostic.getObject("data");
    const json::Array *mends = data ? data->getArray("mends") : nullptr;
    if (!mends || place.end < range->start || range->end < place.start)
      continue;
    for (const json::Value &one : *mends) {
      const json::Object &mend = *one.getAsObject();
      json::Array edits{json::Object{{"range", *mend.get("range")}, {"newText", *mend.get("newText")}}};
      actions.push_back(json::Object{{"title", *mend.get("title")},
                                     {"kind", "quickfix"},
                                     {"diagnostics", json::Array{value}},
                                     {"isPreferred", mends->size() == 1},
                                     {"edit", json::Object{{"changes", json::Object{{mend.getString("uri")->str(), std::move(edits)}}}}}});
    }
  }
  return actions;
}

void Server::execute(const json::Value &id, const json::Object &params) {
  llvm::StringRef command = params.getString("command").value_or("");
  const json::Array *arguments = params.getArray("arguments");
  const auto uri = arguments && arguments->size() == 2 ? (*arguments)[0].getAsString() : std::nullopt,
             schedule = arguments && arguments->size() == 2 ? (*arguments)[1].getAsString() : std::nullopt;
  if (!command.consume_front("quadrille.") || !llvm::is_contained(lensCommands, command))
    return refuse(id, invalidParams, "there is no such command");
  if (!uri || !schedule || !world.documents.find(*uri))
    return refuse(id, invalidParams, "a command is for a document that is open, and a schedule of it");
  ask(id, std::chrono::seconds(limits::editorLook),
      [command = command.str(), uri = uri->str(), schedule = schedule->str()](const World &world) {
        return runCommand(world, openOne(world, uri), command, schedule);
      },
      [this](const json::Value &text) {
        // Other editors than ours ignore the result.
        if (!showsResults)
          notify("window/showMessage", json::Object{{"type", 3}, {"message", text}});
      });
}

// ---- looking at texts --------------------------------------------------------------------------------------------------------

void Server::lookAt(const std::string &uri, std::chrono::milliseconds wait) {
  tasks.cancel(nameOfInspection(uri));
  endProgress(uri, "the text has changed");
  Tasks::Task task;
  task.name = nameOfInspection(uri);
  task.isBackground = true;
  task.notBefore = Clock::now() + wait;
  task.limit = std::chrono::seconds(limits::editorLook);
  task.work = [this, uri](const Send &send) { inspect(world, openOne(world, uri), send); };
  task.onMessage = [this, uri](json::Object message) { hear(uri, std::move(message)); };
  task.onEnd = [this, uri](Tasks::End how) {
    const bool isTooLong = how == Tasks::End::TooLong;
    endProgress(uri, isTooLong ? "given up" : "done");
    if (how != Tasks::End::Done)
      notify("window/showMessage",
             json::Object{{"type", 2},
                          {"message", isTooLong ? "quadrille: the checks and proofs of " + pathOf(uri) + " take longer than " +
                                                      std::to_string(limits::editorLook.value()) + " seconds (`editorLook`)"
                                                : "quadrille ended by a fault of its own while it looked at " + pathOf(uri)}});
  };
  tasks.add(std::move(task));
}

void Server::lookAtAllThatReads(const Document &changed) {
  const std::string path = realPath(changed.path);
  for (const auto &[uri, document] : world.documents.all())
    if (uri != changed.uri && looked[uri].files.contains(path))
      lookAt(uri, pause);
}

void Server::hear(const std::string &uri, json::Object message) {
  const Document *document = world.documents.find(uri);
  const llvm::StringRef method = message.getString("method").value_or("");
  if (!document)
    return;
  Looked &about = looked[uri];
  if (method == inspectionRead) {
    about.files.clear();
    for (const json::Value &file : *message.getArray("files"))
      about.files.insert(*file.getAsString());
  } else if (method == inspectionFound) {
    about.diagnostics = *message.getArray("diagnostics");
    json::Array copy = about.diagnostics;
    notify("textDocument/publishDiagnostics",
           json::Object{{"uri", uri}, {"version", document->version}, {"diagnostics", std::move(copy)}});
  } else if (method == inspectionProgress && canShowProgress) {
    const std::string token = nameOfInspection(uri);
    if (!about.showsProgress)
      send(json::Object{{"id", "progress " + std::to_string(++progressTokens)},
                        {"method", "window/workDoneProgress/create"},
                        {"params", json::Object{{"token", token}}}});
    json::Object value{{"kind", about.showsProgress ? "report" : "begin"}, {"message", *message.get("message")}};
    if (!about.showsProgress) {
      value["title"] = "quadrille";
      value["cancellable"] = true;
    }
    about.showsProgress = true;
    notify("$/progress", json::Object{{"token", token}, {"value", std::move(value)}});
  }
}

void Server::endProgress(const std::string &uri, const std::string &message) {
  auto about = looked.find(uri);
  if (about == looked.end() || !about->second.showsProgress)
    return;
  about->second.showsProgress = false;
  notify("$/progress", json::Object{{"token", nameOfInspection(uri)}, {"value", json::Object{{"kind", "end"}, {"message", message}}}});
}

} // namespace

int serve(const Settings &settings) {
  // Parse the library once: tasks are forks, so they begin with what ANTLR has learned about the grammar.
  {
    const World world{settings, {}, {}};
    const Analysis learning(world, Document{"", "untitled.quad", "", 0});
  }
  return Server(settings).run();
}

} // namespace quadrille::compiler::lsp
