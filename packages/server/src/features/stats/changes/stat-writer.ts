import { answerInRounds, createGroupBatcher } from '../../../platform/batch/batcher.ts';
import type { BatchResults } from '../../../platform/batch/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/failure.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ApiError, badRequest, overloaded, unavailable } from '../../../platform/errors.ts';
import type { JudgedUnlock, StatWatcher } from '../../../platform/players/stat-watcher.ts';
import { listValuesOf } from '../stat-store.ts';
import type { StoredUnit } from './change-store.ts';
import { storeAndJudge } from './move-stats.ts';
import { deleteExpiredKeysOf, findKnownKeys, nameOfRequest } from './request-keys.ts';
import { decideInOrder, makeUnits } from './units.ts';
import type { NewValues, StatRequest, Unit } from './units.ts';

/** The effect of a request. */
export interface StatOutcome {
  values: NewValues;
  /** The achievements that it has unlocked. Each is told to one request. */
  unlocked: readonly JudgedUnlock['achievement'][];
}

type Results = BatchResults<StatOutcome>;

/**
 * The most attempts to store a batch. An attempt fails if another server has just stored the first value of a
 * player, or an idempotency key; the next attempt finds it.
 */
const MAX_ATTEMPTS = 10;
/** The most rounds of a unit whose values another server changes between two rounds. */
const MAX_ROUNDS = 100;

/**
 * Makes the writer that batches changes of statistics. One statement stores a batch, except for the players of
 * whom a request is refused: their requests are decided one by one, and a second statement stores those that
 * are possible if no other server has changed the values meanwhile.
 * @param watcher Judges changes in their transactions; null if nothing does.
 */
export function createStatWriter(hot: GroupedDatabase, watcher: StatWatcher | null) {
  const batcher = createGroupBatcher<StatRequest, StatOutcome>(hot, {
    name: 'stats',
    max_batch_size: 200,
    max_queue_length: 20_000,
    gameOf: ({ player }) => player.game_id,
    // A hundred changes of one request take as long as a hundred requests.
    bytes: { of: ({ changes }) => changes.length, max_batch: 1_000, max_queue: 200_000 },
    flush: (database, requests) => storeBatch(database, watcher, requests),
  });
  return {
    /**
     * Resolves after the commit.
     * @throws ApiError 400 for a change past a bound, and for an idempotency key that was used with another
     * body; 404 for an unknown statistic; 503 when too many requests wait.
     */
    change: (request: StatRequest): Promise<StatOutcome> => batcher.submit(request),
    /** Refuses new requests, and resolves when all accepted requests are answered. */
    close: () => batcher.close(),
  };
}

async function storeBatch(
  database: Database,
  watcher: StatWatcher | null,
  requests: readonly StatRequest[],
): Promise<Results> {
  const { firsts, places } = findFirsts(requests);
  const numbers = new Map(firsts.map((request, number) => [request, number]));
  const results = await answerInRounds<OpenUnit, StatOutcome>(
    firsts.length,
    makeUnits(firsts).map(openUnit),
    (units, answers, round) => {
      if (round > MAX_ROUNDS) throw unavailable('Others change these statistics too often');
      return storeRound(database, watcher, units, (request, result) => {
        answers[numbers.get(request)!] = result;
      });
    },
  );
  const repeated = await answerRefusedRepeats(database, firsts, results);
  return requests.map((request, place) => {
    const number = places[place]!;
    const first = firsts[number]!;
    return repeatInBatch(request, first, repeated.get(first) ?? results[number]!);
  });
}

/**
 * Answers requests that were made before, and that the values of now refuse: such as to spend the coins that the
 * first request has spent. What is refused does not reach the row of its idempotency key.
 */
async function answerRefusedRepeats(
  database: Database,
  requests: readonly StatRequest[],
  results: readonly (StatOutcome | Error)[],
): Promise<ReadonlyMap<StatRequest, StatOutcome | Error>> {
  const refused = requests.filter(({ sent }, number) => {
    const result = results[number]!;
    return sent !== null && result instanceof ApiError && result.status < 500;
  });
  return refused.length === 0 ? new Map() : listRepeats(database, refused);
}

/**
 * Lists in `firsts` the first request with each idempotency key, and all requests without one. For each
 * request, `places` gives the request whose result it gets, as an index in `firsts`.
 */
function findFirsts(requests: readonly StatRequest[]) {
  const firsts: StatRequest[] = [];
  const named = new Map<string, number>();
  const places = requests.map((request) => {
    const name = nameOfRequest(request);
    const known = name === null ? undefined : named.get(name);
    if (known !== undefined) return known;
    const place = firsts.push(request) - 1;
    if (name !== null) named.set(name, place);
    return place;
  });
  return { firsts, places };
}

function repeatInBatch(
  request: StatRequest,
  first: StatRequest,
  result: StatOutcome | Error,
): StatOutcome | Error {
  if (request === first || result instanceof Error) return result;
  if (request.sent!.body_hash !== first.sent!.body_hash) return otherBody();
  return { values: result.values, unlocked: [] };
}

const otherBody = () => badRequest('Idempotency-Key was already used with another body');

/** A unit with all its requests, of which some may wait to be refused. */
interface OpenUnit extends Unit {
  all: readonly StatRequest[];
  refused: ReadonlyMap<StatRequest, ApiError>;
}

const openUnit = ({ player, requests }: Unit): OpenUnit => ({
  player,
  requests,
  expected: null,
  all: requests,
  refused: new Map(),
});

type SetResult = (request: StatRequest, result: StatOutcome | Error) => void;

/** Does one round. @returns the units that need another one. */
async function storeRound(
  database: Database,
  watcher: StatWatcher | null,
  units: readonly OpenUnit[],
  set: SetResult,
): Promise<OpenUnit[]> {
  const outcomes = await storeNew(database, watcher, units, set);
  return outcomes.flatMap(({ unit, is_stored, found, unlocked = [] }) => {
    // The values have changed since the requests were decided, so all of them are decided anew.
    if (!is_stored && unit.expected !== null) return [openUnit({ ...unit, requests: unit.all })];
    const decided = decideInOrder(unit, found);
    const possible: StatRequest[] = [];
    const refused = new Map<StatRequest, ApiError>();
    unit.requests.forEach((request, index) => {
      const decision = decided[index]!;
      if (decision instanceof ApiError) {
        refused.set(request, decision);
      } else if (is_stored) {
        set(request, { values: decision, unlocked: toldTo(unit, request, unlocked) });
      } else {
        possible.push(request);
      }
    });
    if (is_stored || possible.length === 0) {
      for (const [request, error] of [...unit.refused, ...refused]) set(request, error);
      return [];
    }
    const expected = new Map([...found.values()].map(({ key, before }) => [key, before]));
    return [{ ...unit, requests: possible, expected, refused }];
  });
}

/** Lists the unlocks of a unit that one of its requests is told: the last one that moved a statistic of the rule. */
const toldTo = (
  { requests }: OpenUnit,
  request: StatRequest,
  unlocked: readonly JudgedUnlock[],
): StatOutcome['unlocked'] =>
  unlocked
    .filter(({ stats }) => requests.findLast((each) => moves(each, stats)) === request)
    .map(({ achievement }) => achievement);

const moves = ({ changes }: StatRequest, stats: readonly string[]): boolean =>
  changes.some(({ key }) => stats.includes(key));

/** Stores units, without the requests whose idempotency keys are known. These are answered. */
async function storeNew(
  database: Database,
  watcher: StatWatcher | null,
  units: readonly OpenUnit[],
  set: SetResult,
): Promise<(StoredUnit & { unit: OpenUnit })[]> {
  let open = units;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (open.length === 0) return [];
    try {
      const stored = await storeAndJudge(database, watcher, open);
      return open.map((unit, index) => ({ unit, ...stored[index]! }));
    } catch (error) {
      if (violates(error, 'stat_request_keys_pkey')) {
        open = await answerKnown(database, open, set);
      } else if (!violates(error, 'player_stats_pkey')) {
        throw error;
      }
    }
  }
  throw overloaded();
}

/** Answers the requests whose idempotency keys are known. @returns the units without them. */
async function answerKnown(
  database: Database,
  units: readonly OpenUnit[],
  set: SetResult,
): Promise<OpenUnit[]> {
  const requests = units.flatMap(({ all }) => all);
  // The row of a key may still exist after its days.
  await deleteExpiredKeysOf(database, requests);
  const repeats = await listRepeats(database, requests);
  for (const [request, result] of repeats) set(request, result);
  return units.flatMap((unit) => {
    const all = unit.all.filter((request) => !repeats.has(request));
    if (all.length === unit.all.length) return [unit];
    // What is left is decided anew.
    return all.length === 0 ? [] : [openUnit({ ...unit, requests: all })];
  });
}

/** Finds the requests whose idempotency keys are known, with the answers to them. */
async function listRepeats(
  database: Database,
  requests: readonly StatRequest[],
): Promise<ReadonlyMap<StatRequest, StatOutcome | Error>> {
  const known = await findKnownKeys(database, requests);
  const hashOf = (request: StatRequest) => known.get(nameOfRequest(request) ?? '');
  const repeated = requests.filter((request) => hashOf(request) !== undefined);
  const values = await listValuesOf(
    database,
    repeated.map(({ player }) => player),
  );
  return new Map(
    repeated.map((request, index) => {
      const present = request.changes.map(({ key }) => values[index]!.get(key) ?? 0);
      const is_same = hashOf(request) === request.sent!.body_hash;
      return [request, is_same ? { values: present, unlocked: [] } : otherBody()];
    }),
  );
}
