import type { Tell } from '../events/callbacks.ts';
import { createQueue, listQueues, loadQueue } from '../events/queue.ts';
import { createQueueLocks } from '../events/queue-locks.ts';
import { mayPassLater, OverworldError } from '../http/error.ts';
import { listen, makeId, platform, startTimer } from '../http/platform.ts';
import { backOff, MAX_ATTEMPTS } from '../http/transport.ts';
import { parseKept } from '../stores/kept-store.ts';
import type { KeptStore } from '../stores/kept-store.ts';

/** A call that is kept in the store until the server has answered it. */
export interface KeptCall {
  kind: 'scores' | 'unlocks' | 'saves';
  player_id: string;
  /** The board, achievement or slot. A later call replaces earlier ones that have failed. */
  target: string;
}

/** Makes a kept call. `given` is undefined if an earlier start of the game kept it. */
export type MakeCall = (call: KeptCall, given: unknown) => Promise<unknown>;

/**
 * Scores, unlocks and saves. Each call is in the store before it is sent, calls of a kind are sent in
 * their order, and calls that do not reach the server are sent later, also after a restart. To make a
 * call twice has the effect of making it once.
 */
export interface KeptCalls {
  /** Number of calls that wait. */
  readonly length: number;
  /** @throws OverworldError with `isKept` if the call will be sent later. */
  make<Result>(call: KeptCall, given: object): Promise<Result>;
  /** Runs after the earlier calls of a kind, also if they wait for the network. */
  after<Result>(kind: KeptCall['kind'], run: () => Promise<Result>): Promise<Result>;
  /** The last call that waits for the player and the target; with `isAny` also one that is being made. */
  find(like: KeptCall, isAny?: boolean): KeptCall | undefined;
  /** Removes the calls that wait for the player and the target. */
  remove(like: KeptCall): void;
  /** Begins, and sends the calls that an earlier start left. */
  open(): void;
  /** Sends all calls. @returns whether none waits. */
  flush(): Promise<boolean>;
  close(): Promise<void>;
}

interface Entry {
  number: number;
  call: KeptCall | undefined;
  run: () => Promise<unknown>;
  /** The caller; undefined if the call was kept. */
  caller: { resolve(result: unknown): void; reject(error: unknown): void } | undefined;
}

const MAX_CALLS = 200;
const MAX_CHARACTERS = 1_000_000;
const LONGEST_BACK_OFF_MS = 60_000;

export function createKeptCalls(given: {
  store: KeptStore;
  prefix: string;
  tell: Tell;
  isEnabled: () => boolean;
  make: { [kind in KeptCall['kind']]: MakeCall };
}): KeptCalls {
  const { store, tell, isEnabled } = given;
  const prefix = `${given.prefix}calls:`;
  const locks = createQueueLocks(store);
  const queue = createQueue(store, `${prefix}${Date.now().toString(36)}-${makeId(8)}`);
  const entries: Entry[] = [];
  const running = new Map<string, Promise<void>>();
  let adopting = Promise.resolve();
  let failures = 0;
  let timer: ReturnType<typeof startTimer> | undefined;
  let stopListening = () => {};

  const isLike = (one: KeptCall | undefined, other: KeptCall) =>
    one?.kind === other.kind && one.player_id === other.player_id && one.target === other.target;
  const listKept = (like: KeptCall) =>
    entries.filter(({ call, caller }) => !caller && isLike(call, like));
  const discard = (entry: Entry) => {
    const index = entries.indexOf(entry);
    if (index >= 0) entries.splice(index, 1);
    void queue.discard(entry.number);
  };
  /** A board needs only the best score, which is the highest or the lowest. */
  const replace = (call: KeptCall) => {
    const kept = listKept(call);
    const scores = [call, ...kept.map((entry) => entry.call!)].map(scoreOf);
    for (const entry of kept) {
      const score = scoreOf(entry.call!);
      const isExtreme = score === Math.min(...scores) || score === Math.max(...scores);
      if (call.kind !== 'scores' || !isExtreme || score === scores[0]) discard(entry);
    }
  };
  const add = (call: KeptCall, how: unknown, caller: Entry['caller']) => {
    replace(call);
    const number = queue.append(JSON.stringify(call));
    entries.push({ number, call, run: () => given.make[call.kind](call, how), caller });
    while (queue.trim(MAX_CALLS, MAX_CHARACTERS).length > 0) {
      tell.fail(new OverworldError(`More than ${MAX_CALLS} calls wait`, 'queue_full'));
    }
    for (const entry of entries.filter(({ call: kept, caller: waits }) => kept && !waits)) {
      if (!queue.events.has(entry.number)) discard(entry);
    }
  };

  const kindOf = ({ call }: Entry) => call?.kind ?? 'saves';
  const send = async (kind: KeptCall['kind']) => {
    await adopting;
    let failure: OverworldError | undefined;
    const isDue = (entry: Entry) => kindOf(entry) === kind && (!failure || !entry.call);
    for (let entry; isEnabled() && (entry = entries.find(isDue));) {
      try {
        const result = await entry.run();
        discard(entry);
        entry.caller?.resolve(result);
      } catch (error) {
        if (!entry.call || !mayPassLater(error as OverworldError)) {
          discard(entry);
          if (entry.caller) entry.caller.reject(error);
          else tell.fail(error as OverworldError);
          continue;
        }
        failure = error as OverworldError;
        failure.isKept = true;
        for (const each of entries) {
          if (!each.call || kindOf(each) !== kind) continue;
          each.caller?.reject(failure);
          each.caller = undefined;
        }
        const calls = entries.map(({ call }) => call);
        for (const call of calls) if (call?.kind === kind) squash(call);
      }
    }
    running.delete(kind);
    if (!failure) return void (failures = 0);
    platform.clearTimeout(timer);
    const { retryAfterMs = 0 } = failure;
    timer = startTimer(
      sendAll,
      Math.max(retryAfterMs, backOff(++failures + MAX_ATTEMPTS, LONGEST_BACK_OFF_MS)),
    );
  };
  /** Removes the kept calls before this one that it replaces. */
  const squash = (call: KeptCall) => {
    const kept = listKept(call);
    if (call.kind === 'scores' || kept.pop()?.call !== call) return;
    for (const entry of kept) discard(entry);
  };
  const start = (kind: KeptCall['kind']) => {
    if (!running.has(kind)) running.set(kind, send(kind));
    return running.get(kind);
  };
  const sendAll = async () => {
    for (const kind of ['scores', 'unlocks', 'saves'] as const) await start(kind);
  };

  /** Takes over the calls of clients that are gone. */
  const adopt = async () => {
    const left = await listQueues(store, prefix).catch(() => []);
    for (const found of left) {
      if (found.name === queue.name || !(await locks.take(found.name))) continue;
      const other = await loadQueue(store, found);
      for (const [number, text] of other.events) {
        const call = parseKept<KeptCall>(text);
        if (call && call.kind in given.make) add(call, undefined, undefined);
        await other.discard(number);
      }
      await other.remove();
      await locks.release(found.name);
    }
  };

  const enter = async <Result>(
    kind: KeptCall['kind'],
    addEntry: (caller: Entry['caller']) => void,
  ) => {
    if (!isEnabled()) {
      throw new OverworldError('trackingEnabled is false', 'tracking_disabled');
    }
    return new Promise<unknown>((resolve, reject) => {
      addEntry({ resolve, reject });
      void start(kind);
    }) as Promise<Result>;
  };

  return {
    get length() {
      return queue.events.size;
    },
    make: <Result>(call: KeptCall, how: object) =>
      enter<Result>(call.kind, (caller) => add(call, how, caller)),
    after: <Result>(kind: KeptCall['kind'], run: () => Promise<Result>) =>
      enter<Result>(kind, (caller) => entries.push({ number: -1, call: undefined, run, caller })),
    find: (like, isAny) =>
      (isAny ? entries.filter(({ call }) => isLike(call, like)) : listKept(like)).at(-1)?.call,
    remove: (like) => listKept(like).forEach(discard),
    open() {
      void locks.take(queue.name);
      stopListening = listen(platform, 'online', sendAll);
      adopting = adopt();
      void sendAll();
    },
    async flush() {
      await Promise.all(running.values());
      adopting = adopt();
      await sendAll();
      return entries.length === 0;
    },
    async close() {
      stopListening();
      platform.clearTimeout(timer);
      await queue.stored();
      await locks.release(queue.name);
    },
  };
}

const scoreOf = (call: KeptCall) => (call as { body?: { score?: number } }).body?.score ?? 0;
