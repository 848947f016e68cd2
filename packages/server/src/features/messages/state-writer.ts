import type { Environment } from '@overworld/contract/common';
import type { Reward } from '@overworld/contract/messages/message-fields';
import { createGroupBatcher } from '../../platform/batch/batcher.ts';
import type { GroupBatcher } from '../../platform/batch/batcher.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { retryCollisions } from '../../platform/database/retry-deadlocks.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import { ApiError, conflict, notFound, unavailable } from '../../platform/errors.ts';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { lockPlayersOf } from '../../platform/players/player-lock.ts';
import { nameOfPlayer, PLAYER_KEY } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { postClaims } from './claim-events.ts';
import { giveRewards } from './rewards.ts';
import type { RewardGivers } from './rewards.ts';

type Action = 'read' | 'claim' | 'delete';

interface StateRequest extends PlayerKey {
  message_id: string;
  action: Action;
}

/** The state of a message after a request. */
export interface WrittenState {
  read_at: string | null;
  claimed_at: string | null;
  /** JSON text: the rewards that the claim has given; null without a claim. */
  rewards: string | null;
  already_claimed: boolean;
}

/** Marks messages as read, claimed or deleted. The answer comes after the commit. */
export type StateWriter = GroupBatcher<StateRequest, WrittenState>;

interface WriterServices {
  givers: RewardGivers;
  /** Tells whether webhooks of one of the games may listen to claims. */
  mayListen: (game_ids: readonly string[]) => Promise<boolean>;
}

/**
 * Makes the writer. A batch is one transaction: it locks the messages, so that a recall waits or comes first;
 * then the rows of the states, so that of several claims of a player one gives the rewards; and at last it gives
 * them.
 */
export const createStateWriter = (hot: GroupedDatabase, services: WriterServices): StateWriter =>
  createGroupBatcher(hot, {
    name: 'message states',
    max_batch_size: 200,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    flush: (database, requests) => flushPossible(database, requests, services),
  });

/** Rolls back a batch with claims whose rewards are refused. */
class RefusedClaims extends Error {
  /** In the order in which the rewards were given. */
  readonly #refusals: ReadonlyMap<State, ApiError>;
  constructor(refusals: ReadonlyMap<State, ApiError>) {
    super();
    this.#refusals = refusals;
  }

  /**
   * The errors of the claims that fail, by the names of their states. The first one of each player fails, because
   * all claims before it are made. It may have left no room for the others, which are tried again.
   * @param is_last True if no claim is tried again.
   */
  failed(is_last: boolean): Map<string, ApiError> {
    const failed = new Map<string, ApiError>();
    const players = new Set<string>();
    for (const [state, refusal] of this.#refusals) {
      const player = nameOfPlayer(state);
      if (!players.has(player)) failed.set(nameOfState(state), refusal);
      else if (is_last) failed.set(nameOfState(state), tooManyClaims());
      players.add(player);
    }
    return failed;
  }
}

const tooManyClaims = () =>
  unavailable('Too many claims of this player at a time, try again in a second');

/** A batch is tried this many times, however many claims of one player are refused. */
const MAX_ROUNDS = 8;

/** Writes a batch. If rewards of some claims are refused, these claims fail, and all other requests are written. */
async function flushPossible(
  database: Database,
  requests: readonly StateRequest[],
  services: WriterServices,
  rounds = MAX_ROUNDS,
): Promise<(WrittenState | Error)[]> {
  try {
    // An erasure may delete other data of the player before it comes to the messages.
    return await retryCollisions(() => flush(database, requests, services));
  } catch (error) {
    if (!(error instanceof RefusedClaims)) throw error;
    const failed = error.failed(rounds <= 1);
    const failureOf = (request: StateRequest) =>
      request.action === 'claim' ? failed.get(nameOfState(request)) : undefined;
    const others = requests.filter((request) => failureOf(request) === undefined);
    const results = await flushPossible(database, others, services, rounds - 1);
    return requests.map((request) => failureOf(request) ?? results.shift()!);
  }
}

interface Message {
  game_id: string;
  environment: Environment;
  message_id: string;
  player_id: string | null;
  rewards: string;
  is_over: boolean;
  now: string;
}

/** The state of one message of a player. All requests of a batch about it share this object. */
interface State extends PlayerKey {
  message_id: string;
  read_at: string | null;
  claimed_at: string | null;
  deleted_at: string | null;
  rewards: string | null;
  is_changed: boolean;
  is_claimed_now: boolean;
}

async function flush(
  database: Database,
  requests: readonly StateRequest[],
  services: WriterServices,
): Promise<(WrittenState | Error)[]> {
  const is_posted = await services.mayListen(requests.map(({ game_id }) => game_id));
  return database.transaction(async (tx) => {
    const messages = await lockMessages(tx, requests);
    const ofMessage = (request: StateRequest) => messages.get(nameOfMessage(request));
    const isFor = (request: StateRequest) => {
      const message = ofMessage(request);
      return message && (message.player_id ?? request.player_id) === request.player_id;
    };
    const states = await lockStates(tx, requests.filter(isFor), (request) =>
      mayChange(request.action, ofMessage(request)!),
    );
    const results = requests.map((request) => {
      if (!isFor(request)) return messageNotFound();
      const state = states.get(nameOfState(request)) ?? null;
      return decide(state, request.action, ofMessage(request)!);
    });
    const claimed = [...states.values()].filter(({ is_claimed_now }) => is_claimed_now);
    await give(tx, claimed, services.givers);
    await updateStates(
      tx,
      [...states.values()].filter(({ is_changed }) => is_changed),
    );
    if (is_posted) await postClaims(tx, claimed);
    return results.map((result) => (result instanceof Error ? result : result()));
  });
}

const nameOfMessage = ({
  game_id,
  environment,
  message_id,
}: Omit<Message, 'rewards' | 'player_id' | 'is_over' | 'now'>) =>
  `${game_id} ${environment} ${message_id}`;
const nameOfState = (of: PlayerKey & { message_id: string }) =>
  `${of.message_id} ${nameOfPlayer(of)}`;

const messageNotFound = () => notFound('Message not found');

async function lockMessages(
  tx: Queryable,
  requests: readonly StateRequest[],
): Promise<Map<string, Message>> {
  const asked = [...new Map(requests.map((request) => [nameOfMessage(request), request])).values()];
  const rows = await tx.query<Message>(sql`
    SELECT known.*
    FROM (
      SELECT * FROM ${rowsAs('asked', asked, { game_id: 'uuid', environment: 'environment', message_id: 'uuid' })}
      ORDER BY game_id, environment, message_id
    ) AS asked
    CROSS JOIN LATERAL (
      SELECT game_id, environment, message_id, player_id, rewards::text AS rewards,
             recalled_at IS NOT NULL OR starts_at > now() OR coalesce(ends_at <= now(), false) AS is_over,
             now() AS now
      FROM messages
      WHERE messages.game_id = asked.game_id AND messages.environment = asked.environment
        AND messages.message_id = asked.message_id
      OFFSET 0
      FOR SHARE
    ) AS known`);
  return new Map(rows.map((row) => [nameOfMessage(row), row]));
}

const STATE_KEY = { ...PLAYER_KEY, message_id: 'uuid' } as const;

/** Tells whether a request can change something; otherwise it makes no row and no player. */
const mayChange = (action: Action, { is_over, rewards }: Message): boolean =>
  !is_over && (action !== 'claim' || rewards !== '[]');

/**
 * Locks the rows of states.
 * @param makes Tells for which requests the row, and its player, are made if there are none.
 */
async function lockStates(
  tx: Queryable,
  requests: readonly StateRequest[],
  makes: (request: StateRequest) => boolean,
): Promise<Map<string, State>> {
  const asked = withoutRepeats(requests);
  if (asked.length === 0) return new Map();
  const made = withoutRepeats(requests.filter(makes));
  if (made.length > 0) await makeStates(tx, made);
  return findLocked(tx, asked);
}

const withoutRepeats = (requests: readonly StateRequest[]): StateRequest[] => [
  ...new Map(requests.map((request) => [nameOfState(request), request])).values(),
];

const makeStates = (tx: Queryable, asked: readonly StateRequest[]): Promise<number> =>
  tx.execute(sql`
    WITH asked AS (
      SELECT * FROM ${rowsAs('asked', asked, STATE_KEY)}
    ), inserted AS (
      INSERT INTO message_states (game_id, environment, player_id, message_id)
      SELECT game_id, environment, player_id, message_id
      FROM asked
      ORDER BY game_id, environment, player_id, message_id
      ON CONFLICT DO NOTHING
    ), ${lockPlayersOf(sql`asked`)}
    SELECT FROM locked_players`);

async function findLocked(
  tx: Queryable,
  asked: readonly StateRequest[],
): Promise<Map<string, State>> {
  const rows = await tx.query<Omit<State, 'is_changed' | 'is_claimed_now'>>(sql`
    SELECT known.*
    FROM (
      SELECT * FROM ${rowsAs('asked', asked, STATE_KEY)}
      ORDER BY game_id, environment, player_id, message_id
    ) AS asked
    CROSS JOIN LATERAL (
      SELECT game_id, environment, player_id, message_id, read_at, claimed_at, deleted_at,
             rewards::text AS rewards
      FROM message_states AS state
      WHERE state.game_id = asked.game_id AND state.environment = asked.environment
        AND state.player_id = asked.player_id AND state.message_id = asked.message_id
      OFFSET 0
      FOR UPDATE
    ) AS known`);
  return new Map(
    rows.map((row) => [nameOfState(row), { ...row, is_changed: false, is_claimed_now: false }]),
  );
}

/** Makes the change of a request in memory. The result is read after the rewards are known. */
function decide(
  state: State | null,
  action: Action,
  message: Message,
): Error | (() => WrittenState) {
  const { now, is_over, rewards } = message;
  if (action === 'claim' && state !== null && state.claimed_at !== null) {
    const already_claimed = true;
    return () => ({ ...state, already_claimed });
  }
  if (is_over || (state !== null && state.deleted_at !== null)) return messageNotFound();
  if (action === 'claim' && rewards === '[]') return conflict('This message has no rewards');
  if (state === null) return messageNotFound();
  if (action === 'claim') {
    Object.assign(state, { claimed_at: now, rewards, is_claimed_now: true });
  }
  if (action === 'delete') state.deleted_at = now;
  else state.read_at ??= now;
  state.is_changed = true;
  const { read_at, claimed_at } = state;
  return () => ({ read_at, claimed_at, rewards: state.rewards, already_claimed: false });
}

/** Gives the rewards of claims, and notes in each state those that exist still. */
async function give(tx: Queryable, claimed: readonly State[], givers: RewardGivers): Promise<void> {
  const all = claimed.flatMap((state) =>
    (parseExactly(state.rewards!) as Reward[]).map((reward) => ({ state, reward })),
  );
  const given = await giveRewards(
    tx,
    givers,
    all.map(({ state: { game_id, environment, player_id }, reward }) => ({
      game_id,
      environment,
      player_id,
      reward,
    })),
  );
  const lists = new Map<State, Reward[]>(claimed.map((state) => [state, []]));
  const refusals = new Map<State, ApiError>();
  all.forEach(({ state, reward }, index) => {
    const outcome = given[index]!;
    if (outcome instanceof ApiError) {
      if (!refusals.has(state)) refusals.set(state, outcome);
    } else if (outcome) lists.get(state)!.push(reward);
  });
  if (refusals.size > 0) throw new RefusedClaims(refusals);
  for (const [state, list] of lists) state.rewards = writeExactly(list);
}

async function updateStates(tx: Queryable, states: readonly State[]): Promise<void> {
  if (states.length === 0) return;
  const columns = {
    ...STATE_KEY,
    read_at: 'timestamptz',
    claimed_at: 'timestamptz',
    deleted_at: 'timestamptz',
    rewards: 'text',
  } as const;
  await tx.execute(sql`
    UPDATE message_states AS known
    SET read_at = changed.read_at, claimed_at = changed.claimed_at,
        deleted_at = changed.deleted_at, rewards = changed.rewards::json
    FROM ${rowsAs('changed', states, columns)}
    WHERE known.game_id = changed.game_id AND known.environment = changed.environment
      AND known.player_id = changed.player_id AND known.message_id = changed.message_id`);
}
