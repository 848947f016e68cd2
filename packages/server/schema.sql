-- What the migrations make; written by `npm run schema`.

CREATE TYPE account_status AS ENUM ('active', 'pending', 'locked');

CREATE TYPE environment AS ENUM ('development', 'production');

CREATE TYPE event_validation AS ENUM ('off', 'warn', 'reject');

CREATE TYPE game_role AS ENUM ('viewer', 'developer', 'admin', 'owner');

CREATE TYPE game_tier AS ENUM ('free', 'indie', 'studio');

CREATE TABLE accounts (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  status account_status NOT NULL,
  is_administrator boolean DEFAULT false NOT NULL,
  token_generation integer DEFAULT 1 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_login_at timestamp with time zone,
  CONSTRAINT accounts_pkey PRIMARY KEY (id)
);

CREATE TABLE api_keys (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  environment environment NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  CONSTRAINT api_keys_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  game_id uuid,
  at timestamp with time zone DEFAULT now() NOT NULL,
  account_id uuid,
  account_email text,
  ip text,
  action text NOT NULL,
  target text NOT NULL,
  details jsonb NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);

CREATE TABLE game_members (
  game_id uuid NOT NULL,
  account_id uuid NOT NULL,
  role game_role NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT game_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT game_members_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE,
  CONSTRAINT game_members_pkey PRIMARY KEY (game_id, account_id)
);

CREATE TABLE games (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  tier game_tier DEFAULT 'free'::game_tier NOT NULL,
  event_validation event_validation DEFAULT 'off'::event_validation NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT games_pkey PRIMARY KEY (id)
);

CREATE TABLE installation (
  name text NOT NULL,
  value text NOT NULL,
  CONSTRAINT installation_pkey PRIMARY KEY (name)
);

CREATE TABLE migrations (
  name text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  properties jsonb DEFAULT '{}'::jsonb NOT NULL,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT players_pkey PRIMARY KEY (game_id, environment, player_id)
);

CREATE UNIQUE INDEX accounts_email ON public.accounts USING btree (lower(email));

CREATE UNIQUE INDEX api_keys_hash ON public.api_keys USING btree (key_hash);

CREATE INDEX audit_log_game ON public.audit_log USING btree (game_id, id);

CREATE INDEX game_members_account ON public.game_members USING btree (account_id);
