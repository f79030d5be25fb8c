-- What happened may concern one seat, and may have more to it than its kind: detail is canonical JSON. Both stay empty for
-- a move, whose row in the log tells everything.
alter table outbox add column seat smallint, add column detail text;
