"""`python -m houserule_compiler` is `houserule`."""

import sys

from .cli import main

sys.exit(main())
