import { Type } from 'typebox';
import { errorAnswer, Name, Nullable, Resource, Timestamp } from '../common.ts';
import { playerLimitReached } from '../limits.ts';
import { defineOperation } from '../operation.ts';

const group = 'Achievements';
/** Most points of one achievement. */
export const MAX_POINTS = 1_000_000;
/** What a hidden achievement shows for its name and description until it is unlocked. */
export const MASK = '???';

export const AchievementKey = Name('Names the achievement within its game.');
export const PlayerId = Name('Id of the player, given by the game.');
export const Points = Type.Integer({
  minimum: 0,
  maximum: MAX_POINTS,
  description: `Points it is worth, 0 to ${MAX_POINTS.toLocaleString('en')}.`,
});
export const IconUrl = Type.String({
  maxLength: 2_048,
  description:
    'Where the game finds its icon: an address, or any text the game understands. May be empty.',
});
export const UnlockedAt = Nullable(
  Timestamp('When the player unlocked it; null while it is locked.'),
);

const PlayerAchievement = Resource('PlayerAchievement', {
  key: AchievementKey,
  name: Type.String({ description: `Its name; \`${MASK}\` while it is hidden and locked.` }),
  description: Type.String({
    description: `Its description; \`${MASK}\` while it is hidden and locked.`,
  }),
  icon_url: IconUrl,
  points: Points,
  hidden: Type.Boolean({
    description: 'Whether name and description are masked until it is unlocked.',
  }),
  unlocked: Type.Optional(
    Type.Boolean({ description: 'Whether the player has it; only with `player_id`.' }),
  ),
  unlocked_at: Type.Optional(UnlockedAt),
});

export const unlockAchievement = defineOperation({
  id: 'unlockAchievement',
  method: 'POST',
  path: '/v1/achievements/unlock',
  access: 'key',
  group,
  summary: 'Unlock an achievement for a player',
  description:
    'Idempotent: unlocking again answers 200 with `already_unlocked` true and keeps the first `unlocked_at`. Of many calls at the same time exactly one is answered `already_unlocked` false. `total_points` is what this player has unlocked, this achievement included. Unlocks are separate in each environment. An archived achievement is unknown (404) to players who do not have it.',
  body: Type.Object({
    achievement_key: AchievementKey,
    player_id: PlayerId,
  }),
  example: { achievement_key: 'first_blood', player_id: 'player-1842' },
  answers: {
    200: {
      description: 'The player has the achievement.',
      body: Type.Object({
        success: Type.Literal(true),
        achievement: Type.Object({
          key: AchievementKey,
          name: Type.String({ description: 'Its name, never masked.' }),
          description: Type.String({ description: 'Its description, never masked.' }),
          points: Points,
        }),
        already_unlocked: Type.Boolean({ description: 'Whether the player had it before.' }),
        total_points: Type.Integer({ description: 'Points of all that this player has unlocked.' }),
      }),
      example: {
        success: true,
        achievement: {
          key: 'first_blood',
          name: 'First Blood',
          description: 'Win your first fight',
          points: 10,
        },
        already_unlocked: false,
        total_points: 35,
      },
    },
    403: playerLimitReached,
    404: errorAnswer('No achievement has this key.', 'Achievement not found'),
  },
});

export const listAchievements = defineOperation({
  id: 'listAchievements',
  method: 'GET',
  path: '/v1/achievements',
  access: 'key',
  group,
  summary: 'List the achievements, with what a player has unlocked',
  description: `All achievements of the game by their position. With \`player_id\` each says whether that player has unlocked it, and when; a player who is not known yet has none. A hidden achievement shows \`${MASK}\` for name and description unless the player given has unlocked it; its \`icon_url\` and \`points\` are sent as they are, so give it an icon that tells nothing. Archived achievements are left out, except for a player who has them: that player keeps them, and their points count in both of the player's totals.`,
  query: Type.Object({ player_id: Type.Optional(PlayerId) }),
  answers: {
    200: {
      description: 'The achievements.',
      body: Type.Object({
        achievements: Type.Array(PlayerAchievement),
        total_points: Type.Integer({ description: 'Points of all achievements listed.' }),
        unlocked_points: Type.Integer({
          description: 'Points of those that the player has unlocked; 0 without `player_id`.',
        }),
      }),
      example: {
        achievements: [
          {
            key: 'first_blood',
            name: 'First Blood',
            description: 'Win your first fight',
            icon_url: 'https://cdn.example.com/icons/first-blood.png',
            points: 10,
            hidden: false,
            unlocked: true,
            unlocked_at: '2026-03-14T15:09:26.535Z',
          },
          {
            key: 'the_cake',
            name: MASK,
            description: MASK,
            icon_url: '',
            points: 25,
            hidden: true,
            unlocked: false,
            unlocked_at: null,
          },
        ],
        total_points: 35,
        unlocked_points: 10,
      },
    },
  },
});
