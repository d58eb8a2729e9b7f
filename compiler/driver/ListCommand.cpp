//===- ListCommand.cpp - quadrille list, quadrille explain ------------------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille {

static std::string restrictionText(const ir::Schedule &schedule) {
  std::string result;
  for (const ir::Requirement &r : schedule.requirements)
    result += (result.empty() ? "" : ", ") + r.text;
  return result.empty() ? "any p" : result;
}

int listCommand(Session &session) {
  std::vector<const ir::Schedule *> schedules = session.library.all();
  size_t path = 0, restriction = 0;
  for (const ir::Schedule *schedule : schedules) {
    path = std::max(path, schedule->path().size());
    restriction = std::max(restriction, restrictionText(*schedule).size());
  }
  for (const ir::Schedule *schedule : schedules) {
    std::string model = schedule->model ? schedule->model->text : "-";
    llvm::outs() << llvm::left_justify(schedule->path(), path + 2)
                 << llvm::left_justify(restrictionText(*schedule), restriction + 2) << llvm::left_justify(model, 13)
                 << llvm::left_justify(lawText(*schedule), 13)
                 << (schedule->cost ? (schedule->cost->upperBound ? "<= " : "") + schedule->cost->text : "-") << '\n';
  }
  return session.diagnostics.errorCount() ? 1 : 0;
}

int explainCommand(const Options &options, const std::string &documentation) {
  for (const std::string &code : options.files) {
    std::string wanted = llvm::StringRef(code).upper();
    bool exists = llvm::any_of(diag::all(), [&](diag::Id id) { return diag::codeText(id) == wanted; });
    if (!exists) {
      llvm::errs() << "quadrille: there is no diagnostic '" << code << "'; codes look like Q0301\n";
      return 2;
    }
    llvm::SmallString<256> page(documentation);
    llvm::sys::path::append(page, wanted + ".md");
    auto text = llvm::MemoryBuffer::getFile(page);
    if (!text) {
      llvm::errs() << "quadrille: cannot read " << page << ": " << text.getError().message() << '\n';
      return 1;
    }
    llvm::outs() << (*text)->getBuffer();
  }
  return 0;
}

} // namespace quadrille
