import { pageAnswer } from '../answers.ts';
import { PageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { ALERT_STATES, reading } from './alerts.ts';

const operation = operationsIn('Alerts');

/** Days for which the history of alerts is kept. */
export const KEPT_HISTORY_DAYS = 90;

const HistoryEntry = t.Resource('AlertChange', {
  id: t.Uuid('Id of the entry.'),
  at: t.Timestamp('When the state changed.'),
  state: t.Enum(ALERT_STATES, 'The state from then on.'),
  period_started_at: t.Timestamp('When the checked period began.'),
  ...reading,
  notified: t.Boolean('Whether mails or messages went out.'),
});

export const listAlertChanges = operation('GET /v1/games/{game_id}/alerts/{alert_id}/history', {
  access: 'viewer',
  summary: 'List the changes of the state of an alert',
  description: `The newest first, for ${KEPT_HISTORY_DAYS} days.`,
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of changes.', 'changes', HistoryEntry, {
      id: '1f9f4f0e-79a9-4a55-9c0d-1f2a3b4c5d6e',
      at: '2026-03-15T00:15:02.000Z',
      state: 'firing',
      period_started_at: '2026-03-14T00:00:00.000Z',
      value: 1_204,
      baseline_value: 1_530,
      notified: true,
    }),
  },
});
