import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createCellTest } from '../cells/cell-test.ts';
import type { PlayerTest } from '../cells/player-test.ts';
import { makeRoom } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { EventCondition, SegmentConditions } from './player-choice.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { Scan } from '../scan/scan.ts';

/**
 * Makes the test for those conditions of a segment that SQL does not check: conditions on the player's
 * events, and the condition that a cell of a report counts the player. If `segment` is null, every player
 * passes.
 */
export async function createSegmentTest(
  database: ExploreDatabase,
  selection: EventSelection,
  segment: SegmentConditions | null,
  signal: AbortSignal,
): Promise<PlayerTest> {
  const tests: PlayerTest[] = [];
  for (let inner = segment; inner !== null; inner = inner.players?.segment ?? null) {
    for (const condition of inner.event_conditions) {
      tests.push(await createEventTest(database, selection, condition, signal));
    }
    if (inner.cell !== null) {
      tests.push(await createCellTest(database, selection, inner.cell, signal));
    }
  }
  return (high, low) => tests.every((test) => test(high, low));
}

async function createEventTest(
  database: ExploreDatabase,
  selection: EventSelection,
  { events, did, at_least }: EventCondition,
  signal: AbortSignal,
): Promise<PlayerTest> {
  const numbers = createPlayerNumbers();
  let counts = new Uint32Array(1 << 12);
  const scan: Scan = {
    names: [events.event_name],
    choices: [events],
    columns: { players: numbers.numberOf },
    onEvents({ count, players }) {
      for (let index = 0; index < count; index++) {
        const player = players[index]!;
        counts = makeRoom(counts, player);
        counts[player]!++;
      }
    },
  };
  await scanEvents(database, selection, [scan], signal);
  return (high, low) => {
    const player = numbers.find(high, low);
    return (player !== -1 && counts[player]! >= at_least) === did;
  };
}
