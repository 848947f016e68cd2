import type { KeyCaller } from '../auth/api-keys.ts';
import { usedUp } from '../errors.ts';
import { refuseLate } from '../http/admission.ts';
import type { Exchange } from '../http/exchange.ts';
import { networkOf } from '../network/network-address.ts';
import type { PlayerCall } from '../players/player-call.ts';
import type { WindowCount } from '../workers/counts/window-counts.ts';
import type { CountedBy, Counter, RateLimiter } from './rate-limit.ts';

interface NamingEvent {
  player_id?: string | null;
}

/**
 * The maximum number of `things` per minute for one player or one network. The error message contains all
 * three fields.
 */
interface Share {
  kind: CountedBy & ('player' | 'network');
  limit: number;
  things: 'requests' | 'events';
}

export function createShareCounts(options: {
  counter: Counter;
  limiter: Pick<RateLimiter, 'takeBack'>;
  /** Called for each refusal, so that metrics can count it. */
  onRefused: (kind: CountedBy) => void;
}) {
  const { counter, limiter, onRefused } = options;

  const hold = (exchange: Exchange, share: Share, counted: WindowCount): void | Promise<void> => {
    const { kind, limit } = share;
    if (counted.count <= limit) return;
    onRefused(kind);
    limiter.takeBack(exchange);
    const error = shareUsedUp(share, Math.ceil(counted.left_ms / 1_000));
    if (counted.count <= 2 * limit) throw error;
    // A caller far beyond the limit gets the refusal late, to slow down a flood.
    exchange.endWork();
    return refuseLate(error);
  };

  const count = (
    exchange: Exchange,
    share: Share,
    name: string,
    amount = 1,
  ): void | Promise<void> => {
    const counting = counter.add(name, amount);
    if (!(counting instanceof Promise)) return hold(exchange, share, counting);
    return counting.then((counted) => hold(exchange, share, counted));
  };

  return {
    /** Counts a call for its network. Called before the call is counted for its key. @throws ApiError 429. */
    countNetwork(exchange: Exchange, { key_id, shares }: KeyCaller): void | Promise<void> {
      const limit = shares?.network_requests_per_minute ?? null;
      if (limit === null) return;
      const share: Share = { kind: 'network', limit, things: 'requests' };
      return count(exchange, share, `network ${key_id} ${networkOf(exchange.ip)}`);
    },
    /** Counts a call for its player. @throws ApiError 429. */
    countPlayer(call: PlayerCall, player_id: string): void | Promise<void> {
      const limit = call.caller.shares?.player_requests_per_minute ?? null;
      if (limit === null) return;
      const share: Share = { kind: 'player', limit, things: 'requests' };
      return count(call.exchange, share, `requests ${nameOf(call, player_id)}`);
    },
    /** Counts events for the players whom the events name. @throws ApiError 429. */
    async countEvents(call: PlayerCall, events: readonly NamingEvent[]) {
      const limit = call.caller.shares?.player_events_per_minute ?? null;
      if (limit === null) return;
      const share: Share = { kind: 'player', limit, things: 'events' };
      const amounts = new Map<string, number>();
      for (const { player_id } of events) {
        if (typeof player_id !== 'string') continue;
        amounts.set(player_id, (amounts.get(player_id) ?? 0) + 1);
      }
      const counting = Array.from(amounts, async ([player_id, amount]) =>
        count(call.exchange, share, `events ${nameOf(call, player_id)}`, amount),
      );
      await Promise.all(counting);
    },
  };
}

/**
 * Counts the calls and events of each network and each player, for games that have set a share: the
 * maximum number per minute for one network or one player. Calls beyond a share are refused. A refused
 * call still counts towards the share, but not towards the limit of its key. `countNetwork` and
 * `countPlayer` return a promise only if the counts are in Redis or the refusal is delayed.
 */
export type ShareCounts = ReturnType<typeof createShareCounts>;

/**
 * Returns the name of a player's count. Calls with a player token are counted separately from calls
 * without one. Otherwise somebody without the token could use up the player's share.
 */
const nameOf = ({ caller, player_id: own }: PlayerCall, player_id: string): string =>
  `${own === null ? 'named' : 'verified'} ${caller.game_id} ${caller.environment} ${player_id}`;

function shareUsedUp({ kind, limit, things }: Share, reset_s: number) {
  const sender = kind === 'player' ? 'This player has' : 'With this key, your network has';
  const message = `${sender} sent more than the limit of ${limit} ${things} a minute, retry in 60 seconds`;
  return usedUp(message, limit, reset_s);
}
