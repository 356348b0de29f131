"""The ceiling of a worker's memory, and room for recording the end of what met it.

What would go beyond the ceiling gets a MemoryError in its own thread, as it would get any other
fault: its row is tried again or ended by its own rules. The process and the machine go on.
"""

import resource
import sys
from traceback import clear_frames

MEGABYTE = 1024 * 1024


def keep_below(megabytes: int) -> None:
    """Let this process, and each that it starts, have no more memory of its own; 0 is no ceiling.

    Counted is what it may write to and shares with nobody: what it took, and its threads' stacks.
    """
    if megabytes:
        ceiling = megabytes * MEGABYTE
        resource.setrlimit(resource.RLIMIT_DATA, (ceiling, ceiling))


def free_what_failed() -> None:
    """Let go of what the code that ran out of memory had gathered, while its fault is handled.

    Its variables would live as long as the fault's traceback: without them there is room again.
    """
    error, seen = sys.exception(), set[int]()
    # Exceptions may be each other's cause and context.
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, MemoryError):
            clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__
