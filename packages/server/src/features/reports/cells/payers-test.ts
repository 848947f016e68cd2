import { CURRENCIES, isConvertible } from '@overworld/contract/analytics/currencies';
import { readPurchases } from '../revenue/purchases.ts';
import { packedTime } from '../scan/packet.ts';
import type { CellTest } from './player-test.ts';

/** Makes the function that tells whether a player is among the payers whom a revenue report counts. */
export const testPayers: CellTest = async (database, input, signal) => {
  const { asked, starts_at, ends_at } = input;
  const settings = input.settings!;
  const calendar = {
    days: [asked.from],
    starts: Float64Array.of(packedTime(starts_at), packedTime(ends_at)),
    range: { first: 0, last: 0 },
  };
  const { all, player_count, findPlayer } = await readPurchases(
    database,
    input,
    { settings, calendar, groupOf: () => -1, group_count: 0 },
    signal,
  );
  const is_counted = CURRENCIES.map((code) =>
    asked.currency === undefined
      ? settings.report_currency === null || isConvertible(settings, code)
      : code === asked.currency,
  );
  const has_paid = new Uint8Array(player_count);
  all.players.forEach((player, index) => {
    if (is_counted[all.currency_places[index]!]) has_paid[player] = 1;
  });
  return (high, low) => {
    const player = findPlayer(high, low);
    return player !== -1 && has_paid[player] === 1;
  };
};
