import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { countingInWords } from './definitions.ts';
import { EFFECT_DAYS, effectMembers } from './effects.ts';

const operation = operationsIn('Game as files');

/** The most examples of a trial. */
export const MAX_TRIAL_EXAMPLES = 20;
/** The kinds of definitions with rules that can be tried on the past. */
export const TRIED_KINDS = ['achievement', 'leaderboard', 'event_schema', 'alert'] as const;

/** The effects that a rule would have had on the past. */
export const Trial = t.Resource('RuleTrial', {
  ...effectMembers,
  players: t.Nullable(
    t.Object(
      {
        count: t.Integer('Players whom the rule would have met.'),
        of: t.Integer('All players of whom there is something that the rule looks at.'),
      },
      { description: 'Null if the rule is not about players, or they were not counted.' },
    ),
  ),
  examples: t.Array(
    t.Object({
      player_id: t.Nullable(t.String('The player; null if there is none.')),
      at: t.Nullable(t.Timestamp('When it happened; null if that is not known.')),
      words: t.String('What it was, such as a score, or a property that breaks a schema.'),
    }),
    {
      description: `Things that the rule would have met, the newest first, at most ${MAX_TRIAL_EXAMPLES}.`,
    },
  ),
});
export type Trial = Static<typeof Trial>;

const exampleTrial = {
  about: 'submits' as const,
  environment: 'production' as const,
  part: 'max_gain',
  state: 'counted' as const,
  numbers: { submits: 2_000, stopped: 3 },
  words:
    'rule `max_gain` would have quarantined 3 of 2,000 submits of the last 7 days in the ledger of production.',
  players: { count: 1, of: 340 },
  examples: [
    { player_id: 'player-1842', at: '2026-03-14T15:09:26.535Z', words: 'Score 90,000, before 120' },
  ],
};

export const tryDefinition = operation('POST /v1/games/{game_id}/definitions/try', {
  access: 'developer',
  summary: 'Try a rule on the past',
  description: `Says what a definition would have done, had it been there, and to which players: who has earned an achievement by its rule (the search for players with \`without_achievement\` lists all of them), which submits in the ledger of a board would have been refused or quarantined, which events a schema would have refused, and whether an alert would fire for the last finished period. Submits and events are those of the last ${EFFECT_DAYS} days. Each part of the definition that does something has an entry. Stores and changes nothing. ${countingInWords}`,
  query: EnvironmentQuery,
  body: t.Object({
    kind: t.Enum(TRIED_KINDS, 'Kind of the definition.'),
    key: t.String('Identifies it among those of its kind, such as the name of the board.', {
      minLength: 1,
      maxLength: 1_024,
    }),
    definition: t.JsonObject('The definition, by the schema of its kind.'),
  }),
  example: {
    kind: 'leaderboard',
    key: 'high-scores',
    definition: { max_gain: 1_000, on_violation: 'quarantine', keeps_ledger: true },
  },
  answers: {
    200: answer('What it would have done.', t.Object({ trials: t.Array(Trial) }), {
      trials: [exampleTrial],
    }),
    400: errorAnswer(
      'A field is missing or invalid, in the definition too; `error` names it.',
      'max_gain must be more than 0',
    ),
  },
});
