"""What a process needs before it does anything: configuration, logging, private servers."""
