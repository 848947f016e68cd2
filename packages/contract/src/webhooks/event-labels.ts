/**
 * The names of the service's events, as people read them. This module imports nothing, so the dashboard
 * can use it too.
 */
export const SERVICE_EVENT_LABELS = {
  'achievement.unlocked': 'Achievement unlocked',
  'message.claimed': 'Message claimed',
  'leaderboard.season_ended': 'Board season ended',
  'quota.reached': 'Quota at 80 and at 100%',
  'player.erased': 'Player erased',
  'saves.conflict_rate_high': 'Many conflicts of saves',
} as const;
