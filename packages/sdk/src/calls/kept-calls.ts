import { listOthers, makeQueue, takeOver } from '../events/queue.ts';
import type { EventQueue } from '../events/queue.ts';
import { createQueueLocks } from '../events/queue-locks.ts';
import {
  checkEnabled,
  lacksLogin,
  makeStoreFailure,
  mayPassLater,
  OverworldError,
} from '../http/error.ts';
import { platform, startTimer } from '../http/platform.ts';
import { backOff, MAX_ATTEMPTS } from '../http/transport.ts';
import { createTurns } from './turns.ts';
import { parseKept } from '../stores/kept-store.ts';
import type { SharedParts } from '../shared-parts.ts';

/** A call that is kept in the store until the server has answered it. */
export interface KeptCall {
  kind: 'scores' | 'unlocks' | 'saves';
  player_id: string;
  /**
   * The board, achievement or slot. A later call with the same target replaces earlier calls that have
   * failed. It does not replace a save from before a restart of the game, because the restarted game may not
   * know that save.
   */
  target: string;
}

/**
 * Sends a kept call to the server.
 * @param given The argument that the caller passed; undefined for a call that was made before a restart of
 * the game.
 * @param isAwaited True if a caller in the game waits for the result.
 */
export type MakeCall = (call: KeptCall, given: unknown, isAwaited: boolean) => Promise<unknown>;

/**
 * The waiting scores, unlocks and saves. Calls of a kind are sent in order. Calls that do not reach the
 * server are sent later, also after a restart, if the store has them. To send a call twice has the same
 * effect as to send it once. A call is sent as the player who made it, and waits for the login of this player
 * if the server asks for one.
 */
export interface KeptCalls {
  /** Number of calls that wait. */
  readonly length: number;
  /**
   * @throws OverworldError with `isKept` if the call is in the store and will be sent later. Without `isKept`
   * the call is forgotten.
   */
  make<Result>(call: KeptCall, given: object): Promise<Result>;
  /** Tries to send the earlier calls of a kind, and then runs a function, even if they could not be sent. */
  after<Result>(kind: KeptCall['kind'], run: () => Promise<Result>): Promise<Result>;
  /**
   * Finds the last waiting call for the player and the target; with `isAny`, also a call that is being sent.
   */
  findCall(like: KeptCall, isAny?: boolean): KeptCall | undefined;
  /** Removes the calls that wait for the player and the target. */
  erase(like: KeptCall): void;
  /**
   * Runs a function that erases a player while no call is sent, because a call would make the player again.
   * Then removes all calls of the player.
   */
  erasePlayer(player_id: string, run: () => Promise<unknown>): Promise<void>;
  /** Starts, and sends the calls that were left before a restart of the game. */
  open(): void;
  /** Sends all calls. @returns true if no call is left. */
  flush(): Promise<boolean>;
  close(): Promise<void>;
}

interface Entry {
  /** The queue of this client, or a queue that another client has left. */
  queue: EventQueue;
  number: number;
  call: KeptCall;
  given: object | undefined;
  /** Earlier calls that this one makes needless. The store has them until it has this one. */
  replaced: Entry[];
  /** True if a caller waits for the outcome. */
  isAwaited: boolean;
  /** The reason why the client has given the call up. */
  failure?: OverworldError;
}

const MAX_CALLS = 200;
const MAX_CHARACTERS = 1_000_000;
const LONGEST_BACK_OFF_MS = 60_000;
/**
 * Limits of all calls end within a minute. If a call is refused for longer, the limit is about its board or
 * player, so other calls go on.
 */
const LONGEST_COMMON_LIMIT_MS = 60_000;

export function createKeptCalls(
  { store, names, tell }: SharedParts,
  isEnabled: () => boolean,
  player: { readonly id: string },
  make: { [kind in KeptCall['kind']]: MakeCall },
): KeptCalls {
  const prefix = `${names.prefix}calls:`;
  const kinds = Object.keys(make) as KeptCall['kind'][];
  const locks = createQueueLocks(store);
  const queue = makeQueue(store, prefix);
  const entries = new Set<Entry>();
  const turns = createTurns();
  /** The players whose calls wait until they log in. */
  const absent = new Set<string>();
  let adopting = Promise.resolve();
  let failures = 0;
  let timer: ReturnType<typeof startTimer> | undefined;
  /** The own queue, and the queues that were taken over. Their locks are held until this client closes. */
  const queues = [queue];

  const list = (like: KeptCall, isAny?: boolean) =>
    [...entries].filter(
      ({ call, isAwaited }) => (isAny || !isAwaited) && keyOf(call) === keyOf(like),
    );
  const discard = (entry: Entry) => {
    entries.delete(entry);
    void entry.queue.discard(entry.number);
    entry.replaced.splice(0).forEach(discard);
  };
  /** @param from The queue that already has the call under `number`. */
  const add = (
    call: KeptCall,
    given: Entry['given'],
    from = queue,
    number = queue.append(JSON.stringify(call)),
  ) => {
    const kept = list(call);
    const replaced: Entry[] = [];
    const scores = [call, ...kept.map((entry) => entry.call)].map(scoreOf);
    for (const entry of kept) {
      const score = scoreOf(entry.call);
      // A board needs only the best score, which is the highest or the lowest.
      const isBest =
        score !== scores[0] && (score === Math.min(...scores) || score === Math.max(...scores));
      const isOfEarlierStart = !entry.given;
      const isNeeded = call.kind === 'scores' ? isBest : call.kind === 'saves' && isOfEarlierStart;
      if (isNeeded) continue;
      entries.delete(entry);
      replaced.push(entry);
    }
    const added = { queue: from, number, call, given, replaced, isAwaited: !!given };
    entries.add(added);
    void from.written([number]).then((isStored) => {
      if (isStored) replaced.splice(0).forEach(discard);
    });
    const lengthOf = (entry: Entry) => entry.queue.waiting.get(entry.number)!.length;
    let characters = [...entries].reduce((sum, entry) => sum + lengthOf(entry), 0);
    for (const entry of entries) {
      if (entries.size <= MAX_CALLS && characters <= MAX_CHARACTERS) break;
      characters -= lengthOf(entry);
      discard(entry);
      entry.failure = new OverworldError('Too many calls wait', 'queue_full');
      tell.fail(entry.failure);
    }
    return added;
  };

  const inTurn = <Result>(kind: string, run: () => Promise<Result>) =>
    turns(kind, () => adopting.then(run));
  /**
   * Sends the waiting calls of a kind in order. Stops after `last`, or before a call for which another caller
   * waits.
   */
  const send = async (kind: KeptCall['kind'], last?: Entry) => {
    /** The refusals that are only about one board, by the key of its calls. */
    const refusals = new Map<string, OverworldError>();
    for (const entry of entries) {
      const { call } = entry;
      if (call.kind !== kind) continue;
      // Another caller waits for this entry, and sends it in its own turn later.
      if (entry.isAwaited && entry !== last) return;
      const { player_id } = call;
      const isOfOther = entry !== last && player_id !== player.id;
      if (isOfOther && absent.has(player_id)) continue;
      try {
        const refusal = refusals.get(keyOf(call));
        if (refusal) throw refusal;
        const result = await make[kind](call, entry.given, entry === last);
        failures = 0;
        discard(entry);
        if (entry === last) return result;
      } catch (error) {
        const failure = error as OverworldError;
        if (!mayPassLater(failure)) {
          discard(entry);
          if (entry === last) throw failure;
          tell.fail(failure);
          continue;
        }
        if (isOfOther && lacksLogin(failure)) {
          absent.add(player_id);
          failure.isKept = true;
          tell.fail(failure);
          continue;
        }
        const { code, retryAfterMs = 0 } = failure;
        const isOfBoard = code === 'rate_limited' && retryAfterMs > LONGEST_COMMON_LIMIT_MS;
        // The wait for one board does not put off the other calls.
        if (!isOfBoard || !timer) {
          const delay_ms = backOff(++failures + MAX_ATTEMPTS, LONGEST_BACK_OFF_MS);
          platform.clearTimeout(timer);
          const retry = () => {
            timer = undefined;
            void sendAll();
          };
          timer = startTimer(retry, Math.max(retryAfterMs, delay_ms));
        }
        if (isOfBoard && entry !== last) {
          refusals.set(keyOf(call), failure);
          continue;
        }
        if (!last) throw failure;
        last.isAwaited = false;
        failure.isKept = await last.queue.written([last.number]);
        if (failure.isKept) throw failure;
        for (const earlier of last.replaced.splice(0)) {
          // An earlier call that was on its way may have been answered meanwhile.
          if (earlier.queue.waiting.has(earlier.number)) entries.add(earlier);
        }
        discard(last);
        throw store.lower ? makeStoreFailure(failure) : failure;
      }
    }
    if (last) throw last.failure!;
  };
  const after = async <Result>(kind: KeptCall['kind'], run: () => Promise<Result>) =>
    inTurn(kind, async () => {
      await send(kind).catch(() => undefined);
      return run();
    });
  const sendAll = async () => {
    for (const kind of kinds) await after(kind, async () => undefined);
  };
  const others = () => listOthers(store, [prefix], [queue]);
  /** Takes over the calls that closed or crashed clients left. */
  const adopt = () =>
    takeOver(store, locks, others, async (other) => {
      queues.push(other);
      for (const [number, text] of other.waiting) {
        const call = parseKept<KeptCall>(text);
        if (call && call.kind in make) add(call, undefined, other, number);
        else await other.discard(number);
      }
      return true;
    }).catch(tell.fail);

  return {
    get length() {
      return entries.size;
    },
    async make<Result>(call: KeptCall, given: object) {
      checkEnabled(isEnabled);
      // The server would refuse it, and it would take the room of all others.
      if (JSON.stringify(call).length > MAX_CHARACTERS) {
        throw new OverworldError('The call is too large', 'too_large');
      }
      const entry = add(call, given);
      return inTurn(call.kind, () => send(call.kind, entry)) as Promise<Result>;
    },
    after,
    findCall: (like, isAny) => list(like, isAny).at(-1)?.call,
    erase: (like) => list(like).forEach(discard),
    async erasePlayer(player_id, run) {
      checkEnabled(isEnabled);
      const erase = async () => {
        await run();
        for (const entry of [...entries].filter(({ call }) => call.player_id === player_id)) {
          discard(entry);
          entry.failure = new OverworldError('Player not found', 'not_found');
        }
      };
      await kinds.reduce((next, kind) => () => inTurn(kind, next), erase)();
    },
    open() {
      void locks.take(queue.name);
      adopting = adopt();
      void sendAll();
    },
    async flush() {
      await (adopting = adopting.then(adopt));
      await sendAll();
      return entries.size === 0;
    },
    async close() {
      platform.clearTimeout(timer);
      for (const each of queues) {
        await each.written();
        await locks.release(each.name);
      }
    },
  };
}

/** Returns the same key for all calls about the same board, achievement or slot of a player. */
export const keyOf = ({ kind, player_id, target }: KeptCall) => `${kind} ${player_id} ${target}`;

const scoreOf = (call: KeptCall) => (call as { body?: { score?: number } }).body?.score ?? 0;
