import { pageAnswer } from '../answers.ts';
import { PageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Audit log');

const AuditLogEntry = t.Resource('AuditLogEntry', {
  id: t.Integer('Number of the entry; later entries have larger numbers.'),
  at: t.Timestamp('When the change was made.'),
  account_id: t.Nullable(
    t.Uuid(
      "Account that made the change; null: it was made with a server key, which `details.key_id` names, or at the command line of the server's machine.",
    ),
  ),
  account_email: t.Nullable(t.String('E-mail address of the account at that time.')),
  ip: t.Nullable(t.String('Network address that the change came from.')),
  action: t.String('Name of the change: a verb and a noun, such as `revoke_api_key`.'),
  target: t.String('Name or id of the changed thing.'),
  details: t.JsonObject(
    'Details of the change; the members depend on the action. If an access token made the change, `access_token` has its name, and `access_token_id` its id.',
  ),
});

export const listAuditLog = operation('GET /v1/games/{game_id}/audit-log', {
  access: 'developer',
  summary: 'List the changes made to a game',
  description:
    'Every change that was made to the game in the dashboard or at the command line, the newest first. Entries never change, with one exception: erasing a player removes the player from the entries about changes to their data. The entry about the erasure keeps the id.',
  query: t.Object({
    ...PageQuery.properties,
    action: t.Optional(t.String('Only changes of this kind.', { minLength: 1, maxLength: 255 })),
    account_id: t.Optional(t.Uuid('Only changes made by this account.')),
    from: t.Optional(t.Day('Only changes since this day, in the time zone of the game.')),
    to: t.Optional(t.Day('Only changes until the end of this day, in the time zone of the game.')),
  }),
  answers: {
    200: pageAnswer('A page of entries.', 'audit_log', AuditLogEntry, {
      id: 4711,
      at: '2026-03-14T15:09:26.535Z',
      account_id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
      account_email: 'mira@studio.example',
      ip: '192.0.2.17',
      action: 'revoke_api_key',
      target: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
      details: { name: 'Build server', environment: 'development' },
    }),
  },
});
