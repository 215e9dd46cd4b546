"""The journal: where events are appended and read. The only folder that knows the event store's library and a database."""
