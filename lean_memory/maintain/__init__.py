"""What is worth keeping at hand, and what says the same twice: store -> plan. Pure.

A plan only moves facts between the tiers and proposes; the store applies it, a person decides on proposals.
"""

from lean_memory.maintain.plan import make_plan
from lean_memory.maintain.policy import Policy, due
from lean_memory.maintain.prove import moments, probes
from lean_memory.maintain.summaries import answered, prompt, with_text
from lean_memory.maintain.value import value

__all__ = ["Policy", "answered", "due", "make_plan", "moments", "probes", "prompt", "value", "with_text"]
