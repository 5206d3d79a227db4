"""`python -m sqlite_memory` is the command `sqlite-memory`."""

import sys

from .cli import main

sys.exit(main())
