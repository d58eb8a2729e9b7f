"""Formats of lit for a build without MPI, in which tests that run programs of MPI are unsupported. In a file of its own, as workers have to
find them by their names."""

import re

import lit.formats
import lit.Test

import only_full

NEEDS = re.compile(r"RUN:.*(quadrille (run|calibrate) .*--backend[ =]mpi|%mpi|%other_mpi|quadrille_mpi)")


class WithoutMpi(lit.formats.ShTest):
    def execute(self, test, lit_config):
        with open(test.getSourcePath(), encoding="utf-8") as file:
            text = file.read()
        if NEEDS.search(text) and "UNSUPPORTED: mpi" not in text:
            return lit.Test.UNSUPPORTED, "needs MPI"
        return super().execute(test, lit_config)


class OnlyFullWithoutMpi(WithoutMpi, only_full.OnlyFull):
    pass
