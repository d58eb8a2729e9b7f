//===- Calls.cpp - The calls that a program makes ---------------------------------------------------------------------------===//

#include "Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

namespace quadrille::compiler::tune {

double Call::typicalBytes() const { return std::sqrt(static_cast<double>(leastBytes) * static_cast<double>(mostBytes)); }

/// "allreduce p=8 bytes=8..12 type=floating op=commutative calls=20".
static std::optional<Call> callOf(llvm::StringRef line, llvm::ArrayRef<llvm::StringRef> collectives) {
  llvm::SmallVector<llvm::StringRef> words;
  line.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.size() != 6 || !llvm::is_contained(collectives, words[0]) || !words[1].consume_front("p=") || !words[2].consume_front("bytes=") ||
      !words[3].consume_front("type=") || !words[4].consume_front("op=") || !words[5].consume_front("calls="))
    return std::nullopt;
  Call call;
  call.collective = words[0].str();
  call.type = words[3].str();
  call.law = words[4].str();
  const auto [least, most] = words[2].split("..");
  if (words[1].getAsInteger(10, call.p) || call.p < 1 || call.p > (std::int64_t(1) << 30) || least.getAsInteger(10, call.leastBytes) ||
      most.getAsInteger(10, call.mostBytes) || call.leastBytes > call.mostBytes || words[5].getAsInteger(10, call.calls) ||
      !llvm::is_contained({"integer", "floating", "logical", "complex", "byte", "pair", "other", "none"}, call.type) ||
      !llvm::is_contained({"commutative", "ordered", "none"}, call.law))
    return std::nullopt;
  return call;
}

std::optional<std::vector<Call>> readCalls(const std::string &file, llvm::ArrayRef<llvm::StringRef> collectives, Diagnostics &diagnostics) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer) {
    diagnostics.reportFile(file, diag::FileUnreadable{.reason = buffer.getError().message()});
    return std::nullopt;
  }
  auto refuse = [&](std::string reason) {
    diagnostics.reportFile(file, diag::FileUnreadable{.reason = std::move(reason)});
    return std::nullopt;
  };
  llvm::StringRef text = (*buffer)->getBuffer();
  if (text.empty())
    return refuse("it is empty: the program has not come to the end of MPI_Finalize");
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/true);
  llvm::StringRef version = lines[0];
  if (!version.consume_front("quadrille-calls "))
    return refuse("its first line is not `quadrille-calls 1`");
  if (version != "1")
    return refuse("its first line says version " + version.str() + ", and this Quadrille reads version 1");
  std::vector<Call> calls;
  bool hasEnd = false;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].trim().empty() || lines[i].starts_with("#"))
      continue;
    if (hasEnd)
      return refuse("there is more behind its last line, `end " + std::to_string(calls.size()) + "`");
    if (lines[i] == "end " + std::to_string(calls.size())) {
      hasEnd = true;
      continue;
    }
    std::optional<Call> call = callOf(lines[i], collectives);
    if (!call)
      return refuse("line " + std::to_string(i + 1) + " is not `COLLECTIVE p=P bytes=LEAST..MOST type=CLASS op=LAW calls=N`, nor `end " +
                    std::to_string(calls.size()) + "`");
    calls.push_back(std::move(*call));
  }
  if (!hasEnd)
    return refuse("its last line, `end " + std::to_string(calls.size()) + "`, is missing: it was cut off");
  if (calls.empty())
    return refuse("the program made no call that the preload library carried out; QUADRILLE_AFTER=0 has it carry out a communicator's first calls, too");
  return calls;
}

} // namespace quadrille::compiler::tune
