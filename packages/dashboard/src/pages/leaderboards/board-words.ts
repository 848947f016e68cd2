import type { ResetSchedule, SortOrder } from '@overworld/contract/leaderboards/settings';

export const ORDER_WORDS: Record<SortOrder, string> = {
  descending: 'Highest first',
  ascending: 'Lowest first',
};

export const RESET_WORDS: Record<ResetSchedule, string> = {
  none: 'Manually',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
};
