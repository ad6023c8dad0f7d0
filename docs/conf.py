"""Sphinx: MyST pages, the furo theme, and an API reference read from the docstrings."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import comparison  # noqa: E402
import docstrings  # noqa: E402

import coterie  # noqa: E402

project = "Coterie"
author = "The Coterie developers"
version = release = coterie.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
exclude_patterns = ["_build", "_generated"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3

default_role = "py:obj"
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Coterie"


def setup(app):
    """Draw the figures and tables that the pages include, and prepare the docstrings."""
    comparison.write(HERE / "_generated")
    # Before napoleon, whose priority is 500, turns sections into fields.
    app.connect("autodoc-process-docstring", docstrings.prepare, priority=400)
    app.connect("autodoc-process-signature", docstrings.plain_types)
