//===- FmtCommand.cpp - quadrille fmt ---------------------------------------------------------------------------===//

#include "Commands.h"

#include "diagnostics/InputFile.h"
#include "diagnostics/OutputFile.h"
#include "format/Format.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace {

class Formatter {
public:
  Formatter(const Options &options, Sources &sources, Diagnostics &diagnostics)
      : options(options), sources(sources), diagnostics(diagnostics) {}

  /// \returns whether all went well and, with --check, nothing would change.
  bool takeAll(const std::string &argument) {
    if (argument == "-" || !llvm::sys::fs::is_directory(argument))
      return take(argument);
    bool ok = true;
    const std::vector<std::string> files = quadFiles(argument, /*recursive=*/true, [&](llvm::StringRef folder, std::error_code why) {
      diagnostics.reportFile(folder, diag::FileUnreadable{.reason = why.message()});
      ok = false;
    });
    if (files.empty() && ok) {
      diagnostics.reportFile(argument, diag::NoSchedulesInFolder{});
      return false;
    }
    for (const std::string &file : files)
      ok &= take(file);
    return ok;
  }

private:
  bool take(const std::string &file) {
    const std::string name = file == "-" ? "<stdin>" : file;
    const Sources::Loaded loaded = sources.load(file);
    reportUnreadable(loaded, name, diagnostics);
    if (loaded.problem != Sources::Problem::None)
      return false;
    const std::optional<std::string> result = format::formatText(sources, loaded.buffer, diagnostics);
    if (!result)
      return false;
    const llvm::StringRef text = sources.text(loaded.buffer);
    if (options.checkFormat)
      return check(name, text, *result);
    if (file == "-") {
      llvm::outs() << *result;
      return true;
    }
    if (text == *result)
      return true;
    // A formatted text that is too large could not be read again.
    if (const Sources::Loaded again = sources.loadText(*result, name); again.problem != Sources::Problem::None) {
      reportUnreadable(again, name, diagnostics);
      return false;
    }
    return writeFile(file, [&](llvm::raw_ostream &out) { out << *result; }, diagnostics);
  }

  bool check(const std::string &name, llvm::StringRef text, llvm::StringRef result) {
    if (text == result)
      return true;
    llvm::outs() << name << '\n';
    llvm::StringRef is, shall;
    do {
      is = takeLine(text);
      shall = takeLine(result);
    } while (is == shall);
    const llvm::StringRef isText = is.rtrim("\r\n"), shallText = shall.rtrim("\r\n");
    const llvm::SMRange place(llvm::SMLoc::getFromPointer(isText.begin()), llvm::SMLoc::getFromPointer(isText.end()));
    diagnostics.report(place, diag::NotFormatted{.line = shallText.str(), .lineEnd = isText == shallText && !shall.empty()});
    return false;
  }

  /// Takes the first line from a text, with its end.
  static llvm::StringRef takeLine(llvm::StringRef &text) {
    const size_t end = text.find('\n');
    const llvm::StringRef line = text.take_front(end == llvm::StringRef::npos ? end : end + 1);
    text = text.drop_front(line.size());
    return line;
  }

  const Options &options;
  Sources &sources;
  Diagnostics &diagnostics;
};

} // namespace

int fmtCommand(const Options &options, Sources &sources, Diagnostics &diagnostics) {
  Formatter formatter(options, sources, diagnostics);
  bool ok = true;
  for (const std::string &file : options.files)
    ok &= formatter.takeAll(file);
  return ok ? 0 : 1;
}

} // namespace quadrille::compiler
