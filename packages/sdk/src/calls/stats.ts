import type { ChangedStats, Stat } from '../answers.ts';
import { makeId } from '../http/platform.ts';
import type { Transport } from '../http/transport.ts';
import type { KeptCall, KeptCalls } from './kept-calls.ts';
import type { Player } from './player.ts';

/** Statistics: numbers of the player, which the dashboard defines. */
export interface Stats {
  /**
   * Changes statistics of the player, all or none: adds to a `sum`, or gives a value that the player has
   * reached. Without a network, throws an error with `isKept`, and sends the changes later. They are made once.
   * @returns the new values by their keys.
   * @example
   * const { coins } = await overworld.stats.change({ coins: -30, lanterns: 1 });
   */
  change(changes: { [key: string]: number }): Promise<{ [key: string]: number }>;
  /**
   * Lists all statistics, with the values of the player.
   * @example const stats = await overworld.stats.list();
   */
  list(): Promise<Stat[]>;
}

/** Changes that are kept until they can be sent. The `target` is their idempotency key. */
interface StatCall extends KeptCall {
  changes: { key: string; value: number }[];
}

export const createStats = (transport: Transport, player: Player, kept: KeptCalls): Stats => {
  kept.makers.stats = (call) => {
    const { player_id, target } = call;
    const body = { player_id, changes: (call as StatCall).changes };
    const headers = { 'idempotency-key': target };
    return transport.ask<ChangedStats>('stats', 'stats', { body, headers }, player_id);
  };
  return {
    change: async (values) => {
      const changes = Object.entries(values).map(([key, value]) => ({ key, value }));
      const player_id = await player.get();
      const call: StatCall = { kind: 'stats', player_id, target: makeId(), changes };
      const { stats } = await kept.make<ChangedStats>(call);
      return Object.fromEntries(stats.map(({ key, value }) => [key, value]));
    },
    list: async () => {
      const player_id = await player.get();
      const query = { player_id };
      type Listed = { stats: Stat[] };
      return (await transport.ask<Listed>('stats', 'stats', { query }, player_id)).stats;
    },
  };
};
