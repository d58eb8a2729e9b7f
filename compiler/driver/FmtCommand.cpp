//===- FmtCommand.cpp - quadrille fmt ---------------------------------------------------------------------------===//

#include "Commands.h"

#include "diagnostics/InputFile.h"
#include "diagnostics/OutputFile.h"
#include "format/Format.h"
#include "parse/Parser.h"
#include "sema/ExprSema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace {

/// Where the declaration of a schedule begins and ends in its file: with the blanks before its first line, without what follows on its last.
struct Extent {
  size_t begin, end;
};

/// The extents of all schedules of a file, in their order.
std::vector<Extent> extentsOf(const Sources &sources, const ast::File &file, unsigned buffer) {
  const llvm::StringRef text = sources.text(buffer);
  std::vector<Extent> result;
  for (const ast::Schedule &schedule : file.schedules) {
    size_t begin = static_cast<size_t>(schedule.range.Start.getPointer() - text.begin());
    const size_t end = static_cast<size_t>(schedule.range.End.getPointer() - text.begin());
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
      --begin;
    // Another declaration stands on the same line.
    if (begin > 0 && text[begin - 1] != '\n')
      begin = static_cast<size_t>(schedule.range.Start.getPointer() - text.begin());
    result.push_back({begin, end});
  }
  return result;
}

class Formatter {
public:
  Formatter(const Options &options, Sources &sources, Diagnostics &diagnostics)
      : options(options), sources(sources), diagnostics(diagnostics) {}

  /// \returns whether all went well and, with --check, nothing would change.
  bool takeAll(const std::string &argument) {
    if (argument == "-")
      return take(argument);
    if (!llvm::sys::fs::exists(argument))
      if (auto [file, schedule] = llvm::StringRef(argument).rsplit(':');
          !schedule.empty() && llvm::sys::fs::exists(file) && !llvm::sys::fs::is_directory(file))
        return take(file.str(), schedule);
    if (!llvm::sys::fs::is_directory(argument))
      return take(argument);
    bool ok = true;
    const std::vector<std::string> files = quadFiles(argument, /*recursive=*/true, [&](llvm::StringRef folder, std::error_code why) {
      diagnostics.reportFile(folder, diag::FileUnreadable{.reason = why.message(), .folder = false});
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
  /// `only`: the schedule of the file whose declaration alone is formatted; empty: all of the file is.
  bool take(const std::string &file, llvm::StringRef only = "") {
    const std::string name = file == "-" ? "<stdin>" : file;
    const Sources::Loaded loaded = sources.load(file);
    reportUnreadable(loaded, name, diagnostics);
    if (loaded.problem != Sources::Problem::None)
      return false;
    std::optional<std::string> result = format::formatText(sources, loaded.buffer, diagnostics);
    if (result && !only.empty())
      result = partly(loaded.buffer, *result, name, only);
    if (!result)
      return false;
    const llvm::StringRef text = sources.text(loaded.buffer);
    if (options.checkFormat)
      return check(only.empty() ? name : (name + ":" + only).str(), text, *result);
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

  /// A text in which the declaration of one schedule is as in `formatted`, and all else as it was; nothing if there is no such schedule, which
  /// is reported.
  std::optional<std::string> partly(unsigned buffer, const std::string &formatted, const std::string &name, llvm::StringRef only) {
    const unsigned after = sources.add(formatted, name);
    const std::optional<ast::File> file = parse(sources, buffer, diagnostics), again = file ? parse(sources, after, diagnostics) : std::nullopt;
    if (!again)
      return std::nullopt;
    std::vector<std::string> known;
    for (const ast::Schedule &schedule : file->schedules)
      known.push_back(only.contains('/') ? schedule.collective.text + "/" + schedule.name.text : schedule.name.text);
    if (!llvm::is_contained(known, only)) {
      diagnostics.reportFile(name, diag::UnknownScheduleInFile{.name = only.str(), .near = sema::didYouMean(only, known)});
      return std::nullopt;
    }
    const std::vector<Extent> before = extentsOf(sources, *file, buffer), now = extentsOf(sources, *again, after);
    const llvm::StringRef old = sources.text(buffer), other = sources.text(after);
    std::string result;
    size_t done = 0;
    for (size_t i = 0; i < known.size(); ++i) {
      if (known[i] != only) // schedules of several collectives may share a name
        continue;
      result += old.slice(done, before[i].begin);
      result += other.slice(now[i].begin, now[i].end);
      done = before[i].end;
    }
    return result + old.drop_front(done).str();
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
