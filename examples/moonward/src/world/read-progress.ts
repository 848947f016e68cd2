import { NO_PROGRESS } from './progress.ts';
import type { Progress, TabTallies } from './progress.ts';
import { UPGRADES } from './upgrades.ts';
import type { UpgradeLevels } from './upgrades.ts';

/**
 * Reads progress from stored JSON. People edit saves, also in the dashboard. Missing and invalid values
 * are ignored, so every save lets the game start.
 */
export function readProgress(stored: unknown): Progress {
  const data = asObject(stored);
  const name = asObject(data.name);
  const best = asObject(data.best);
  const bought = asObject(data.upgrades);
  const upgrades: UpgradeLevels = { ...NO_PROGRESS.upgrades };
  for (const { key, costs } of UPGRADES) {
    upgrades[key] = Math.min(asCount(bought[key]), costs.length);
  }
  return {
    name: { text: asText(name.text), chosen_at: asText(name.chosen_at) },
    tallies: Object.fromEntries(
      Object.entries(asObject(data.tallies)).map(([tab, one]) => [tab, readTallies(one)]),
    ),
    upgrades,
    best: { score: asCount(best.score), height: asCount(best.height) },
    achievements: Array.isArray(data.achievements)
      ? data.achievements.filter((key) => typeof key === 'string')
      : [],
  };
}

function readTallies(stored: unknown): TabTallies {
  const { pollen, nights, lamps } = asObject(stored);
  return { pollen: asCount(pollen), nights: asCount(nights), lamps: asCount(lamps) };
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const asCount = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
