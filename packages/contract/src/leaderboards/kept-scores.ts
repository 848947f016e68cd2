import { t } from '../schema.ts';

export const KEEPS = ['best', 'latest', 'sum'] as const;
/** The score of a player that a board keeps. */
export type Keeps = (typeof KEEPS)[number];

export const TIE_BREAKS = ['none', 'lower', 'higher'] as const;
/** The `tie_value` that ranks first among equal scores. */
export type TieBreak = (typeof TIE_BREAKS)[number];

const KEEPS_WORDS =
  'What a board keeps of the scores of a player: the `best`, the `latest`, or the `sum` of all. A board that keeps the sum takes whole numbers; its bounds and its rules about gains are about each submit, and a player begins at 0. A board that keeps the latest or the sum cannot quarantine scores.';
const TIE_WORDS =
  'Which of equal scores ranks first: the one with the `lower` or the `higher` `tie_value`, if submits have one; `none`: the one reached first, which also decides among equal values. Scores without a `tie_value` rank behind those with one.';
const NEXT_SEASON =
  'A season with scores keeps the setting with which it began, and the next season has the new one.';

/** The settings of kept scores in answers. */
export const keptMembers = {
  keeps: t.Enum(KEEPS, KEEPS_WORDS),
  tie_break: t.Enum(TIE_BREAKS, TIE_WORDS),
};

/** The settings of kept scores in requests. */
export const keptSettings = {
  keeps: t.Enum(KEEPS, `${KEEPS_WORDS} ${NEXT_SEASON}`, { default: 'best' }),
  tie_break: t.Enum(TIE_BREAKS, `${TIE_WORDS} ${NEXT_SEASON}`, { default: 'none' }),
};

export const exampleKept = { keeps: 'best' as const, tie_break: 'none' as const };

/** The second number of a score. */
export const TieValue = t.Number(
  'The number that decides among equal scores on a board with a `tie_break`, such as the time that was needed; other boards ignore it.',
);

/** The most to which the scores of a player can add up on a board that keeps the sum. */
export const MAX_SUM = Number.MAX_SAFE_INTEGER;

/** The number of days for which a submit is recognised by its `Idempotency-Key`. */
export const SUBMIT_KEY_DAYS = 7;
/** The number of the newest keys of a player on a board that are recognised. */
export const MAX_SUBMIT_KEYS = 1_000;
