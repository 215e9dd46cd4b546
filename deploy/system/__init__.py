"""What the operating system gives: files, clock, language, log lines, priority."""
