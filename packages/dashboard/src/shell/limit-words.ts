import type { LimitedResource } from '@overworld/contract/tiers';
import { formatBytes, formatCount } from '../ui/format.ts';

/** The names of the limited things, in the order in which pages show them. */
export const LIMIT_NAMES: Record<LimitedResource, string> = {
  players: 'Players',
  save_bytes: 'Cloud saves',
  leaderboard_entries: 'Leaderboard entries',
  ledger_rows: 'Submits in ledgers',
  leaderboards: 'Leaderboards',
  achievements: 'Achievements',
  stats: 'Statistics',
  event_schemas: 'Event schemas',
  members: 'Members',
  daily_invitations: 'Invitations in 24 hours',
  alerts: 'Alerts',
  webhooks: 'Webhooks',
  webhook_deliveries: 'Messages to webhooks',
  messages: 'Messages to players',
};
export const SHOWN_LIMITS = Object.keys(LIMIT_NAMES) as LimitedResource[];

export const formatLimit = (resource: LimitedResource, value: number) =>
  resource === 'save_bytes' ? formatBytes(value) : formatCount(value);

/** The effect of each limit that is reached, and the way to make room. */
export const AT_LIMIT: Record<LimitedResource, string> = {
  players: 'New players are refused. Delete players who no longer play to make room.',
  save_bytes:
    'Saves that grow are refused, and no further versions are kept. Delete players who no longer play to make room.',
  leaderboard_entries: 'New entries are refused. Delete leaderboards or entries to make room.',
  ledger_rows:
    'Ledgers lose old submits, those of the players with the most on a board first. No submit is refused. Keep the ledgers for fewer days to make room.',
  leaderboards: 'New leaderboards are refused. Delete one to make room.',
  achievements: 'New achievements are refused. Delete one to make room.',
  stats: 'New statistics are refused. Delete one to make room.',
  event_schemas: 'New schemas are refused. Delete one to make room.',
  members: 'Invitations are refused. Remove a member to make room.',
  daily_invitations: 'Invitations are refused until tomorrow.',
  alerts: 'New alerts are refused. Delete one to make room.',
  webhooks: 'New webhooks are refused. Delete one to make room.',
  webhook_deliveries:
    'The oldest messages go from the record, and then those that wait are dropped. No call is refused. Choose fewer events to make room.',
  messages: 'New messages are refused. Messages are deleted 90 days after their end or recall.',
};
