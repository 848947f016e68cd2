import { countOf } from '../../ui/format.ts';
import type { AlertRow } from './alert-values.ts';

type Recipients = Pick<AlertRow, 'account_ids' | 'webhook_ids' | 'disabled_webhook_ids'>;

/** Lists the recipients that a message of an alert reaches, and those that it does not reach, in words. */
function splitRecipients(
  { account_ids, webhook_ids, disabled_webhook_ids }: Recipients,
  sends_mail: boolean,
) {
  const enabled = webhook_ids.length - disabled_webhook_ids.length;
  const members = account_ids.length === 0 ? [] : [countOf(account_ids.length, 'member')];
  return {
    reached: [
      ...(sends_mail ? members : []),
      ...(enabled === 0 ? [] : [countOf(enabled, 'webhook')]),
    ],
    unmailed: sends_mail ? [] : members,
  };
}

/** Says whom an alert notifies, such as `1 member, 2 webhooks (1 disabled)`. */
export function recipientWords(alert: Recipients, sends_mail: boolean): string {
  const { account_ids, webhook_ids, disabled_webhook_ids } = alert;
  const disabled = disabled_webhook_ids.length;
  return [
    ...(account_ids.length === 0
      ? []
      : [countOf(account_ids.length, 'member') + (sends_mail ? '' : ' (no mail is sent)')]),
    ...(webhook_ids.length === 0
      ? []
      : [
          countOf(webhook_ids.length, 'webhook') +
            (disabled === 0
              ? ''
              : disabled === webhook_ids.length
                ? ' (disabled)'
                : ` (${disabled} disabled)`),
        ]),
  ].join(', ');
}

/**
 * Says who gets the test of an alert, and who does not.
 * @param nameOf Returns the name of a webhook.
 */
export function testWords(
  alert: Recipients,
  sends_mail: boolean,
  nameOf: (webhook_id: string) => string,
): string {
  const { reached, unmailed } = splitRecipients(alert, sends_mail);
  const disabled = alert.disabled_webhook_ids.map(nameOf);
  return [
    reached.length === 0
      ? 'Nobody gets the test'
      : `The test is on its way to ${reached.join(' and ')}`,
    ...(unmailed.length === 0
      ? []
      : [`${unmailed.join()} without it: this installation sends no mail`]),
    ...(disabled.length === 0 ? [] : [`Disabled, and without it: ${disabled.join(', ')}`]),
  ].join('. ');
}

/** Tells whether an alert names recipients, but cannot reach any of them now. */
export const reachesNobody = (alert: Recipients, sends_mail: boolean): boolean =>
  alert.account_ids.length + alert.webhook_ids.length > 0 &&
  splitRecipients(alert, sends_mail).reached.length === 0;
