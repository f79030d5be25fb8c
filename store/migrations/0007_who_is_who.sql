-- Names stand beside the log. A seat that its player has left goes on under their name, and follows it.
alter table seats add column left_by bigint references players;
create index seats_left_by on seats (left_by) where left_by is not null;
update seats s set left_by = p.id from players p
    where s.player_id is null and s.bot = 'default' and lower(s.name) = lower(p.name);

-- Every name that somebody has, or had less than a year ago, by the key that look-alikes share. The service works keys
-- out, not the locale of the database; a player from before has none until the next name is looked up.
create table names (
    key text primary key,
    player_id bigint references players,
    given_up_at timestamptz
);
create index names_given_up on names (given_up_at) where given_up_at is not null;
create index names_player on names (player_id);
alter table players add column name_key text, add column forgotten_at timestamptz;
drop index players_name;
create index players_name_key on players (name_key);
create index players_without_key on players (id) where name_key is null;

-- An address counts when it is proved; none of those given so far was.
alter table players add column email_key text, add column unproved_email text;
update players set unproved_email = email, email = null;
drop index players_email;
create unique index players_email_key on players (email_key);

-- An invitation by e-mail is for whoever proves the address.
alter table seats add column invited_email_key text;
update seats set invited_email_key = lower(invited_email) where invited_email is not null and player_id is null;
update seats set invited_player = null where invited_email is not null and player_id is null;
create index seats_invited_email on seats (invited_email_key) where invited_email_key is not null;

-- What was sent to addresses to be sent back, each as a hash, and good once.
create table links (
    hash bytea primary key,
    kind text not null check (kind in ('prove', 'sign-in')),
    player_id bigint references players,
    email text not null,
    email_key text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz
);
create index links_email on links (email_key, created_at);
create index links_created on links (created_at);

alter table tokens add column scopes text[] not null default '{read,play,host,account}';
