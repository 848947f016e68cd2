import {
  describeProblem,
  describeReading,
  describeRule,
} from '@overworld/contract/alerts/alert-words';
import type { Alert } from '@overworld/contract/alerts/alerts';
import type { AlertEventType } from '@overworld/contract/webhooks/service-events';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Api } from '../../platform/http/api.ts';
import { composeMail, toPlainName } from '../../platform/mail/compose.ts';
import { postMail } from '../../platform/mail/outbox.ts';
import { postToWebhooks } from '../../platform/webhooks/post-event.ts';

/** The news that an alert has fired or is resolved. A user may also send this news as a test. */
interface AlertNews {
  type: AlertEventType;
  period_started_at: string;
  value: number | null;
  baseline_value: number | null;
  is_test: boolean;
}

/** The words of a mail for each kind of news. */
const MAILS = {
  'alert.fired': { subject: 'Alert', news: 'has fired' },
  'alert.resolved': { subject: 'Alert resolved', news: 'is resolved' },
  unchecked: { subject: 'Alert not checked', news: 'could not be checked' },
};

interface MailParams {
  game_id: string;
  account_id: string;
  alert_name: string;
  environment: string;
  type: keyof typeof MAILS;
  rule: string;
  reading: string;
  is_test: boolean;
}

/** Queues news of an alert for its members and webhooks. The news is sent after the transaction commits. */
export async function postNews(
  tx: Queryable,
  alert: Alert & { game_id: string },
  news: AlertNews,
): Promise<void> {
  const { game_id, environment, name: alert_name, metric, metric_key, period } = alert;
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
      metric_key,
      period,
      ...numbers,
      test: is_test,
    },
  });
  await mailToMembers(tx, alert, 'alert', { type, ...texts, is_test });
}

/** Tells the members who are recipients of an alert that the alert could not be checked. */
export async function postProblem(
  tx: Queryable,
  alert: Alert & { game_id: string },
  problem: NonNullable<Alert['problem']>,
): Promise<void> {
  const texts = { rule: describeRule(alert), reading: describeProblem(problem) };
  // Servers of the previous release cannot write this mail. It has its own kind, which those servers do not
  // know. They leave mails of an unknown kind to newer servers.
  await mailToMembers(tx, alert, 'alert_problem', { type: 'unchecked', ...texts, is_test: false });
}

async function mailToMembers(
  tx: Queryable,
  { game_id, name: alert_name, environment, account_ids }: Alert & { game_id: string },
  kind: 'alert' | 'alert_problem',
  texts: Pick<MailParams, 'type' | 'rule' | 'reading' | 'is_test'>,
): Promise<void> {
  const members = await tx.query<{ account_id: string }>(sql`
    SELECT account_id FROM game_members
    WHERE game_id = ${game_id} AND account_id = ANY(${account_ids}::uuid[])
    ORDER BY account_id`);
  for (const { account_id } of members) {
    const params = { game_id, account_id, alert_name, environment, ...texts };
    await postMail(tx, kind, params satisfies MailParams, { account_id });
  }
}

/**
 * Tells the outbox how to write the mails of alerts. Members who leave the game before their mail is written
 * do not get it.
 */
export function defineAlertMail({ outbox, database, public_url }: Api): void {
  const write = async (params: MailParams) => {
    const { game_id, account_id, alert_name, environment, type, rule, reading, is_test } = params;
    const member = await database.queryOne<{ email: string; name: string }>(sql`
      SELECT email, games.name
      FROM game_members
      JOIN accounts ON accounts.id = account_id
      JOIN games ON games.id = game_id
      WHERE game_id = ${game_id} AND account_id = ${account_id}`);
    if (member === null) return null;
    const { subject, news } = MAILS[type];
    return composeMail({
      to: member.email,
      subject: `${is_test ? 'Test of an alert' : subject}: ${toPlainName(alert_name)}`,
      paragraphs: [
        ...(is_test ? ['This is a test. Nothing has happened.'] : []),
        `Game “${toPlainName(member.name)}”, ${environment}: the alert “${toPlainName(alert_name)}” ${news}.`,
        // The names of events in these texts may look like links.
        toPlainText(rule),
        toPlainText(reading),
      ],
      action: {
        label: 'Look at the alerts',
        url: `${public_url}/games/${game_id}/${environment}/alerts`,
      },
      note: 'You get this mail because you are a recipient of the alert. Members of the game can mute it or change its recipients.',
    });
  };
  outbox.define<MailParams>('alert', write);
  outbox.define<MailParams>('alert_problem', write);
}

/** Adds zero-width spaces, which keep mail programs from turning names in a text into links. */
const toPlainText = (text: string) => text.replaceAll(/[:/@]|www|\.(?=\w)/gi, '$&\u200B');
