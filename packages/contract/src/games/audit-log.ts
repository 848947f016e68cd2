import { Type } from 'typebox';
import {
  GameId,
  JsonObject,
  merge,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
  Uuid,
} from '../common.ts';
import { defineOperation } from '../operation.ts';

const AuditLogEntry = Resource('AuditLogEntry', {
  id: Type.Integer({ description: 'Grows from entry to entry.' }),
  at: Timestamp('When the change was made.'),
  account_id: Nullable(
    Uuid("Who made it; null: somebody at the command line of the server's machine."),
  ),
  account_email: Nullable(Type.String({ description: 'Their e-mail address at that time.' })),
  ip: Nullable(Type.String({ description: 'The network address it came from.' })),
  action: Type.String({ description: 'What was done, verb first, such as `revoke_api_key`.' }),
  target: Type.String({ description: 'What it was done to: a name or id.' }),
  details: JsonObject('What the change was; its members depend on the action.'),
});

export const listAuditLog = defineOperation({
  id: 'listAuditLog',
  method: 'GET',
  path: '/v1/games/{game_id}/audit-log',
  access: 'developer',
  group: 'Audit log',
  summary: 'Who changed what in a game',
  description:
    'Every change that was made to the game in the dashboard or by command, the newest first. Entries are never changed, but that a player who is erased is taken out of those about changes to their data; the entry of the erasure keeps the id.',
  params: Type.Object({ game_id: GameId }),
  query: merge(
    PageQuery,
    Type.Object({
      action: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Only changes of this kind.' }),
      ),
      account_id: Type.Optional(Uuid('Only changes made by this account.')),
    }),
  ),
  answers: {
    200: {
      description: 'A page of entries.',
      body: PageOf('audit_log', AuditLogEntry),
      example: {
        audit_log: [
          {
            id: 4711,
            at: '2026-03-14T15:09:26.535Z',
            account_id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
            account_email: 'mira@studio.example',
            ip: '192.0.2.17',
            action: 'revoke_api_key',
            target: '6c1c9e0e-8a53-4f0f-a0ad-0f6f3b1f2c77',
            details: { name: 'Build server', environment: 'development' },
          },
        ],
        next_cursor: null,
      },
    },
  },
});
