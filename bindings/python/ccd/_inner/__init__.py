"""What `ccd.audit`, `cad`, `view`, `robot`, `distributed` and `compat` may use besides the public names of `ccd`.

These six packages are built on the library: they import public names, their own modules, and the names that the modules
here list in ``__all__``. bindings/python/tests/test_imports.py rejects everything else.

The promise to them: a listed name keeps its arguments, results and errors until all six are changed with it. Names that are
not listed, in `ccd._native`, `ccd._io` and elsewhere, change without notice. Users are promised nothing here.

======================== =======================================================================================
`ccd._inner.arrays`      arguments become arrays and numbers; errors name the argument and the index
`ccd._inner.cad`         documents of CAD files: their parts, with names, colors and placements
`ccd._inner.collada`     COLLADA files, as robots read their meshes
`ccd._inner.edges`       edges of robots, decided by the library
`ccd._inner.errors`      the text of errors
`ccd._inner.files`       regular files are opened and parsed with errors that name them; whole files are written
`ccd._inner.gaps`        what a result has that holds a distance of two bodies
`ccd._inner.meshes`      what a mesh was made with, what a pose may be, and the matrix of a quaternion
`ccd._inner.records`     enumerations and arrays of records, as calls of the library return them
`ccd._inner.robots`      where the bodies of a robot are along a path, closed chains
`ccd._inner.volumes`     the surface of a volume's elements
======================== =======================================================================================
"""
