import type { PlayerSlices, SliceCall } from '../../platform/reports/player-slices.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { readPlayerChoice } from './request/players-request.ts';
import type { ChoiceServices } from './request/players-request.ts';
import type { SliceInput, SliceResult } from './players/slice-input.ts';
import type { Explorer } from './thread/explorer.ts';

/**
 * Makes the service that reads reports on some of the players. The rows of such a report are computed in the
 * thread that makes reports.
 */
export function createPlayerSlices(
  services: ChoiceServices & {
    explorer: Explorer;
    /** Waits until all events that have been acknowledged so far can be read. */
    waitForInbox(tenant: Tenant): Promise<void>;
  },
): PlayerSlices {
  const { explorer, waitForInbox } = services;
  return {
    async read(kind, input, { tenant, range, query, owner, signal, onShare }: SliceCall) {
      const params = { game_id: tenant.game_id };
      const choice = await readPlayerChoice({ params, query }, services);
      if (choice === null) return null;
      await waitForInbox(tenant);
      const { from, to, time_zone, starts_at, ends_at } = range;
      const days = { from, to, time_zone, starts_at, ends_at };
      const job = { ...tenant, ...days, choice, ...input } as SliceInput;
      const made = await explorer.report(`slice_${kind as 'active_days'}`, job, {
        owner,
        signal,
        onShare,
      });
      const { total, groups, name_count } = made as unknown as SliceResult<typeof kind>;
      return { total: choice.players === null ? null : total, groups, name_count };
    },
  };
}
