"""A witness, which cosigns the checkpoints of logs, and a monitor, which follows a log over HTTP as c2sp.org/tlog-tiles has it."""
