import { archivedColumns } from '../../features/backups/archive/archived-rows.ts';
import type { Column, Table } from '../../features/backups/archive/table-catalog.ts';

/** The tables with definitions. A fork has all their rows. */
export const DEFINITION_TABLES: readonly string[] = [
  'achievements',
  'alerts',
  'annotations',
  'config_schedules',
  'config_versions',
  'dashboards',
  'event_schemas',
  'experiments',
  'games',
  'leaderboards',
  'metrics',
  'releases',
  'revenue_settings',
  'saved_reports',
  'share_settings',
  'stats',
  'verification_settings',
];

/** The tables with data of players. A fork has the rows of the players that it takes over. */
export const PLAYER_TABLES: readonly string[] = [
  'achievement_unlocks',
  'events',
  'leaderboard_entries',
  'leaderboard_seasons',
  'player_stat_hours',
  'player_stats',
  'players',
  'sessions',
];

/** The tables of which a fork has no rows, with the reasons. */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  access_token_games: 'tokens of members reach their own games',
  achievement_grants: 'begin and end in one game',
  alert_changes: 'the alerts of a fork begin anew',
  announced_quota_steps: 'a fork has a quota of its own',
  api_keys: 'a key opens one game',
  audit_log: 'names people',
  daily_event_counts: 'counted anew from the events',
  daily_players: 'counted anew from the events',
  daily_receipts: 'counts all players',
  daily_sessions: 'counted anew from the sessions',
  daily_track_problems: 'counts all players',
  dashboard_links: 'a link opens one dashboard',
  event_counts: 'counted anew from the events',
  event_export_batches: 'a fork is not exported',
  event_exports: 'a fork is not exported',
  event_holds: 'state of servers',
  event_idempotency_keys: 'state of servers',
  event_inbox: 'events that are not ingested yet',
  event_key_usage: 'a fork has a quota of its own',
  event_quarantine: 'events as they were sent, with all their texts',
  event_usage: 'a fork has a quota of its own',
  experiment_days: 'counts exposures',
  experiment_exposures: 'the variant of a player follows from the id, which is replaced',
  game_deletions: 'state of servers',
  game_members: 'a fork has members of its own',
  game_storage: 'added up from the rows',
  granted_players: 'belongs to grants',
  hourly_save_counts: 'counts all players',
  invitations: 'invites to one game',
  leaderboard_changes: 'servers load the boards of a fork anew',
  leaderboard_decisions: 'reasons are texts about players',
  leaderboard_held_scores: 'has networks of players',
  leaderboard_reward_runs: 'a fork rewards the seasons that end in it',
  leaderboard_rewarded_players: 'a fork rewards the seasons that end in it',
  leaderboard_submit_keys: 'state of servers',
  leaderboard_submits: 'has networks of players',
  login_providers: 'identifies the game to others',
  older_save_versions: 'saves are in the form of the game, so nothing in them can be replaced',
  message_schedules: 'a fork sends nobody messages',
  message_states: 'a fork sends nobody messages',
  messaged_members: 'a fork sends nobody messages',
  messages: 'a fork sends nobody messages, and some name players',
  player_activity: 'counted anew from the events',
  player_call_counts: 'counts all players',
  player_changes: 'has earlier properties',
  player_deletions: 'state of servers',
  player_identities: 'logins of players',
  player_login_sessions: 'logins of players',
  player_merges: 'has ids of players who ended',
  player_move_codes: 'logins of players',
  player_name_builds: 'made from the players',
  player_name_changes: 'made from the players',
  player_names: 'made from the players',
  retention_counts: 'counted anew from the events',
  restored_saves: 'state of servers',
  restored_stats: 'state of servers',
  save_restorations: 'state of servers',
  save_versions: 'saves are in the form of the game, so nothing in them can be replaced',
  saves: 'saves are in the form of the game, so nothing in them can be replaced',
  sdk_calls: 'counts all players',
  sealed_days: 'made anew from the events',
  sealed_events: 'made anew from the events',
  sealed_players: 'made anew from the events',
  sealed_tenants: 'made anew from the events',
  stat_request_keys: 'state of servers',
  stat_restorations: 'state of servers',
  storage_changes: 'added up from the rows',
  time_zone_changes: 'state of servers',
  used_login_tokens: 'logins of players',
  webhook_deliveries: 'a fork calls nobody',
  webhooks: 'a fork calls nobody',
};

/** Columns that a fork leaves out, besides those of every archive. They then have the default of the table. */
export const LEFT_OUT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  // An alert of a fork tells nobody, and knows no number yet.
  alerts: [
    'claimed_until',
    'is_notified',
    'last_baseline_value',
    'last_period',
    'last_value',
    'notified_at',
    'problem',
    'problem_told_at',
    'state',
    'state_since',
    'tested_at',
  ],
  games: ['advanced_days', 'created_at'],
  leaderboard_seasons: ['followed_until'],
  players: ['change_count'],
};

/** The columns with texts that a fork takes over from tables with players, with the reasons. */
export const KEPT_TEXTS: Readonly<Record<string, string>> = {
  achievement_key: 'names a definition',
  aggregation: 'belongs to a definition',
  board_name: 'names a definition',
  event_name: 'names a kind of events',
  keeps: 'belongs to a definition',
  key: 'names a definition',
  tags: 'name groups of players, for segments and rules',
  tie_break: 'belongs to a definition',
};

/** Lists the columns of a table that a fork takes over. */
export const forkedColumns = (table: Table, game_id: string): Column[] =>
  archivedColumns(table, { game_id, with_secrets: false }).filter(
    ({ name }) => !LEFT_OUT_COLUMNS[table.name]?.includes(name),
  );
