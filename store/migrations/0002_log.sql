-- The log is the truth, and is only ever added to. payload is the canonical text that hash was made of.
create table log (
    game_id text not null references games,
    sequence int not null,
    payload text not null,
    previous text not null,
    hash text not null,
    created_at timestamptz not null default now(),
    primary key (game_id, sequence)
) partition by hash (game_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'the log is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
end $$;

create trigger log_is_append_only before update or delete on log for each row execute function refuse_change();
create trigger log_is_not_truncated before truncate on log for each statement execute function refuse_change();
revoke all on log from public;
revoke update, delete, truncate on log from current_user;

do $$
declare
    part text;
begin
    for number in 0..15 loop
        part := 'log_' || number;
        execute format('create table %I partition of log for values with (modulus 16, remainder %s)', part, number);
        execute format('create trigger log_is_not_truncated before truncate on %I
                        for each statement execute function refuse_change()', part);
        execute format('revoke all on %I from public', part);
        execute format('revoke update, delete, truncate on %I from current_user', part);
    end loop;
end $$;

-- Positions along the way, so that any of them is found by replaying a few rows.
create table snapshots (
    game_id text not null references games,
    sequence int not null,
    position text not null,
    primary key (game_id, sequence)
);

-- Sealed moves wait here for their reveal, apart from the position.
create table sealed (
    game_id text not null references games,
    seat smallint not null,
    sequence int not null,
    payload text not null,
    sealed_at timestamptz not null default now(),
    primary key (game_id, seat)
);
