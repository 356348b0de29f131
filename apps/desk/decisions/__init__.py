"""What the desk decides: pure functions over a snapshot and a moment.

Services read the snapshot and carry out what is decided. Tests and rehearsals call the same
functions with a clock of their own.
"""
