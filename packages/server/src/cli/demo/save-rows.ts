import { KEPT_SAVE_VERSIONS, MAIN_SLOT } from '@overworld/contract/saves/limits';
import { at } from './demo-game.ts';
import type { PlayerTable } from './demo-game.ts';
import type { SimulatedPlayer, SimulatedSave } from './simulation.ts';

/**
 * Lists the saves in each slot of a player. The main slot has all saves. Each island after the first also
 * has a slot, with the first save that was made on the island.
 */
function slotsOf({ saves }: SimulatedPlayer): Map<string, SimulatedSave[]> {
  const slots = new Map<string, SimulatedSave[]>();
  if (saves.length > 0) slots.set(MAIN_SLOT, saves);
  for (const save of saves) {
    const { island } = save.data.position;
    const slot = `island-${island}`;
    if (island > 1 && !slots.has(slot)) slots.set(slot, [{ ...save, version: 1 }]);
  }
  return slots;
}

export const SAVE_TABLES: readonly PlayerTable[] = [
  {
    name: 'saves',
    columns: 'slot, revision, version, saved_at',
    *rows(player) {
      for (const [slot, saves] of slotsOf(player)) {
        const { version, at: time } = saves.at(-1)!;
        yield [slot, `${version}`, `${version}`, at(time)];
      }
    },
  },
  {
    name: 'save_versions',
    columns: 'slot, place, version, data, app_version, saved_at',
    *rows(player) {
      for (const [slot, saves] of slotsOf(player)) {
        for (const { version, app_version, at: time, data } of saves.slice(-KEPT_SAVE_VERSIONS)) {
          const place = version % KEPT_SAVE_VERSIONS;
          yield [slot, `${place}`, `${version}`, JSON.stringify(data), app_version, at(time)];
        }
      }
    },
  },
];
