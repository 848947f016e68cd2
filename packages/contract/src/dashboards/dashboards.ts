import type { Static } from 'typebox';
import { answer, errorAnswer, ErrorBody, PageOf, VERSION_CONFLICT } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { Card, exampleCard, exampleSentCard, SentCard } from './cards.ts';
import { MAX_CARDS, MAX_DASHBOARDS } from './limits.ts';

const operation = operationsIn('Dashboards');

const NAME = 'Name of the dashboard, unique in the game whatever its case.';
const NewName = t.NewName(NAME, 100);
const Cards = t.Array(SentCard, {
  maxItems: MAX_CARDS,
  description: 'All cards, in the order in which they are shown.',
});
const Position = t.Integer('Place in the list, from 1; a place past the end means the end.', {
  minimum: 1,
});

const Summary = {
  id: t.Uuid('Id of the dashboard.'),
  name: t.Name(NAME),
  position: Position,
  version: t.Integer('Counts the changes of name and cards, from 1.'),
  link_count: t.Integer('Links that show it to everybody who has them, and work now.'),
  updated_at: t.Timestamp('When name or cards were last changed.'),
  updated_by: t.Nullable(t.String('E-mail address of the account that changed them last.')),
};

const Dashboard = t.Resource('Dashboard', {
  ...Summary,
  cards: t.Array(Card, { description: 'The cards, in the order in which they are shown.' }),
});
export type Dashboard = Static<typeof Dashboard>;

const exampleSummary = {
  id: '7f0d4b1e-2a3f-4f6a-9b51-6f9a1f0e8d21',
  name: 'Launch week',
  position: 1,
  version: 4,
  link_count: 0,
  updated_at: '2026-03-01T18:24:05.120Z',
  updated_by: 'mira@studio.example',
};
const example: Dashboard = { ...exampleSummary, cards: [exampleCard] };

const nameTaken = errorAnswer(
  `The game has another dashboard of this name, or ${MAX_DASHBOARDS} dashboards.`,
  'A dashboard of this name exists already',
);

export const listDashboards = operation('GET /v1/games/{game_id}/dashboards', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'List the dashboards of a game',
  description:
    'By position. Both environments share the dashboards. The list has one page: `next_cursor` is always null.',
  answers: {
    200: answer(
      'The dashboards.',
      PageOf(
        'dashboards',
        t.Object({ ...Summary, card_count: t.Integer('Number of cards on it.') }),
      ),
      { dashboards: [{ ...exampleSummary, card_count: 1 }], next_cursor: null },
    ),
  },
});

export const createDashboard = operation('POST /v1/games/{game_id}/dashboards', {
  access: 'developer',
  summary: 'Create a dashboard',
  description: `It comes last in the list. A game has at most ${MAX_DASHBOARDS} dashboards, a dashboard at most ${MAX_CARDS} cards.`,
  body: t.Object({ name: NewName, cards: t.Optional(Cards) }),
  example: { name: 'Launch week', cards: [exampleSentCard] },
  answers: {
    201: answer('It is created.', Dashboard, example),
    409: nameTaken,
  },
});

export const getDashboard = operation('GET /v1/games/{game_id}/dashboards/{dashboard_id}', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show a dashboard with its cards',
  description:
    'A card names a report and its parameters. The report itself is read by its own operation, in either environment.',
  answers: { 200: answer('The dashboard.', Dashboard, example) },
});

export const updateDashboard = operation('PATCH /v1/games/{game_id}/dashboards/{dashboard_id}', {
  access: 'developer',
  summary: 'Rename, arrange or move a dashboard',
  description:
    '`cards` replaces all cards: cards that are missing are removed, and cards without `id` are new. Send the `version` that you changed, and the change is made only if nobody has changed the dashboard since. `position` moves the dashboard in the list and is no change of it.',
  body: t.Changes({
    version: t.Integer(
      'Expected current version. If it is left out, the change is made in any case.',
      {
        minimum: 1,
      },
    ),
    name: NewName,
    cards: Cards,
    position: Position,
  }),
  example: { version: 3, cards: [exampleSentCard] },
  answers: {
    200: answer('The dashboard as it is now.', Dashboard, example),
    409: answer(
      'Somebody has changed the dashboard since `version`, or another one has this name; nothing was changed.',
      t.Object({
        ...ErrorBody.properties,
        server_version: t.Optional(t.Integer('The current version, where that is the reason.')),
      }),
      { error: VERSION_CONFLICT, server_version: 5 },
    ),
  },
});

export const deleteDashboard = operation('DELETE /v1/games/{game_id}/dashboards/{dashboard_id}', {
  access: 'developer',
  summary: 'Delete a dashboard',
  description: 'Its links stop working at once. The reports themselves stay.',
  answers: { 204: { description: 'It is deleted.' } },
});

export const pinCard = operation('POST /v1/games/{game_id}/dashboards/{dashboard_id}/cards', {
  access: 'developer',
  summary: 'Pin a chart to a dashboard',
  description:
    'The card comes last. Needs no version: several members can pin charts at the same time.',
  body: SentCard,
  example: exampleSentCard,
  answers: {
    201: answer('The dashboard with the card.', Dashboard, example),
    409: errorAnswer(
      'The dashboard is full.',
      `A dashboard may have at most ${MAX_CARDS} cards: remove one first`,
    ),
  },
});
