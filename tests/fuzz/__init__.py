"""Fuzz targets: each a module with `one_input(data)`, which asserts what must be true whatever the bytes.

`python -m tests.fuzz [--seconds N] [TARGET...]` runs them; `seeds()` of each is where it begins, beside its folder in
`corpus`. A target that makes its input from bytes has `made(data)`, which shows it as it was tried; such an input is
itself one that `one_input` takes.
"""
