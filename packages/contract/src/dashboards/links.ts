import type { Static } from 'typebox';
import { answer, errorAnswer, ErrorWith, PageOf } from '../answers.ts';
import { EnvironmentName, ShownLink } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { Card, exampleCard } from './cards.ts';
import { DEFAULT_LINK_DAYS, MAX_DASHBOARD_LINKS, MAX_LINK_DAYS } from './limits.ts';

const operation = operationsIn('Dashboards');

const DashboardLink = t.Resource('DashboardLink', {
  id: t.Uuid('Id of the link.'),
  environment: EnvironmentName,
  note: t.String('The people who got the link, or its purpose. May be empty.'),
  created_at: t.Timestamp('When it was made.'),
  created_by: t.Nullable(t.String('E-mail address of the account that made it.')),
  expires_at: t.Timestamp('When it stops working.'),
  last_used_at: t.Nullable(
    t.Timestamp('When somebody last opened it, to the minute; null: nobody yet.'),
  ),
});
export type DashboardLink = Static<typeof DashboardLink>;

const exampleLink: DashboardLink = {
  id: 'a4c1f3d2-5b6e-4f7a-8c9d-0e1f2a3b4c5d',
  environment: 'production',
  note: 'The publisher',
  created_at: '2026-03-01T18:24:05.120Z',
  created_by: 'mira@studio.example',
  expires_at: '2026-03-31T18:24:05.120Z',
  last_used_at: null,
};

export const listDashboardLinks = operation(
  'GET /v1/games/{game_id}/dashboards/{dashboard_id}/links',
  {
    access: 'admin',
    summary: 'List the links that show a dashboard',
    description:
      'The links that work, the newest first. Their secrets cannot be read again. The list has one page: `next_cursor` is always null.',
    answers: {
      200: answer('The links.', PageOf('links', DashboardLink), {
        links: [exampleLink],
        next_cursor: null,
      }),
    },
  },
);

export const createDashboardLink = operation(
  'POST /v1/games/{game_id}/dashboards/{dashboard_id}/links',
  {
    access: 'admin',
    token_role: 'never',
    summary: 'Make a link that shows a dashboard to everybody who has it',
    description: `Readers of the link need no account. They see the cards of the dashboard as it is then, in one environment, with the days of each card, and nothing else of the game. The address holds a secret, which is shown only in this answer. A dashboard has at most ${MAX_DASHBOARD_LINKS} links that work.`,
    body: t.Object({
      environment: EnvironmentName,
      expires_in_days: t.Optional(
        t.Integer('Days until the link stops working.', {
          minimum: 1,
          maximum: MAX_LINK_DAYS,
          default: DEFAULT_LINK_DAYS,
        }),
      ),
      note: t.Optional(
        t.String('The people who get the link, or its purpose.', { maxLength: 100, default: '' }),
      ),
    }),
    example: { environment: 'production', expires_in_days: 30, note: 'The publisher' },
    answers: {
      201: answer(
        'It is made.',
        t.Object({ ...DashboardLink.properties, link: ShownLink.properties.link }),
        {
          ...exampleLink,
          link: 'https://play.studio.example/shared#pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d',
        },
      ),
      409: errorAnswer(
        'The dashboard has too many links.',
        `A dashboard may have at most ${MAX_DASHBOARD_LINKS} links: revoke one first`,
      ),
    },
  },
);

export const revokeDashboardLink = operation(
  'DELETE /v1/games/{game_id}/dashboards/{dashboard_id}/links/{link_id}',
  {
    access: 'admin',
    token_role: 'never',
    summary: 'Revoke a link',
    description: 'It stops working at once, on every server.',
    answers: { 204: { description: 'It is revoked.' } },
  },
);

const LinkHeader = t.Object({
  'x-dashboard-link': t.Optional(t.String('The secret of the link: the part after `#`.')),
});

const linkGone = answer(
  'The link has expired (`code` LINK_EXPIRED) or was revoked (`code` LINK_REVOKED).',
  ErrorWith({ code: t.Enum(['LINK_EXPIRED', 'LINK_REVOKED'], 'The reason.') }),
  { error: 'This link was revoked', code: 'LINK_REVOKED' },
);

const SharedCard = t.Object({
  ...Card.properties,
  from: t.Day('First day that the card shows now.'),
  to: t.Day('Last day that the card shows now.'),
});

export const getSharedDashboard = operation('GET /v1/shared-dashboard', {
  access: 'anyone',
  summary: 'Show the dashboard of a link',
  description:
    'For everybody who has the link. Takes the secret in a header, so that no log has it.',
  headers: LinkHeader,
  answers: {
    200: answer(
      'The dashboard with its cards.',
      t.Resource('SharedDashboard', {
        game_name: t.String('Name of the game.'),
        name: t.String('Name of the dashboard.'),
        environment: EnvironmentName,
        time_zone: t.String('Time zone of the game, in which its days begin and end.'),
        expires_at: t.Timestamp('When the link stops working.'),
        cards: t.Array(SharedCard, { description: 'The cards in their order.' }),
      }),
      {
        game_name: 'Sky Harbour',
        name: 'Launch week',
        environment: 'production',
        time_zone: 'Europe/Berlin',
        expires_at: exampleLink.expires_at,
        cards: [{ ...exampleCard, from: '2026-03-01', to: '2026-03-30' }],
      },
    ),
    404: errorAnswer('The header is missing, or the secret is unknown.', 'Link not found'),
    410: linkGone,
  },
});

export const getSharedReport = operation('GET /v1/shared-dashboard/cards/{card_id}', {
  access: 'anyone',
  summary: 'Show the report of a card of a link',
  description:
    'The report exactly as it was pinned; the caller chooses nothing. Answers are kept for a minute, and those that took long to make for twenty times as long as they took. Names and ids of API keys are left out.',
  headers: LinkHeader,
  answers: {
    200: answer(
      'The report.',
      t.Object({
        made_at: t.Timestamp('When the report was made.'),
        report: t.JsonObject('The answer of the operation of the report.'),
      }),
      {
        made_at: '2026-03-01T18:24:05.120Z',
        report: { from: '2026-03-01', to: '2026-03-30', time_zone: 'Europe/Berlin', groups: [] },
      },
    ),
    404: errorAnswer(
      'The header is missing, the secret is unknown, or the dashboard has no such card any more.',
      'Card not found',
    ),
    410: linkGone,
  },
});
