import type { Environment } from '@overworld/contract/common';
import type { ArchiveLine, TableLine } from '../archive/format.ts';
import type { SimulationSettings } from './simulation.ts';

export interface DemoGame extends SimulationSettings {
  game_id: string;
  name: string;
  owner_email: string;
  key_ids: Record<Environment, string>;
}

/** A moment as the importer takes it. */
export const at = (time: number) => new Date(time).toISOString();

/** Starts a table of the archive. */
export const table = (
  name: string,
  columns: string[],
  partitions: TableLine['partitions'] = [],
): ArchiveLine => ({ table: name, columns, partitions });
