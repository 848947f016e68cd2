/**
 * The tables of the installation. They are in the schema `public`, even if there are many groups of
 * games. All other tables hold data of games, and each group has its own copy of them, in its own schema.
 * A table must be in the groups if batch statements or triggers of game data read or write it. A table
 * that only staff write is listed here, but data of players always belongs to the groups. The tables listed here have rows of the games of all groups. So a
 * statement over all games of one group must begin with a table of that group.
 */
export const INSTALLATION_TABLES: readonly string[] = [
  'access_token_games',
  'access_tokens',
  'account_devices',
  'account_identities',
  'account_sessions',
  'account_tokens',
  'accounts',
  'alert_changes',
  'alerts',
  'annotations',
  'api_keys',
  'attempt_counts',
  'audit_log',
  'background_tasks',
  'config_schedules',
  'config_versions',
  'dashboard_links',
  'dashboards',
  'event_schemas',
  'game_deletions',
  'game_members',
  'games',
  'group_migrations',
  'installation',
  'invitations',
  'login_failures',
  'login_providers',
  'mail_outbox',
  'metrics',
  'migrations',
  'passkeys',
  'recovery_codes',
  'revenue_settings',
  'saved_reports',
  'second_factor_challenges',
  'share_settings',
  'time_zone_changes',
  'totp_factors',
  'totp_failures',
  'verification_settings',
];
