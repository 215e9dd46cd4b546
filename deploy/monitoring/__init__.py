"""A monitor: follows the log of a service over HTTP, as c2sp.org/tlog-tiles has it."""
