import gc

# The garbage collector runs after every 700 new objects. A start makes 170,000 objects and drops
# none, and would spend a fifth of its time in the collector.
gc.set_threshold(5000, 10, 10)
