//===- Render.cpp - Pictures as PDF and PNG ------------------------------------------------------------------------------===//
//
// Only this file knows librsvg and Cairo.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Render.h"

#ifdef QUADRILLE_WITH_LIBRSVG

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace quadrille::compiler::scene {

namespace {

template <auto release> struct Release {
  template <class T> void operator()(T *object) const { release(object); }
};

cairo_status_t writeBytes(void *closure, const unsigned char *data, unsigned length) {
  static_cast<llvm::raw_ostream *>(closure)->write(reinterpret_cast<const char *>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

} // namespace

bool canRender() { return true; }

std::string render(llvm::StringRef svg, Rendering form, double scale, llvm::raw_ostream &out) {
  GError *error = nullptr;
  const auto failed = [&] {
    const std::unique_ptr<GError, Release<g_error_free>> owned(error);
    return error ? std::string(error->message) : std::string("librsvg gives no reason");
  };
  const std::unique_ptr<RsvgHandle, Release<g_object_unref>> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8 *>(svg.data()), svg.size(), &error));
  if (!handle)
    return failed();
  gdouble width = 0, height = 0; // in pixels
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height))
    return "the picture has no size";
  constexpr double cairoPixels = 32000; // of a side, which Cairo can store
  const double unit = form == Rendering::Pdf ? 0.75 : std::min(scale, cairoPixels / std::max(width, height)); // 72 points are an inch, and so are 96 pixels
  const double wide = form == Rendering::Pdf ? width * unit : std::ceil(width * unit);
  const double high = form == Rendering::Pdf ? height * unit : std::ceil(height * unit);
  const std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>> surface(
      form == Rendering::Pdf ? cairo_pdf_surface_create_for_stream(writeBytes, &out, wide, high)
                             : cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(wide), static_cast<int>(high)));
  if (form == Rendering::Pdf) // the same picture gives the same file, whenever it is drawn
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
  const std::unique_ptr<cairo_t, Release<cairo_destroy>> context(cairo_create(surface.get()));
  const RsvgRectangle place{0, 0, wide, high};
  if (!rsvg_handle_render_document(handle.get(), context.get(), &place, &error))
    return failed();
  cairo_status_t status = cairo_status(context.get());
  if (status == CAIRO_STATUS_SUCCESS && form == Rendering::Png)
    status = cairo_surface_write_to_png_stream(surface.get(), writeBytes, &out);
  cairo_surface_finish(surface.get());
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status(surface.get());
  return status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status);
}

} // namespace quadrille::compiler::scene

#else

namespace quadrille::compiler::scene {

bool canRender() { return false; }
std::string render(llvm::StringRef, Rendering, double, llvm::raw_ostream &) { return "this Quadrille was built without librsvg"; }

} // namespace quadrille::compiler::scene

#endif
