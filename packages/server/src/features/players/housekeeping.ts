import { forEachGroup, roundInterval } from '../../platform/database/each-group.ts';
import { createPlayerEraser } from './deletions/player-eraser.ts';
import { deleteOldChanges } from './game-changes/retention.ts';
import type { PlayerServices } from './player-services.ts';
import { createNameIndex } from './search/name-index.ts';

/** Starts the work on players for which no request waits. */
export function startHousekeeping(api: PlayerServices): void {
  const { opened, database, background, lastSeen, sources, config } = api;
  const interval_ms = roundInterval(1_000, database);
  const name_index = opened.add(createNameIndex(database));
  background.every(interval_ms, 'reading names of players', () => name_index.run());
  const eraser = opened.add(createPlayerEraser({ database, sources, lastSeen }));
  background.every(interval_ms, 'deleting many players', () => eraser.run());
  const { event_retention_days } = config;
  if (event_retention_days > 0) {
    background.onOneServer(21_600_000, 'deleting old changes of players', () =>
      forEachGroup(database.groups, (group) => deleteOldChanges(group, event_retention_days)),
    );
  }
}
