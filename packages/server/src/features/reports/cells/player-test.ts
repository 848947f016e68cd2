import type { EventSelection } from '../scan/event-selection.ts';
import type { Cell } from '../players/player-choice.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/** Tells whether the player meets the conditions. `high` and `low` are the halves of the player id's hash. */
export type PlayerTest = (high: number, low: number) => boolean;

/** Makes the test for the players whom a cell, a number in a report, counts. */
export type CellTest = (
  database: ExploreDatabase,
  input: Cell & EventSelection,
  signal: AbortSignal,
) => Promise<PlayerTest>;
