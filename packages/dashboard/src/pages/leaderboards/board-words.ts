import type { Keeps, TieBreak } from '@overworld/contract/leaderboards/kept-scores';
import type { HoldReason, OnViolation } from '@overworld/contract/leaderboards/rules';
import type { ResetSchedule, SortOrder } from '@overworld/contract/leaderboards/settings';
import type { WritesFrom } from '@overworld/contract/players/verification';

export const ORDER_WORDS: Record<SortOrder, string> = {
  descending: 'Highest first',
  ascending: 'Lowest first',
};

export const KEEPS_WORDS: Record<Keeps, string> = {
  best: 'Best score',
  latest: 'Latest score',
  sum: 'Sum of all scores',
};

export const KEEPS_EFFECTS: Record<Keeps, string> = {
  best: 'A score that is not better changes nothing',
  latest: 'Each score replaces the one before, better or worse',
  sum: 'Each score, a whole number, is added to those before',
};

export const TIE_WORDS: Record<TieBreak, string> = {
  none: 'The one reached first',
  lower: 'The lower tie_value',
  higher: 'The higher tie_value',
};

export const RESET_WORDS: Record<ResetSchedule, string> = {
  none: 'Manually',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
};

export const WRITER_WORDS: Record<WritesFrom, string> = {
  anyone: 'Anyone with a key of the game',
  verified: 'Players who have logged in, and server keys',
  server: 'Server keys alone',
};

export const VIOLATION_WORDS: Record<OnViolation, string> = {
  refuse: 'Is refused',
  quarantine: 'Waits for your decision',
};

export const VIOLATION_EFFECTS: Record<OnViolation, string> = {
  refuse: 'The game gets an error, and nothing is stored',
  quarantine: 'Until then only its player sees it',
};

export const RULE_WORDS: Record<HoldReason, string> = {
  required_metadata: 'Required metadata is missing',
  min_submit_interval_ms: 'Too soon after the last submit',
  max_gain: 'Gains too much at once',
  max_gain_per_hour: 'Gains too fast',
  by_hand: 'Taken off by hand',
};

export const OUTCOME_WORDS = {
  new: 'First score',
  improved: 'Better',
  kept: 'Not better',
  quarantined: 'Held back',
  refused: 'Refused',
} as const;
