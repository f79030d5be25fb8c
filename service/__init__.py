"""What the house does with the rules: transactions and decisions. No SQL, no Flask, no Celery."""
