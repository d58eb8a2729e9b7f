//===- Render.cpp - Pictures as PDF and PNG ------------------------------------------------------------------------------===//
//
// Only this file knows librsvg and Cairo. They come with forty other libraries, which take half of the time in which the tool starts;
// so they are loaded when the first picture needs them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Render.h"

#ifdef QUADRILLE_WITH_LIBRSVG

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace quadrille::compiler::scene {

namespace {

// What is called of librsvg and of the libraries that it depends on.
#define QUADRILLE_RENDERING(FUNCTION)                                                                                              \
  FUNCTION(rsvg_handle_new_from_data)                                                                                              \
  FUNCTION(rsvg_handle_get_intrinsic_size_in_pixels)                                                                               \
  FUNCTION(rsvg_handle_render_document)                                                                                            \
  FUNCTION(g_object_unref)                                                                                                         \
  FUNCTION(g_error_free)                                                                                                           \
  FUNCTION(cairo_pdf_surface_create_for_stream)                                                                                    \
  FUNCTION(cairo_pdf_surface_set_metadata)                                                                                         \
  FUNCTION(cairo_image_surface_create)                                                                                             \
  FUNCTION(cairo_surface_write_to_png_stream)                                                                                      \
  FUNCTION(cairo_surface_finish)                                                                                                   \
  FUNCTION(cairo_surface_status)                                                                                                   \
  FUNCTION(cairo_surface_destroy)                                                                                                  \
  FUNCTION(cairo_create)                                                                                                           \
  FUNCTION(cairo_status)                                                                                                           \
  FUNCTION(cairo_status_to_string)                                                                                                 \
  FUNCTION(cairo_destroy)

struct Library {
#define FUNCTION(name) decltype(&::name) name = nullptr;
  QUADRILLE_RENDERING(FUNCTION)
#undef FUNCTION
  bool isThere = false;

  Library() {
    // It stays until the process has ended: the library starts threads, which may still run while static objects are destroyed.
    void *const file = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    isThere = file;
#define FUNCTION(function)                                                                                                         \
  function = file ? reinterpret_cast<decltype(function)>(dlsym(file, #function)) : nullptr;                                       \
  isThere = isThere && function;
    QUADRILLE_RENDERING(FUNCTION)
#undef FUNCTION
  }
};

const Library &library() {
  static const Library loaded;
  return loaded;
}

/// An object that one of the library's functions releases.
template <class T> using Owned = std::unique_ptr<T, void (*)(T *)>;

cairo_status_t writeBytes(void *closure, const unsigned char *data, unsigned length) {
  static_cast<llvm::raw_ostream *>(closure)->write(reinterpret_cast<const char *>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

} // namespace

RenderingSupport renderingSupport() { return library().isThere ? RenderingSupport::Present : RenderingSupport::NotFound; }

std::string render(llvm::StringRef svg, Rendering form, double scale, llvm::raw_ostream &out) {
  const Library &lib = library();
  if (!lib.isThere)
    return "it is not found";
  GError *error = nullptr;
  const auto failed = [&] {
    const Owned<GError> owned(error, lib.g_error_free);
    return error ? std::string(error->message) : std::string("librsvg gives no reason");
  };
  const std::unique_ptr<RsvgHandle, void (*)(gpointer)> handle(
      lib.rsvg_handle_new_from_data(reinterpret_cast<const guint8 *>(svg.data()), svg.size(), &error), lib.g_object_unref);
  if (!handle)
    return failed();
  gdouble width = 0, height = 0; // in pixels
  if (!lib.rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height))
    return "the picture has no size";
  constexpr double cairoPixels = 32000; // of a side, which Cairo can store
  const double unit = form == Rendering::Pdf ? 0.75 : std::min(scale, cairoPixels / std::max(width, height)); // 72 points are an inch, and so are 96 pixels
  const double wide = form == Rendering::Pdf ? width * unit : std::ceil(width * unit);
  const double high = form == Rendering::Pdf ? height * unit : std::ceil(height * unit);
  const Owned<cairo_surface_t> surface(
      form == Rendering::Pdf ? lib.cairo_pdf_surface_create_for_stream(writeBytes, &out, wide, high)
                             : lib.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(wide), static_cast<int>(high)),
      lib.cairo_surface_destroy);
  if (form == Rendering::Pdf) // the same picture gives the same file, whenever it is drawn
    lib.cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
  const Owned<cairo_t> context(lib.cairo_create(surface.get()), lib.cairo_destroy);
  const RsvgRectangle place{0, 0, wide, high};
  if (!lib.rsvg_handle_render_document(handle.get(), context.get(), &place, &error))
    return failed();
  cairo_status_t status = lib.cairo_status(context.get());
  if (status == CAIRO_STATUS_SUCCESS && form == Rendering::Png)
    status = lib.cairo_surface_write_to_png_stream(surface.get(), writeBytes, &out);
  lib.cairo_surface_finish(surface.get());
  if (status == CAIRO_STATUS_SUCCESS)
    status = lib.cairo_surface_status(surface.get());
  return status == CAIRO_STATUS_SUCCESS ? "" : lib.cairo_status_to_string(status);
}

} // namespace quadrille::compiler::scene

#else

namespace quadrille::compiler::scene {

RenderingSupport renderingSupport() { return RenderingSupport::NotBuilt; }
std::string render(llvm::StringRef, Rendering, double, llvm::raw_ostream &) { return "this Quadrille was built without librsvg"; }

} // namespace quadrille::compiler::scene

#endif
