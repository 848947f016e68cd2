import { MAX_SHARE_PER_MINUTE } from '@overworld/contract/games/shares';
import type { getShares } from '@overworld/contract/games/shares';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Month, Traffic } from './traffic.ts';

type Suggested = Omit<SuccessOf<typeof getShares>['suggested'], 'monthly_events_percent'>;

/**
 * The lowest suggestions. They suit a game that sends a batch of events every few seconds and sometimes
 * saves.
 */
const LEAST_REQUESTS = 120;
const LEAST_EVENTS = 600;
/** The number of players behind one IP address, as in a school. */
const PLAYERS_OF_A_NETWORK = 10;

/** Suggests limits that hold back a flood. Honest players with this traffic stay far below these limits. */
export function suggestShares(
  { busy_minute_events, busy_minute_requests }: Traffic,
  key_requests_per_minute: number,
): Suggested {
  const player_requests_per_minute = tenfold(busy_minute_requests, LEAST_REQUESTS);
  return {
    player_requests_per_minute,
    network_requests_per_minute: Math.max(
      player_requests_per_minute,
      Math.min(
        PLAYERS_OF_A_NETWORK * player_requests_per_minute,
        Math.floor(key_requests_per_minute / 2),
      ),
    ),
    player_events_per_minute: tenfold(busy_minute_events, LEAST_EVENTS),
  };
}

/**
 * Suggests twice the percentage that development has used this month, rounded up to tens, but at least 20.
 */
export const suggestPercent = ({ used, quota }: Month): number =>
  Math.min(100, Math.max(20, 10 * Math.ceil((20 * used) / quota)));

const tenfold = (busy: number | null, least: number): number =>
  Math.min(MAX_SHARE_PER_MINUTE, Math.max(least, 10 * (busy ?? 0)));
