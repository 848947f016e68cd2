import { answer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Event schemas');

/** The number of days whose events are checked. */
export const IMPACT_DAYS = 7;
/**
 * The maximum number of events that are checked in one environment. Events with all names that have a schema
 * count together.
 */
export const MAX_CHECKED_EVENTS = 20_000;

export const getEventSchemaImpact = operation('GET /v1/games/{game_id}/event-schema-impact', {
  access: 'developer',
  summary: 'See which events the schemas would refuse',
  description: `Checks the stored events of the last ${IMPACT_DAYS} days in one environment by the schemas of the game, as if \`event_validation\` had been \`reject\`. Each name with a schema gets an equal part of ${MAX_CHECKED_EVENTS.toLocaleString('en')} checks, the newest events first. Changes nothing.`,
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The result of the check.',
      t.Object({
        checked: t.Integer('Events that were checked.'),
        broken: t.Integer('Checked events that break their schema.'),
        is_complete: t.Boolean(
          `Whether all events of the ${IMPACT_DAYS} days with a schema were checked; otherwise the newest of each name.`,
        ),
        events: t.Array(
          t.Object({
            event_name: t.String('Name of the events.'),
            checked: t.Integer('Events of this name that were checked.'),
            broken: t.Integer('Events of this name that break the schema.'),
          }),
          { description: 'The names with events that break their schema, the most first.' },
        ),
      }),
      {
        checked: 3_400,
        broken: 12,
        is_complete: true,
        events: [{ event_name: 'purchase', checked: 400, broken: 12 }],
      },
    ),
  },
});
