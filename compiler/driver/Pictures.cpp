//===- Pictures.cpp - Writing pictures -----------------------------------------------------------------------------------------===//

#include "Pictures.h"

#include "diagnostics/OutputFile.h"

#include "llvm/Support/Path.h"

namespace quadrille::compiler {

std::optional<scene::PictureFormat> wantedPicture(const Options &options) {
  llvm::StringRef word = options.format;
  if (word.empty())
    word = llvm::sys::path::extension(options.output).drop_while([](char c) { return c == '.'; });
  return scene::pictureFormat(word);
}

bool canWrite(scene::PictureFormat format, Diagnostics &diagnostics) {
  if (isAvailable(format))
    return true;
  diagnostics.report({}, diag::ToolMissing{.tool = "librsvg", .where = std::string("where this Quadrille was built, and it writes ") + (format == scene::PictureFormat::Pdf ? "pdf" : "png"), .package = "librsvg2-dev"});
  return false;
}

void writePicture(const Session &session, const scene::Page &page, scene::PictureFormat format) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (std::string wrong = write(page, format, session.options.palette, session.options.look.width, out); !wrong.empty()) {
    session.diagnostics.reportFile(session.options.output, diag::OutputUnwritable{.reason = "librsvg says: " + wrong});
    return;
  }
  writeOutput(session.options.output, [&](llvm::raw_ostream &file) { file << bytes; }, session.diagnostics);
}

} // namespace quadrille::compiler
