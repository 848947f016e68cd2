/**
 * The tables of the installation, which are in `public` whatever the number of groups. All other tables
 * hold data of games, and are in the schema of each group. A table belongs to the groups if a batch
 * statement or a trigger of game data reads or writes it; tables that only staff write are here. A
 * statement over all games of a group must begin with a table of the group, because the tables listed
 * here have the rows of all groups.
 */
export const INSTALLATION_TABLES: readonly string[] = [
  'account_devices',
  'account_sessions',
  'account_tokens',
  'accounts',
  'alert_changes',
  'alerts',
  'annotations',
  'api_keys',
  'attempt_counts',
  'audit_log',
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
