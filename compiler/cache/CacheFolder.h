//===- CacheFolder.h - Where results are kept from one run to the next ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_CACHEFOLDER_H
#define QUADRILLE_CACHE_CACHEFOLDER_H

#include <optional>
#include <string>

namespace quadrille::compiler::run {

/// The user's own: $QUADRILLE_CACHE_DIR, $XDG_CACHE_HOME/quadrille or ~/.cache/quadrille, the first that is set. Empty
/// if none is, or if the home folder cannot be written to.
std::optional<std::string> cacheFolder();

} // namespace quadrille::compiler::run

#endif // QUADRILLE_CACHE_CACHEFOLDER_H
