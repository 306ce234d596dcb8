"""What benchmarks may cost: each says its limits, and fails when one is exceeded."""

from __future__ import annotations


def exit_code(*limits: tuple[str, float, float]) -> int:
    """Print which of these (name, measured, at most) are over their limit; 1 if any is, else 0."""
    exceeded = [one for one in limits if one[1] > one[2]]
    for name, measured, most in exceeded:
        print(f"TOO MUCH: {name} is {measured:.2f}, and may be {most:g} at most")
    return 1 if exceeded else 0
