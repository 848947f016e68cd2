import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { readSettings } from './read-settings.ts';
import type { RequireSameCurrency } from './same-currency.ts';
import { findRevenueSettings, upsertRevenueSettings } from './store.ts';

/** The meaning of a game's purchase event as a file. A game that has chosen no event has none. */
export function revenueSettingsKind(requireSameCurrency: RequireSameCurrency): DefinitionKind {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, _key, definition) => {
    const settings = definition as RevenueSettings;
    await requireSameCurrency(tx, game_id, await findRevenueSettings(tx, game_id), settings);
    await upsertRevenueSettings(tx, game_id, settings);
  };
  return {
    name: 'revenue_settings',
    async list(tx, game_id) {
      const settings = await findRevenueSettings(tx, game_id);
      return new Map<string, Definition>(settings === null ? [] : [['game', { ...settings }]]);
    },
    complete: (definition) => ({ ...readSettings(definition as Sent) }),
    requireRoom: () => Promise.resolve(),
    create: store,
    update: store,
  };
}

type Sent = Parameters<typeof readSettings>[0];
