"""What a mail says and how a reply is read: templates, reader, grammar. No SMTP in here, no SQL, no Flask."""
