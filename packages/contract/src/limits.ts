import type { Static } from 'typebox';
import { answer } from './answers.ts';
import type { Answer } from './operation.ts';
import { t } from './schema.ts';
import { LIMITED_RESOURCES } from './tiers.ts';
import type { LimitedResource } from './tiers.ts';

/** Code of the 403 for what would pass a limit. */
export const LIMIT_REACHED = 'LIMIT_REACHED';

/** Largest limit that an administrator can set. */
const MAX_LIMIT = 1_000_000_000_000_000;

/** Things that each limit counts; players' data over both environments. */
export const LIMIT_MEANINGS: Record<LimitedResource, string> = {
  save_bytes: 'Bytes of cloud saves, with the versions that are kept of them.',
  players: 'Players.',
  leaderboard_entries: 'Entries of leaderboards, in all seasons.',
  leaderboards: 'Leaderboards.',
  achievements: 'Achievements, archived ones too.',
  event_schemas: 'Event schemas.',
  members: 'Members.',
  daily_invitations: 'Invitations sent in the last 24 hours.',
};

function ofEach<S>(make: (meaning: string) => S): Record<LimitedResource, S> {
  const entries = LIMITED_RESOURCES.map((name) => [name, make(LIMIT_MEANINGS[name])]);
  return Object.fromEntries(entries) as Record<LimitedResource, S>;
}

const Limit = (description: string) => t.Integer(description, { minimum: 0, maximum: MAX_LIMIT });

/** Limits that are set for one game; the others are those of its tier. */
export const LimitOverrides = t.Object(
  ofEach((meaning) => t.Optional(Limit(meaning))),
  { title: 'LimitOverrides' },
);
export type LimitOverrides = Static<typeof LimitOverrides>;

/** Use and limit of each limited thing of a game. */
export const LimitUses = t.Object(
  ofEach((description) =>
    t.Object(
      {
        used: t.Integer('How much there is.'),
        limit: t.Integer('How much there may be.'),
      },
      { description },
    ),
  ),
  { title: 'LimitUses' },
);
export type LimitUses = Static<typeof LimitUses>;

export const limitUsesExample: LimitUses = {
  save_bytes: { used: 216_530_944, limit: 1_073_741_824 },
  players: { used: 18_204, limit: 100_000 },
  leaderboard_entries: { used: 52_118, limit: 1_000_000 },
  leaderboards: { used: 6, limit: 100 },
  achievements: { used: 24, limit: 500 },
  event_schemas: { used: 11, limit: 500 },
  members: { used: 4, limit: 25 },
  daily_invitations: { used: 1, limit: 50 },
};

/** Body of the 403 for what would pass a limit. */
export const LimitReached = t.Object(
  {
    error: t.String('Which limit is reached, in words.'),
    code: t.Optional(t.String('`LIMIT_REACHED`, where the reason is a limit.')),
    resource: t.Optional(t.String('What there would be too much of.')),
    limit: t.Optional(t.Integer('How much there may be.')),
    used: t.Optional(t.Integer('How much there is.')),
  },
  { title: 'LimitReached', additionalProperties: true },
);

/** The 403 of an operation that stores something, with what else it may mean. */
export const limitReached = (description: string, example: object): Answer =>
  answer(
    `${description} Nothing was stored. \`resource\`, \`limit\` and \`used\` say which limit (\`code\` LIMIT_REACHED).`,
    LimitReached,
    example,
  );

/** The 403 of what games send about players. */
export const playerLimitReached = limitReached(
  'The player is new, and the game has as many players as it may have.',
  {
    error: 'This game has reached its limit of 100,000 players',
    code: LIMIT_REACHED,
    resource: 'players',
    limit: 100_000,
    used: 100_000,
  },
);
