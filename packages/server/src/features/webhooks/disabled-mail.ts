import { FAILING_HOURS } from '@overworld/contract/webhooks/webhooks';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Api } from '../../platform/http/api.ts';
import { composeMail, toPlainName } from '../../platform/mail/compose.ts';
import { postMail } from '../../platform/mail/outbox.ts';
import type { WebhookKey } from './webhook-store.ts';

type Params = { game_id: string; webhook_id: string; account_id: string };

/** Tells the owners of a game that a webhook was disabled. */
export async function postDisabledMails(
  tx: Queryable,
  { game_id, webhook_id }: WebhookKey,
): Promise<void> {
  const owners = await tx.query<{ account_id: string }>(sql`
    SELECT account_id FROM game_members
    WHERE game_id = ${game_id} AND role = 'owner' ORDER BY account_id`);
  for (const { account_id } of owners) {
    const params: Params = { game_id, webhook_id, account_id };
    await postMail(tx, 'webhook_disabled', params, { account_id });
  }
}

export function defineDisabledMail({ outbox, database, public_url }: Api): void {
  outbox.define<Params>('webhook_disabled', async ({ game_id, webhook_id, account_id }) => {
    const row = await database.ofGame(game_id).queryOne<{
      email: string;
      name: string;
      url: string;
      disabled_reason: string | null;
    }>(sql`
      SELECT email, games.name, url, disabled_reason
      FROM webhooks
      JOIN games ON games.id = game_id
      JOIN accounts ON accounts.id = ${account_id}
      WHERE game_id = ${game_id} AND webhooks.id = ${webhook_id} AND disabled_at IS NOT NULL`);
    if (row === null) return null;
    const host = toPlainName(new URL(row.url).host);
    const why =
      row.disabled_reason === 'gone'
        ? 'It has answered 410, which says that nothing listens there any more.'
        : `It has answered nothing with success for ${FAILING_HOURS} hours.`;
    return composeMail({
      to: row.email,
      subject: 'A webhook of your game was disabled',
      paragraphs: [
        `A webhook of the game “${toPlainName(row.name)}” gets no messages any more: the one at ${host}. ${why}`,
        'The record of its messages shows the answers. When it works again, enable it; messages of the last days can be sent again.',
      ],
      action: {
        label: 'Look at the webhook',
        url: `${public_url}/games/${game_id}/production/webhooks/${webhook_id}`,
      },
      note: 'You get this mail as an owner of the game.',
    });
  });
}
