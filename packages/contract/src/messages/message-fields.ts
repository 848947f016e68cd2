import type { Static } from 'typebox';
import { PlayerId } from '../common.ts';
import { PlayerConditions } from '../remote-config/config.ts';
import { t } from '../schema.ts';
import { MAX_STAT_VALUE, STAT_DECIMALS } from '../stats/stat-limits.ts';
import { translationsOf } from '../translations.ts';
import {
  MAX_ITEM_QUANTITY,
  MAX_MESSAGE_DATA_BYTES,
  MAX_MESSAGE_REASON,
  MAX_MESSAGE_TEXT,
  MAX_MESSAGE_TITLE,
  MAX_REWARDS,
  MAX_REWARDS_BYTES,
} from './message-limits.ts';

const data_bytes = MAX_MESSAGE_DATA_BYTES.toLocaleString('en');

export const REWARD_TYPES = ['item', 'stat', 'achievement'] as const;

/** The members of a reward of a message or of a season. */
export const rewardMembers = {
  type: t.Enum(
    REWARD_TYPES,
    '`item`: something that only the game understands; the game gives it when the claim is answered. `stat`: a change of a statistic, which the server makes with the claim. `achievement`: the server unlocks it with the claim.',
  ),
  key: t.NewName(
    'Name of the item, such as `gem`; or the key of the statistic or the achievement.',
  ),
  quantity: t.Optional(
    t.Integer('How many of the item; for `item` alone.', {
      minimum: 1,
      maximum: MAX_ITEM_QUANTITY,
    }),
  ),
  value: t.Optional(
    t.Number(
      `The change of the statistic, as in \`POST /v1/stats\`, with at most ${STAT_DECIMALS} decimals; for \`stat\` alone. \`max_change\` and \`writes_from\` do not count, bounds do.`,
      { minimum: -MAX_STAT_VALUE, maximum: MAX_STAT_VALUE },
    ),
  ),
};

export const Reward = t.Object(
  {
    ...rewardMembers,
    data: t.Optional(
      t.JsonObject(
        `What else the game must know about the item, at most ${data_bytes} bytes of JSON; for \`item\` alone.`,
      ),
    ),
  },
  { title: 'Reward', additionalProperties: false },
);
export type Reward = Static<typeof Reward>;
/** The description of all lists of rewards. */
export const REWARDS_WORDS = `What the player gets by claiming the message, at most ${MAX_REWARDS_BYTES.toLocaleString('en')} bytes of JSON.`;

export const Rewards = t.Array(Reward, {
  maxItems: MAX_REWARDS,
  description: `${REWARDS_WORDS} None: it cannot be claimed.`,
});

export const AUDIENCE_TYPES = ['player', 'segment', 'everyone'] as const;
export const JOINERS = ['included', 'excluded'] as const;

/** The players whom a message is for, as a sender states them. */
export const Audience = t.Object(
  {
    type: t.Enum(
      AUDIENCE_TYPES,
      '`player`: the player of `player_id`. `everyone`: all players of the environment. `segment`: the players who meet the conditions.',
    ),
    player_id: t.Optional(PlayerId),
    segment: t.Optional(
      t.Name(
        'Name of a saved segment. Its conditions at the time of sending count, and they must be about tags, properties and statistics alone: tag the players of another segment, and send to the tag.',
      ),
    ),
    ...PlayerConditions,
    joiners: t.Optional(
      t.Enum(
        JOINERS,
        'Who comes later. `included` (default): whoever is a player, or meets the conditions, when the game asks for messages; so a player who meets them no longer has the message only if it was read or claimed before. `excluded`: only those who are players, or meet the conditions, at the time of sending, or for a segment at `members_at`.',
      ),
    ),
  },
  { title: 'MessageAudience', additionalProperties: false },
);
export type Audience = Static<typeof Audience>;

const Title = (description: string) => t.NewName(description, MAX_MESSAGE_TITLE);
const Text = (description: string) => t.String(description, { maxLength: MAX_MESSAGE_TEXT });

export const Fields = {
  title: Title('Title in the default language.'),
  text: Text('Text in the default language; may be empty.'),
  translations: translationsOf({
    title: t.Optional(Title('Title in this language.')),
    text: t.Optional(Text('Text in this language.')),
  }),
  data: t.JsonObject(`Data for the game, at most ${data_bytes} bytes of JSON.`),
  rewards: Rewards,
  starts_at: t.Timestamp('From when on players have it.'),
  ends_at: t.Nullable(t.Timestamp('Until when players have it, and can claim it; null: no end.')),
  reason: t.String('Why it was sent, for the members of the game alone.', {
    maxLength: MAX_MESSAGE_REASON,
  }),
};

export const exampleRewards: Reward[] = [
  { type: 'item', key: 'gem', quantity: 1 },
  { type: 'stat', key: 'coins', value: 50 },
  { type: 'achievement', key: 'patient' },
];

export const exampleMessage = {
  id: '7f3c5a0e-5b58-4a6e-9d0c-2f7d5c1b8e90',
  title: 'Sorry for the long night',
  text: 'Our servers were down. Here are 50 coins.',
};
export const exampleTranslations = {
  de: {
    title: 'Entschuldigt die lange Nacht',
    text: 'Unsere Server waren aus. 50 Münzen für dich.',
  },
};
