import type { Queryable } from '../../platform/database/database.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { PLAYER_KEY } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { insertDeliveries } from '../../platform/webhooks/post-event.ts';

interface Claim extends PlayerKey {
  message_id: string;
  claimed_at: string | null;
  rewards: string | null;
}

/** Tells webhooks about claims, in the transaction that has made them. */
export async function postClaims(tx: Queryable, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const rows = claims.map(
    ({ game_id, environment, player_id, message_id, rewards, claimed_at }) => {
      const tenant = { game_id, environment };
      const given = new JsonText(rewards!);
      const data = writeJson({ ...tenant, player_id, message_id, rewards: given, claimed_at });
      return { ...tenant, player_id, data };
    },
  );
  await tx.execute(
    insertDeliveries(sql`(
      SELECT game_id, environment, player_id, 'message.claimed' AS type, data::json AS data
      FROM ${rowsAs('claimed', rows, { ...PLAYER_KEY, data: 'text' })}) AS happened`),
  );
}
