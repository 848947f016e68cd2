import * as contract from '@overworld/contract/analytics/revenue-settings';
import { changeGame } from '../../platform/game-change.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { revenueSettingsKind } from './definition-kind.ts';
import { readSettings } from './read-settings.ts';
import { readPayers } from './payers.ts';
import { listPurchaseUses } from './purchase-uses.ts';
import type { RequireSameCurrency } from './same-currency.ts';
import { findRevenueSettings, upsertRevenueSettings } from './store.ts';
import { suggestPurchases } from './suggestions.ts';

/** @returns the settings and the payers of games, for other features. */
export function mountRevenueSettings(api: Api, requireSameCurrency: RequireSameCurrency) {
  api.uses.add(listPurchaseUses);
  api.definitions.add(revenueSettingsKind(requireSameCurrency));

  implement(api, contract.getRevenueSettings, async ({ params, database }) => ({
    settings: await findRevenueSettings(database, params.game_id),
  }));

  implement(
    api,
    contract.putRevenueSettings,
    async ({ params: { game_id }, body, actor, database }) => {
      const settings = readSettings(body);
      await changeGame(database, { game_id, actor }, async (tx, record) => {
        const from = await findRevenueSettings(tx, game_id);
        await requireSameCurrency(tx, game_id, from, settings);
        await upsertRevenueSettings(tx, game_id, settings);
        await record('put_revenue_settings', settings.event_name, {
          from: withoutRates(from),
          to: withoutRates(settings),
        });
      });
      return settings;
    },
  );

  implement(api, contract.getRevenueSuggestions, ({ params, query, read }) => {
    const tenant = { ...params, environment: query.environment };
    return read((database) => suggestPurchases(database, tenant, query.event_name));
  });
  return { findRevenueSettings, readPayers };
}

/** Replaces the rates by their number for the audit log, because there may be two thousand rates. */
const withoutRates = (settings: contract.RevenueSettings | null) =>
  settings && { ...settings, rates: settings.rates.length };
