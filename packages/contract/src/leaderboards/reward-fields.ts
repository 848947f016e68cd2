import type { Static } from 'typebox';
import { REWARDS_WORDS, rewardMembers } from '../messages/message-fields.ts';
import { MAX_MESSAGE_TEXT, MAX_MESSAGE_TITLE, MAX_REWARDS } from '../messages/message-limits.ts';
import { t } from '../schema.ts';
import { MAX_SEASON_REWARDS } from './season-reward-limits.ts';

const MAX_RANK = 2_147_483_647;

const Gift = t.Object(rewardMembers, { additionalProperties: false });

/** The message that some ranks of a season get at its end, with rewards to claim. */
export const SeasonReward = t.Object(
  {
    from_rank: t.Optional(
      t.Integer('The first rank that gets it.', { minimum: 1, maximum: MAX_RANK }),
    ),
    to_rank: t.Optional(
      t.Integer('The last rank that gets it.', { minimum: 1, maximum: MAX_RANK }),
    ),
    top_percent: t.Optional(
      t.Number(
        'The share of the entries that gets it, from the first rank on; in place of ranks. A part of an entry counts as one: the top 10 % of 25 entries are 3.',
        { exclusiveMinimum: 0, maximum: 100 },
      ),
    ),
    title: t.NewName('Title of the message.', MAX_MESSAGE_TITLE),
    text: t.String('Text of the message; may be empty.', { maxLength: MAX_MESSAGE_TEXT }),
    rewards: t.Array(Gift, {
      maxItems: MAX_REWARDS,
      description: `${REWARDS_WORDS} Statistics and achievements must exist when the rewards are stored.`,
    }),
  },
  { additionalProperties: false },
);
export type SeasonReward = Static<typeof SeasonReward>;

export const SeasonRewards = t.Array(SeasonReward, {
  maxItems: MAX_SEASON_REWARDS,
  description:
    'What players get at the end of each season, as messages, once for each season and player. A player gets the first reward of the list that has its rank.',
});
