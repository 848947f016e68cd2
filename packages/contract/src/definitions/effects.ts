import type { Static } from 'typebox';
import { ENVIRONMENTS } from '../common.ts';
import { t } from '../schema.ts';
import { DEFINITION_KINDS } from './kinds.ts';

/** The days before a plan whose players, events and submits its effects are about. */
export const EFFECT_DAYS = 7;
/** The longest time for which a plan counts its effects, in seconds. The wait for other reports is included. */
export const MAX_EFFECTS_S = 8;

/** The members of an effect, besides those that name the definition. */
export const effectMembers = {
  about: t.Enum(
    ['players', 'members', 'events', 'submits', 'periods', 'uses'],
    'The things that are counted. `members` are the players of a segment, `periods` those of an alert, and `uses` other definitions.',
  ),
  environment: t.Nullable(
    t.Enum(ENVIRONMENTS, 'The environment whose data is counted; null for other definitions.'),
  ),
  part: t.Nullable(
    t.String(
      'The part of the definition that does it, such as a parameter or a rule; null for all of it.',
    ),
  ),
  state: t.Enum(
    ['counted', 'partial', 'uncounted'],
    '`partial`: the time was enough only for a part of them, and `words` say for which. `uncounted`: there are no numbers, and `words` say why.',
  ),
  numbers: t.JsonObject(
    'The numbers in `words` by their names, such as `{"changed":1204,"players":41880}`.',
  ),
  words: t.String('The effect in a sentence.'),
};

/** An effect of a changed definition on players, events, submits, or other definitions. */
export const Effect = t.Resource('DefinitionEffect', {
  kind: t.Enum(DEFINITION_KINDS, 'Kind of the definition that changes.'),
  key: t.String('Key of the definition that changes.'),
  ...effectMembers,
});
export type Effect = Static<typeof Effect>;

export const exampleEffect = {
  kind: 'remote_config' as const,
  key: 'production',
  about: 'players' as const,
  environment: 'production' as const,
  part: 'daily_reward',
  state: 'counted' as const,
  numbers: { changed: 1_204, players: 41_880 },
  words:
    '1,204 of 41,880 players seen in production in the last 7 days get another `daily_reward`.',
};
