import { answer, errorAnswer } from '../answers.ts';
import { PlayerId, SentPlayerId } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { AchievementKey } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { AcceptLanguage, AskedLocale } from '../translations.ts';
import { Progress } from './rules.ts';

const operation = operationsIn('Achievements');
/** The largest number of points of an achievement. */
const MAX_POINTS = 1_000_000;
/** Replaces the name and the description of a hidden achievement until it is unlocked. */
export const MASK = '???';

export const Points = t.Integer(`Points it is worth, 0 to ${MAX_POINTS.toLocaleString('en')}.`, {
  minimum: 0,
  maximum: MAX_POINTS,
});
export const IconUrl = t.String(
  'Place of the icon: an address, or any text that the game understands. May be empty.',
  { maxLength: 2_048 },
);
export const UnlockedAt = t.Nullable(
  t.Timestamp('When the player unlocked it; null while it is locked.'),
);

const PlayerAchievement = t.Resource('PlayerAchievement', {
  key: AchievementKey,
  name: t.String(`Its name; \`${MASK}\` while it is hidden and locked.`),
  description: t.String(`Its description; \`${MASK}\` while it is hidden and locked.`),
  icon_url: IconUrl,
  points: Points,
  hidden: t.Boolean('Whether name and description are masked until it is unlocked.'),
  unlocked: t.Optional(t.Boolean('Whether the player has it; only with `player_id`.')),
  unlocked_at: t.Optional(UnlockedAt),
  progress: t.Optional(Progress),
});

export const unlockAchievement = operation('POST /v1/achievements/unlock', {
  access: 'key',
  summary: 'Unlock an achievement for a player',
  description:
    'Idempotent: unlocking again answers 200 with `already_unlocked` true and keeps the first `unlocked_at`. Of many calls at the same time exactly one is answered `already_unlocked` false. `total_points` adds up all that this player has unlocked, this achievement included. Unlocks are separate in each environment. An archived achievement answers 404 for players who do not have it. The name and the description are in the language that `locale` or `Accept-Language` asks for, if the achievement has them in it.',
  query: t.Object({ locale: AskedLocale }),
  headers: t.Object({ 'accept-language': AcceptLanguage }),
  body: t.Object({
    achievement_key: AchievementKey,
    player_id: SentPlayerId,
  }),
  example: { achievement_key: 'first_blood', player_id: 'player-1842' },
  answers: {
    200: answer(
      'The player has the achievement.',
      t.Object({
        success: t.Literal(true),
        achievement: t.Object({
          key: AchievementKey,
          name: t.String('Its name, never masked.'),
          description: t.String('Its description, never masked.'),
          points: Points,
        }),
        already_unlocked: t.Boolean('Whether the player had it before.'),
        total_points: t.Integer('Points of all that this player has unlocked.'),
      }),
      {
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
    ),
    403: limitReached(
      'The call may not unlock this achievement, because its token is of another player, or because the achievement takes calls with a player token or a server key alone; or the player is new, and the game has as many players as it may have.',
      'players',
    ),
    404: errorAnswer('No achievement has this key.', 'Achievement not found'),
  },
});

/** An example of an achievement in the catalogue. */
export const catalogueExample = {
  key: 'first_blood',
  name: 'First Blood',
  description: 'Win your first fight',
  icon_url: 'https://cdn.example.com/icons/first-blood.png',
  points: 10,
  hidden: false,
};

export const listAchievements = operation('GET /v1/achievements', {
  access: 'key',
  summary: 'List the achievements and the unlocks of a player',
  description: `All achievements of the game by their position. With \`player_id\` each one says whether that player has unlocked it, and when; an unknown player has unlocked none. A hidden achievement shows \`${MASK}\` for name and description unless the player given has unlocked it; its \`icon_url\` and \`points\` are not masked, so give it an icon that reveals nothing. Archived achievements are left out, except for players who have them: these keep them, and the points count in both totals of the player.\n\nNames and descriptions are in the language that \`locale\` asks for, else in the first one of \`Accept-Language\` that any achievement of the game has. A text that is not translated is the default one.`,
  query: t.Object({ player_id: t.Optional(PlayerId), locale: AskedLocale }),
  headers: t.Object({ 'accept-language': AcceptLanguage }),
  answers: {
    200: answer(
      'The achievements.',
      t.Object({
        achievements: t.Array(PlayerAchievement),
        total_points: t.Integer('Points of all achievements listed.'),
        unlocked_points: t.Integer('Points that the player has unlocked; 0 without `player_id`.'),
      }),
      {
        achievements: [
          {
            ...catalogueExample,
            unlocked: true,
            unlocked_at: '2026-03-14T15:09:26.535Z',
            progress: null,
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
            progress: null,
          },
        ],
        total_points: 35,
        unlocked_points: 10,
      },
    ),
  },
});
