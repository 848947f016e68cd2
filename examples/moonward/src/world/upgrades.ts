/**
 * An upgrade, which is bought with pollen. Levels begin at 0; `costs` has the price of each further
 * level.
 */
interface Upgrade {
  key: UpgradeKey;
  name: string;
  description: string;
  costs: readonly number[];
}

export type UpgradeKey = 'antennae' | 'scent' | 'wings' | 'second_wind';
export type UpgradeLevels = Record<UpgradeKey, number>;

export const UPGRADES: readonly Upgrade[] = [
  {
    key: 'antennae',
    name: 'Long antennae',
    description: 'Feel lamps from farther away',
    costs: [15, 40, 80],
  },
  {
    key: 'scent',
    name: 'Sweet scent',
    description: 'Pollen drifts towards you',
    costs: [10, 30, 60],
  },
  {
    key: 'wings',
    name: 'Silk wings',
    description: 'Set off higher above the dawn',
    costs: [20, 50, 90],
  },
  {
    key: 'second_wind',
    name: 'Second wind',
    description: 'When the dawn takes you, it throws you up instead: once a night',
    costs: [100],
  },
];

export const NO_UPGRADES: UpgradeLevels = { antennae: 0, scent: 0, wings: 0, second_wind: 0 };

/** The pollen that the player has paid for these levels. */
export function costOf(levels: UpgradeLevels): number {
  let cost = 0;
  for (const { key, costs } of UPGRADES) {
    for (const step of costs.slice(0, levels[key])) cost += step;
  }
  return cost;
}

/** The price of the next level; null at the last level. */
export const nextCost = ({ key, costs }: Upgrade, levels: UpgradeLevels): number | null =>
  costs[levels[key]] ?? null;
