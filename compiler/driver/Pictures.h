//===- Pictures.h - Writing pictures -----------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_PICTURES_H
#define QUADRILLE_DRIVER_PICTURES_H

#include "Commands.h"

#include "scene/Picture.h"

namespace quadrille::compiler {

/// The format that --format names or, without it, the ending of the file of -o; nothing for text or data.
std::optional<scene::PictureFormat> wantedPicture(const Options &options);

/// Whether this Quadrille can write the format; reports if it cannot. To be asked before anything that takes long.
bool canWrite(scene::PictureFormat format, Diagnostics &diagnostics);

/// Writes a picture to the file of -o, and reports if that fails.
void writePicture(const Session &session, const scene::Page &page, scene::PictureFormat format);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_PICTURES_H
