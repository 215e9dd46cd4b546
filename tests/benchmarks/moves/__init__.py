"""What a move costs beside what one would compare it with: interleaved, on cores of their own, in rounds that nothing else disturbed."""
