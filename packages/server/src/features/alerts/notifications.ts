import { describeReading, describeRule } from '@overworld/contract/alerts/alert-words';
import type { Alert } from '@overworld/contract/alerts/alerts';
import type { AlertEventType } from '@overworld/contract/webhooks/service-events';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { composeMail, toPlainName } from '../../platform/mail/compose.ts';
import { postMail } from '../../platform/mail/outbox.ts';
import type { MailOutbox } from '../../platform/mail/outbox.ts';
import { postToWebhooks } from '../../platform/webhooks/post-event.ts';

/** The news of an alert. */
interface AlertNews {
  type: AlertEventType;
  period_started_at: string;
  value: number | null;
  baseline_value: number | null;
  is_test: boolean;
}

interface MailParams {
  game_id: string;
  account_id: string;
  alert_name: string;
  environment: string;
  type: AlertEventType;
  rule: string;
  reading: string;
  is_test: boolean;
}

/** Tells the members and webhooks of an alert, in the transaction of the check. */
export async function postNews(
  tx: Queryable,
  alert: Alert & { game_id: string },
  news: AlertNews,
): Promise<void> {
  const { game_id, environment, name: alert_name, metric, period } = alert;
  const { type, is_test, ...numbers } = news;
  const texts = { rule: describeRule(alert), reading: describeReading(alert, news) };
  await postToWebhooks(tx, alert.webhook_ids, {
    game_id,
    environment,
    type,
    player_id: null,
    data: {
      game_id,
      environment,
      alert_id: alert.id,
      alert_name,
      ...texts,
      metric,
      period,
      ...numbers,
      test: is_test,
    },
  });
  const members = await tx.query<{ account_id: string }>(sql`
    SELECT account_id FROM game_members
    WHERE game_id = ${game_id} AND account_id = ANY(${alert.account_ids}::uuid[])
    ORDER BY account_id`);
  for (const { account_id } of members) {
    const params = { game_id, account_id, alert_name, environment, type, ...texts, is_test };
    await postMail(tx, 'alert', params satisfies MailParams, { account_id });
  }
}

/** Defines the mail of an alert. Members who have left the game meanwhile get none. */
export function defineAlertMail(outbox: MailOutbox, database: Queryable, public_url: string): void {
  outbox.define<MailParams>('alert', async (params) => {
    const { game_id, account_id, alert_name, environment, type, rule, reading, is_test } = params;
    const member = await database.queryOne<{ email: string; name: string }>(sql`
      SELECT email, games.name
      FROM game_members
      JOIN accounts ON accounts.id = account_id
      JOIN games ON games.id = game_id
      WHERE game_id = ${game_id} AND account_id = ${account_id}`);
    if (member === null) return null;
    const has_fired = type === 'alert.fired';
    return composeMail({
      to: member.email,
      subject: `${is_test ? 'Test of an alert' : has_fired ? 'Alert' : 'Alert resolved'}: ${toPlainName(alert_name)}`,
      paragraphs: [
        ...(is_test ? ['This is a test. Nothing has happened.'] : []),
        `Game “${toPlainName(member.name)}”, ${environment}: the alert “${toPlainName(alert_name)}” ${has_fired ? 'has fired' : 'is resolved'}.`,
        // Names of events may look like links.
        toPlainText(rule),
        toPlainText(reading),
      ],
      action: {
        label: 'Look at the alerts',
        url: `${public_url}/games/${game_id}/${environment}/alerts`,
      },
      note: 'You get this mail because you are a recipient of the alert. Members of the game can mute it or change its recipients.',
    });
  });
}

/** Zero-width spaces keep mail programs from making links of names inside a text. */
const toPlainText = (text: string) => text.replaceAll(/[:/@]|www|\.(?=\w)/gi, '$&\u200B');
