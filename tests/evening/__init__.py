"""A recorded evening: a script asks every operation, and every byte of the answers is kept, so that two versions can be compared."""
