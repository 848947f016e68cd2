import type { SubmittedScore } from '../answers.ts';
import { parseKept } from '../stores/kept-store.ts';
import type { EventQueue } from '../events/queue.ts';
import { backOff, MAX_ATTEMPTS } from '../http/transport.ts';
import { createTimer } from '../http/timer.ts';
import { listOthers, makeQueue, takeOver } from '../events/queue.ts';
import { createTurns } from './turns.ts';
import {
  checkEnabled,
  lacksLogin,
  makeStoreFailure,
  mayPassLater,
  OverworldError,
} from '../http/error.ts';
import type { SharedParts } from '../shared-parts.ts';

/** A call that is kept in the store until the server has answered it. */
export interface KeptCall {
  kind: 'scores' | 'stats' | 'unlocks' | 'saves';
  player_id: string;
  /**
   * The board, achievement or slot, or the idempotency key of changes of statistics. A later unlock or save with
   * the same target replaces earlier ones that have failed. It does not replace a save from before a restart of the
   * game, because the restarted game may not know that save.
   */
  target: string;
}

/**
 * Sends a kept call to the server.
 * @param isAwaited True if a caller in the game waits for the result.
 */
export type MakeCall = (call: KeptCall, isAwaited: boolean) => Promise<unknown>;

/**
 * The waiting scores, changes of statistics, unlocks and saves. Calls of a kind are sent in order. Calls that do
 * not reach the server are sent later, also after a restart, if the store has them. To send a call twice has the
 * same effect as to send it once. A call is sent as the player who made it, and waits for the login of this
 * player if the server asks for one.
 */
export interface KeptCalls {
  /** Number of calls that wait. */
  readonly length: number;
  /** How the calls of each kind are sent. The part of each kind sets its own function. */
  readonly makers: { [kind in KeptCall['kind']]?: MakeCall };
  /**
   * @throws OverworldError with `isKept` if the call is in the store and will be sent later. Without `isKept`
   * the call is forgotten.
   */
  make<Result>(call: KeptCall): Promise<Result>;
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

export const createKeptCalls = (
  parts: SharedParts,
  isEnabled: () => boolean,
  player: { readonly id: string },
): KeptCalls => {
  const { store, names, tell, absent } = parts;
  const prefix = `${names.prefix}calls:`;
  const queue = makeQueue(parts, prefix);
  const entries = new Set<Entry>();
  const turns = createTurns();
  const makers: KeptCalls['makers'] = {};
  const listKinds = () => Object.keys(makers) as KeptCall['kind'][];
  let adopting = Promise.resolve();
  let failures = 0;
  const timer = createTimer(() => void sendAll());
  /** The own queue, and the queues that were taken over. Their locks are held until this client closes. */
  const queues = [queue];

  const list = (like: KeptCall, isAny?: boolean) =>
    [...entries].filter(
      ({ call, isAwaited }) => (isAny || !isAwaited) && keyOf(call) === keyOf(like),
    );
  const discard = (entry: Entry) => {
    entries.delete(entry);
    void entry.queue.erase(entry.number);
    entry.replaced.splice(0).forEach(discard);
  };
  /**
   * Tells whether a waiting score is needless if its board keeps the best one: the highest or the lowest, of which
   * tie values decide among several.
   */
  const isNeedless = (entry: Entry) => {
    const { kind, score, body } = entry.call as ScoreCall;
    const all = list(entry.call, true);
    const scores = all.map(({ call }) => (call as ScoreCall).score);
    const isBest = [Math.min(...scores), Math.max(...scores)].includes(score);
    const isNeeded =
      isBest && ('tie_value' in body || scores.indexOf(score) === all.indexOf(entry));
    return kind === 'scores' && !entry.isAwaited && !isNeeded;
  };
  const isFull = () => {
    let characters = 0;
    for (const entry of entries) characters += entry.queue.waiting.get(entry.number)!.length;
    return entries.size > MAX_CALLS || characters > MAX_CHARACTERS;
  };
  /** @param from The queue that has the call under `number`. */
  const add = (call: KeptCall, from: EventQueue, number: number) => {
    const replaced: Entry[] = [];
    for (const entry of list(call)) {
      // Some boards count each score.
      if (call.kind === 'scores' || (call.kind === 'saves' && entry.queue !== queue)) continue;
      entries.delete(entry);
      replaced.push(entry);
    }
    const added = { queue: from, number, call, replaced, isAwaited: from === queue };
    entries.add(added);
    void from.written([number]).then((isStored) => {
      if (isStored) replaced.splice(0).forEach(discard);
    });
    while (isFull()) {
      const all = [...entries];
      const entry = all.find(isNeedless) ?? all[0]!;
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
        const result = await makers[kind]!(call, entry === last);
        failures = 0;
        if (!(result as SubmittedScore).keeps) list(call).filter(isNeedless).forEach(discard);
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
        if (!isOfBoard || !timer.isSet()) {
          timer.start(backOff(++failures + MAX_ATTEMPTS, LONGEST_BACK_OFF_MS, failure));
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
  const after = <Result>(kind: KeptCall['kind'], run: () => Promise<Result>) =>
    inTurn(kind, () =>
      send(kind)
        .catch(() => undefined)
        .then(run),
    );
  const sendAll = async () => {
    for (const kind of listKinds()) await after(kind, async () => undefined);
  };
  const others = () => listOthers(store, [prefix], [queue]);
  /** Takes over the calls that closed or crashed clients left. */
  const adopt = () =>
    takeOver(parts, others, async (other) => {
      queues.push(other);
      for (const [number, text] of other.waiting) {
        const call = parseKept<KeptCall>(text);
        if (call && call.kind in makers) add(call, other, number);
        else await other.erase(number);
      }
      return true;
    }).catch(tell.fail);

  return {
    makers,
    get length() {
      return entries.size;
    },
    make: async <Result>(call: KeptCall) => {
      checkEnabled(isEnabled);
      const text = JSON.stringify(call);
      // The server would refuse it, and it would take the room of all others.
      if (text.length > MAX_CHARACTERS) {
        throw new OverworldError('The call is too large', 'too_large');
      }
      const entry = add(call, queue, queue.append(text));
      return inTurn(call.kind, () => send(call.kind, entry)) as Promise<Result>;
    },
    after,
    findCall: (like, isAny) => list(like, isAny).at(-1)?.call,
    erase: (like) => list(like).forEach(discard),
    erasePlayer: async (player_id, run) => {
      checkEnabled(isEnabled);
      const erase = async () => {
        await run();
        for (const entry of [...entries].filter(({ call }) => call.player_id === player_id)) {
          discard(entry);
          entry.failure = new OverworldError('Player not found', 'not_found');
        }
      };
      await listKinds().reduce((next, kind) => () => inTurn(kind, next), erase)();
    },
    open: () => {
      adopting = adopt();
      void sendAll();
    },
    flush: async () => {
      await (adopting = adopting.then(adopt));
      await sendAll();
      return entries.size === 0;
    },
    close: async () => {
      timer.stop();
      for (const each of queues) await each.leave();
    },
  };
};

/** Returns the same key for all calls about the same board, achievement or slot of a player. */
export const keyOf = ({ kind, player_id, target }: KeptCall) => `${kind} ${player_id} ${target}`;

/** A submit, as far as this file knows it. */
interface ScoreCall extends KeptCall {
  score: number;
  body: object;
}
