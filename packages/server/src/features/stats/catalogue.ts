import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { WritesFrom } from '@overworld/contract/players/verification';
import type { Condition } from '../../platform/property-conditions.ts';

/** The events that move a statistic. */
export interface StatSource {
  event_name: string;
  conditions: Condition[];
  /** The property whose numbers count; null to count the events. */
  property: string | null;
}

/** A statistic as staff define it. */
export interface DefinedStat {
  key: string;
  name: string;
  description: string;
  aggregation: Aggregation;
  minimum: number | null;
  maximum: number | null;
  max_change: number | null;
  writes_from: WritesFrom;
  /** Null for a statistic that calls change. */
  source: StatSource | null;
  archived: boolean;
}

/** The value of a player. */
export interface PlayerStat {
  key: string;
  value: number;
  changed_at: string;
}

/**
 * Prepares a game's statistics for calls of games. A list of a player's statistics then only joins texts.
 * @param stats The statistics in the order of the list.
 */
export function createCatalogue(stats: readonly DefinedStat[]) {
  const shown = stats.filter(({ archived }) => !archived);
  const entries = shown.map(({ key, name, aggregation }) => ({
    key,
    // The text lacks the closing brace, because the value of the player is added at the end.
    text: JSON.stringify({ key, name, aggregation }).slice(0, -1),
  }));
  return {
    /** The statistics that can be changed, by key. */
    stats: new Map(shown.map((stat) => [stat.key, stat])) as ReadonlyMap<string, DefinedStat>,
    /** Makes the list of a player as JSON text. */
    listForPlayer(values: readonly PlayerStat[]): string {
      const found = new Map(values.map((value) => [value.key, value]));
      const texts = entries.map(({ key, text }) => {
        const { value = null, changed_at = null } = found.get(key) ?? {};
        const at = changed_at === null ? 'null' : `"${changed_at}"`;
        return `${text},"value":${value},"updated_at":${at}}`;
      });
      return `{"stats":[${texts.join(',')}]}`;
    },
  };
}

/** A game's statistics, prepared for calls of games. */
export type Catalogue = ReturnType<typeof createCatalogue>;
