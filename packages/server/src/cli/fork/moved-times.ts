/** The columns with times and days that `overworld advance` moves back, by table. */
export const MOVED_TIMES: Readonly<Record<string, readonly string[]>> = {
  achievement_grants: ['ended_at', 'next_piece_at', 'started_at'],
  achievement_unlocks: ['unlocked_at'],
  achievements: ['created_at', 'updated_at'],
  alert_changes: ['at', 'period_started_at'],
  alerts: [
    'claimed_until',
    'created_at',
    'last_period',
    'next_check_at',
    'notified_at',
    'problem_told_at',
    'state_since',
    'tested_at',
  ],
  annotations: ['at', 'created_at', 'day'],
  config_schedules: ['closed_at', 'created_at', 'ends_at', 'next_at', 'starts_at', 'updated_at'],
  config_versions: ['created_at'],
  daily_event_counts: ['day'],
  daily_players: ['day'],
  daily_receipts: ['day'],
  daily_sessions: ['day'],
  daily_track_problems: ['day'],
  dashboards: ['updated_at'],
  event_counts: ['quarter'],
  event_schemas: ['updated_at'],
  events: ['client_timestamp', 'occurred_at', 'received_at'],
  experiment_exposures: ['exposed_at'],
  experiments: ['created_at', 'started_at', 'stopped_at'],
  games: ['created_at', 'events_kept_since'],
  granted_players: ['unlocked_at'],
  hourly_save_counts: ['hour'],
  leaderboard_decisions: ['decided_at', 'undone_at'],
  leaderboard_entries: ['updated_at'],
  leaderboard_held_scores: ['reached_at', 'replaced_reached_at'],
  leaderboard_reward_runs: ['began_at'],
  leaderboard_rewarded_players: ['given_at'],
  leaderboard_seasons: ['end_announced_at', 'ended_at', 'ends_at', 'started_at'],
  leaderboard_submits: ['submitted_at'],
  leaderboards: ['created_at', 'updated_at'],
  message_schedules: ['created_at', 'last_sent_at', 'next_day', 'updated_at'],
  message_states: ['claimed_at', 'deleted_at', 'read_at'],
  messages: ['ends_at', 'members_at', 'recalled_at', 'sent_at', 'starts_at'],
  metrics: ['updated_at'],
  older_save_versions: ['saved_at'],
  player_activity: ['first_day'],
  player_call_counts: ['hour'],
  player_changes: ['changed_at'],
  player_merges: ['completed_at', 'merged_at'],
  player_stat_hours: ['changed_at', 'hour'],
  player_stats: ['base_at', 'changed_at'],
  players: ['counted_at', 'first_seen_at', 'last_seen_at'],
  releases: ['first_started_at', 'noticed_at'],
  retention_counts: ['first_day'],
  revenue_settings: ['updated_at'],
  save_versions: ['saved_at'],
  saved_reports: ['updated_at'],
  saves: ['deleted_at', 'saved_at'],
  sdk_calls: ['day'],
  sessions: ['last_event_at', 'previous_last_event_at', 'previous_started_at', 'started_at'],
  stats: ['created_at', 'updated_at'],
};

const DAY_MS = 86_400_000;

/** The columns with times as numbers that `overworld advance` moves back, by table, with the length of a day. */
export const MOVED_NUMBERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  leaderboard_submits: { counted_ms: DAY_MS, version: DAY_MS * 1_000 },
};

/** The columns with other numbers that could be times, with the reasons why they stay. */
export const KEPT_NUMBERS: Readonly<Record<string, string>> = {
  'leaderboard_changes.previous_version':
    'servers follow the versions of seasons, which never fall',
  'leaderboard_changes.version': 'servers follow the versions of seasons, which never fall',
  'leaderboard_seasons.version': 'servers follow the versions of seasons, which never fall',
  'older_save_versions.version': 'counts the versions of a save',
  'restored_saves.bad_version': 'counts the versions of a save',
  'restored_saves.good_version': 'counts the versions of a save',
  'restored_saves.restored_version': 'counts the versions of a save',
  'restored_saves.version': 'counts the versions of a save',
  'save_versions.version': 'counts the versions of a save',
  'saves.version': 'counts the versions of a save',
};

/** The tables and columns whose times stay, with the reasons. */
export const KEPT_TIMES: Readonly<Record<string, string>> = {
  'announced_quota_steps.month': 'quotas count by the months of the installation',
  api_keys: 'keys open the fork to games of today',
  audit_log: 'says when people changed something',
  dashboard_links: 'links are for people of today',
  event_export_batches: 'a fork whose events are exported is not moved',
  event_exports: 'a fork whose events are exported is not moved',
  event_holds: 'state of servers',
  event_idempotency_keys: 'games repeat requests within minutes',
  event_inbox: 'the events become rows within seconds',
  'event_key_usage.month': 'quotas count by the months of the installation',
  event_problems: 'keeps events as they arrived',
  event_quarantine: 'keeps requests as they arrived',
  leaderboard_submit_keys: 'games repeat requests within minutes',
  'event_usage.month': 'quotas count by the months of the installation',
  experiment_days: 'the numbers of all days are counted anew',
  game_deletions: 'state of servers',
  game_members: 'says when people joined',
  invitations: 'invitations are for people of today',
  'leaderboard_seasons.followed_until': 'state of servers',
  login_providers: 'says when people changed something',
  player_deletions: 'state of servers',
  player_identities: 'logins follow the clock of the installation, because tokens carry their ends',
  player_login_sessions: 'logins follow the clock of the installation',
  player_move_codes: 'logins follow the clock of the installation',
  player_name_builds: 'state of servers',
  restored_saves: 'state of servers',
  restored_stats: 'state of servers',
  save_restorations: 'state of servers',
  sealed_days: 'made anew from the events',
  sealed_events: 'made anew from the events',
  stat_request_keys: 'games repeat requests within minutes',
  stat_restorations: 'state of servers',
  time_zone_changes: 'state of servers',
  used_login_tokens: 'logins follow the clock of the installation',
  webhook_deliveries: 'messages are sent to servers of today',
  webhooks: 'messages are sent to servers of today',
};

/** The moved columns that hold days. All others hold moments. */
export const DAY_COLUMNS: ReadonlySet<string> = new Set(['day', 'first_day', 'next_day']);

/**
 * The tables whose moved column is part of the primary key. Their rows would meet on the way: PostgreSQL checks
 * keys row by row, and the row of a day may not have left it when that of the next day arrives.
 */
export const KEYED_BY_TIME: ReadonlySet<string> = new Set([
  'daily_event_counts',
  'daily_players',
  'daily_receipts',
  'daily_sessions',
  'daily_track_problems',
  'event_counts',
  'hourly_save_counts',
  'leaderboard_submits',
  'player_call_counts',
  'player_stat_hours',
  'retention_counts',
  'sdk_calls',
]);
