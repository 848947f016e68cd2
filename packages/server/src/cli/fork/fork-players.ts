import { createHmac, randomBytes } from 'node:crypto';
import type { ArchiveRow } from '../../features/backups/archive/format.ts';
import { playerName } from '../demo/world.ts';

/** Numbers of this size are more often ids or phone numbers than amounts. */
const LARGE_NUMBER = 1_000_000_000;

/** The columns whose values are replaced, in each table with players. */
export const REPLACED_COLUMNS = [
  'player_id',
  'session_id',
  'player_name',
  'properties',
  'metadata',
] as const;

/** Changes a row in its place. Each value is a text in PostgreSQL's notation. */
type ReplaceInRow = (row: ArchiveRow) => void;

interface ReplacerOptions {
  /** The property with the names of players; null without one. */
  name_property: string | null;
  /** The properties that a fork takes over as they are. */
  kept_properties: readonly string[];
}

/**
 * Makes the functions that replace the data of people. Everywhere a player has the same new id and name. Both
 * are made with a random key that is stored nowhere, so nobody can compute them for a known player, not even
 * whoever makes the fork.
 */
export function createReplacer({ name_property, kept_properties }: ReplacerOptions) {
  const key = randomBytes(32);
  const kept = new Set(kept_properties);
  const digest = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest();
  const replaceId = (id: string) => `player-${digest('player', id).toString('hex', 0, 12)}`;
  const replaceSession = (id: string) => `session-${digest('session', id).toString('hex', 0, 12)}`;
  const replaceName = (id: string) => playerName(digest('name', id).readUInt32BE());

  /** Keeps numbers and true or false, and of all other values only those of the kept properties. */
  const filterProperties = (text: string, player_id: string | null): string => {
    const properties = JSON.parse(text) as Record<string, unknown>;
    const filtered: [string, unknown][] = [];
    for (const [name, value] of Object.entries(properties)) {
      const is_name = name === name_property && typeof value === 'string' && player_id !== null;
      if (is_name) filtered.push([name, replaceName(player_id)]);
      else if (kept.has(name) || isPlain(value)) filtered.push([name, value]);
    }
    return JSON.stringify(Object.fromEntries(filtered));
  };

  return {
    /** Makes the function for the rows of a table with these columns; null if it has no data of players. */
    forTable(columns: readonly string[]): ReplaceInRow | null {
      const [player_at, session_at, name_at, properties_at, metadata_at] = REPLACED_COLUMNS.map(
        (name) => columns.indexOf(name),
      ) as [number, number, number, number, number];
      if (player_at === -1) return null;
      return (row) => {
        const player_id = row[player_at]!;
        const change = (at: number, changed: (text: string) => string) => {
          const text = at === -1 ? null : row[at]!;
          if (text !== null) row[at] = changed(text);
        };
        change(session_at, replaceSession);
        change(name_at, () => replaceName(player_id!));
        change(properties_at, (text) => filterProperties(text, player_id));
        change(metadata_at, (text) => filterProperties(text, player_id));
        change(player_at, replaceId);
      };
    },
  };
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) < LARGE_NUMBER);
