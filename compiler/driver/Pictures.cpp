//===- Pictures.cpp - Writing pictures -----------------------------------------------------------------------------------------===//

#include "Pictures.h"

#include "diagnostics/OutputFile.h"
#include "scene/Render.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

namespace quadrille::compiler {

std::optional<scene::PictureFormat> wantedPicture(const Options &options) {
  llvm::StringRef word = options.format;
  if (word.empty())
    word = llvm::sys::path::extension(options.output).drop_while([](char c) { return c == '.'; });
  return scene::pictureFormat(word);
}

bool canWrite(scene::PictureFormat format, Diagnostics &diagnostics) {
  if (!scene::needsRendering(format))
    return true;
  const char *written = format == scene::PictureFormat::Pdf ? "pdf" : "png";
  switch (scene::renderingSupport()) {
  case scene::RenderingSupport::Present:
    return true;
  case scene::RenderingSupport::NotBuilt:
    diagnostics.report({}, diag::ToolMissing{.tool = "librsvg", .where = diag::SearchedWhereBuilt{.format = written}, .package = "librsvg2-dev"});
    return false;
  case scene::RenderingSupport::NotFound:
    diagnostics.report({}, diag::ToolMissing{.tool = "librsvg", .where = diag::SearchedWhereWriting{.format = written}, .package = "librsvg2-2"});
    return false;
  }
  llvm_unreachable("no such support");
}

void writePicture(const Session &session, const scene::Page &page, scene::PictureFormat format) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (std::string wrong = write(page, format, session.options.palette, session.options.look.width, out); !wrong.empty()) {
    session.diagnostics.reportFile(session.options.output, diag::OutputUnwritable{.library = "librsvg", .reason = wrong});
    return;
  }
  writeOutput(session.options.output, [&](llvm::raw_ostream &file) { file << bytes; }, session.diagnostics);
}

} // namespace quadrille::compiler
