-- Keys that the house signs with; made once, never shown.
create table secrets (name text primary key, value bytea not null);
insert into secrets values ('reply', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- What came in, as it came: stored before it is acknowledged. The same mail that comes again is the same row.
create table mail_in (
    id bigint generated always as identity primary key,
    digest bytea not null unique,
    sender text not null,
    recipient text not null,
    raw bytea not null,
    state text not null default 'waiting' check (state in ('waiting', 'held', 'done')),
    outcome text not null default '',
    confirm bytea,
    received_at timestamptz not null default now(),
    due_at timestamptz not null default now()
);
create index mail_in_waiting on mail_in (due_at) where state = 'waiting';
create unique index mail_in_confirm on mail_in (confirm) where confirm is not null;

-- Answers on their way out; one for each mail.
create table mail_out (
    id bigint generated always as identity primary key,
    mail_in bigint not null references mail_in on delete cascade,
    kind text not null check (kind in ('answer', 'held')),
    sent_to text not null,
    raw bytea not null,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
    attempts int not null default 0,
    reason text not null default '',
    due_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    unique (mail_in, kind)
);
create index mail_out_waiting on mail_out (due_at) where state = 'waiting';
