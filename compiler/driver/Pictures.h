//===- Pictures.h - Writing pictures -----------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_PICTURES_H
#define QUADRILLE_DRIVER_PICTURES_H

#include "Commands.h"

#include "scene/Picture.h"

namespace quadrille::compiler {

/// What --format says or, without it, the ending of the file of -o; nothing: text or data.
std::optional<scene::PictureFormat> wantedPicture(const Options &options);

/// Reports if this Quadrille cannot write it. Asked before anything takes long.
bool canWrite(scene::PictureFormat format, Diagnostics &diagnostics);

/// Writes to -o, and reports what fails.
void writePicture(const Session &session, const scene::Page &page, scene::PictureFormat format);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_PICTURES_H
