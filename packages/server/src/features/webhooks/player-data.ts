import { sql } from '../../platform/database/sql.ts';
import { exportRows } from '../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';

/** The webhook messages about a player. */
export const webhookSource: PlayerDataSource = {
  name: 'webhook_messages',
  tables: [{ table: 'webhook_deliveries', merge: 'move' }],
  exportPlayer: exportRows({
    columns: sql`event_type, created_at, body`,
    from: sql`webhook_deliveries`,
    order: ['created_at', 'id'],
  }),
};
