import type { Environment } from '@overworld/contract/common';
import type { ArchiveLine, ArchiveRow, TableLine } from '../../features/backups/archive/format.ts';
import type { SimulatedPlayer, SimulationSettings } from './simulation.ts';

export interface DemoMember {
  account_id: string;
  email: string;
}

export interface DemoGame extends SimulationSettings {
  game_id: string;
  name: string;
  owner: DemoMember;
  /** The second member, a developer. */
  developer: DemoMember;
  key_ids: Record<Environment, string>;
  experiment_ids: Record<'running' | 'ended', string>;
  webhook: { id: string; sealed_secret: string };
}

/** Writes a time in the format of an archive. */
export const at = (time: number) => new Date(time).toISOString();

/**
 * Makes the archive line that comes before the rows of a table.
 * @param columns The names of the columns, separated by commas as in SQL.
 */
export const table = (
  name: string,
  columns: string,
  partitions: TableLine['partitions'] = [],
): ArchiveLine => ({ table: name, columns: columns.split(/,\s+/), partitions });

/** A table with rows of players. Its first columns, which `columns` leaves out, are the player's key. */
export interface PlayerTable {
  name: string;
  columns: string;
  rows: (player: SimulatedPlayer, game: DemoGame) => Iterable<ArchiveRow>;
}
