"""The journal, where events are appended and read. The only folder that knows the eventsourcing library; databases are behind its ports."""
