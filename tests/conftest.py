"""How hypothesis looks for counterexamples."""

from hypothesis import settings

# The verdict depends on the code alone: neither on the clock nor on the luck of the day.
settings.register_profile("fixed", deadline=None, derandomize=True, database=None, max_examples=60)
# pytest --hypothesis-profile=explore looks elsewhere each time, and longer.
settings.register_profile("explore", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile("fixed")
