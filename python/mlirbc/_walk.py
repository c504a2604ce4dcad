"""The words of walking, with the values that upstream's bindings give them."""

import enum


class WalkOrder(enum.Enum):
    """When an operation is visited: before what it contains, or after."""

    PRE_ORDER = 0
    POST_ORDER = 1


class WalkResult(enum.Enum):
    """What a walk's callback answers."""

    ADVANCE = 0
    INTERRUPT = 1
    SKIP = 2
