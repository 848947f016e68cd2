import type { Static } from 'typebox';
import { t } from '../schema.ts';
import { MAX_AT_LEAST, MAX_UNLOCK_CONDITIONS } from './rule-limits.ts';

const Condition = t.Object(
  {
    stat: t.Name('Key of the statistic; one that keeps the least value cannot be used.'),
    at_least: t.Number('The value that the player must have reached, more than 0.', {
      exclusiveMinimum: 0,
      maximum: MAX_AT_LEAST,
    }),
  },
  { additionalProperties: false },
);
export type UnlockCondition = Static<typeof Condition>;

/** The rule by which an achievement unlocks. */
export const UnlockWhen = t.Array(Condition, {
  maxItems: MAX_UNLOCK_CONDITIONS,
  description:
    'The achievement unlocks by itself for a player who meets all of these conditions, in the transaction that changes one of the statistics. Empty: there is no such rule. The game can unlock it as well.',
});

export const Progress = t.Nullable(
  t.Object(
    {
      current: t.Number('What the player has; 0 before the first change.'),
      target: t.Number('What the rule asks for.'),
    },
    {
      description:
        'How far the player is, by the condition that is farthest from being met; only with `player_id`. Null without a rule, and while the achievement is hidden and locked.',
    },
  ),
);

/** An achievement that a change of statistics has unlocked. */
export const UnlockedByRule = t.Object({
  key: t.Name('Key of the achievement.'),
  name: t.String('Its name, never masked.'),
  points: t.Integer('Points it is worth.'),
});
