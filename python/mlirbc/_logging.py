"""The logger of the package. The extension module imports it once the program has imported `logging`."""

import logging

logger = logging.getLogger("mlirbc")
# Without it, Python would write warnings to standard error in programs that configure nothing.
logger.addHandler(logging.NullHandler())
