import { createBatcher } from '../../platform/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import { unavailable } from '../../platform/errors.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { decide } from './save-rules.ts';
import type { Decision, PutRequest, SaveHead, SaveRequest } from './save-rules.ts';
import { listHeads, listKeptBytes, listVersionsOf, storeAdvances, storePuts } from './store.ts';
import type { Advance, Save } from './store.ts';

export type PutOutcome =
  | { kind: 'stored'; version: number; updated_at: string }
  /** Not stored: this is what the server has. */
  | { kind: 'conflict'; save: Save };

type SaveOutcome = PutOutcome | { kind: 'deleted' } | { kind: 'absent' };

/** Stores and deletes saves; what it has answered is committed. */
export interface SaveWriter {
  put(player: PlayerKey, sent: Omit<PutRequest, 'kind' | 'player'>): Promise<PutOutcome>;
  /** @returns whether there was a save. */
  delete(player: PlayerKey): Promise<boolean>;
  /** Refuses new requests and resolves when all accepted ones are settled. */
  close(): Promise<void>;
}

/** Requests of one player in a batch, in the order they came. */
interface Line {
  player: PlayerKey;
  requests: SaveRequest[];
  /** Where the requests stand in the batch. */
  places: number[];
}

type PlainLine = Omit<Line, 'requests'> & { requests: [PutRequest, ...PutRequest[]] };

type Results = (SaveOutcome | Error)[];

/** 20 saves of 100 KB take about 20 ms: others should not wait longer. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
const MAX_QUEUE_BYTES = 64 * 1024 * 1024;
/** Each round that settles nothing is one in which another node did. */
const MAX_ROUNDS = 100;

/**
 * Batches saves and deletions. One statement decides and stores the lines that are plain, which most
 * are. For the others, and for what that leaves out, one look-up reads the states, the rules decide
 * every request, and one statement stores all changes; of a player that another node saved for since
 * the look-up it stores nothing, and the requests are decided anew.
 */
export function createSaveWriter(database: Database): SaveWriter {
  const batcher = createBatcher<SaveRequest, SaveOutcome>({
    name: 'saves',
    max_batch_size: 200,
    max_queue_length: 20_000,
    bytes: {
      of: (request) => (request.kind === 'put' ? request.size_bytes : 0),
      max_batch: MAX_BATCH_BYTES,
      max_queue: MAX_QUEUE_BYTES,
    },
    async flush(requests) {
      const results: Results = [];
      let open = groupByPlayer(requests);
      for (let round = 0; open.length > 0; round++) {
        try {
          if (round > MAX_ROUNDS) throw unavailable('Others save for this player too often');
          open = await (round === 0 ? settlePlainLines : settle)(database, open, results);
        } catch (error) {
          if (results.length === 0) throw error;
          // Others of the batch are committed: it must not be taken for one that changed nothing.
          for (const place of open.flatMap(({ places }) => places)) results[place] = error as Error;
          break;
        }
      }
      return results;
    },
  });
  return {
    put: (player, sent) => batcher.submit({ kind: 'put', player, ...sent }) as Promise<PutOutcome>,
    delete: async (player) => (await batcher.submit({ kind: 'delete', player })).kind === 'deleted',
    close: () => batcher.close(),
  };
}

/**
 * Stores lines of saves of which only the first may expect a version.
 * @returns the lines that are still open.
 */
async function settlePlainLines(
  database: Database,
  lines: Line[],
  results: Results,
): Promise<Line[]> {
  const plain: PlainLine[] = [];
  const open: Line[] = [];
  for (const line of lines) {
    if (isPlain(line)) plain.push(line);
    else open.push(line);
  }
  if (plain.length === 0) return open;
  const stored = await storePuts(
    database,
    plain.map(({ player, requests }) => ({
      player,
      expected_version: requests[0].expected_version,
      data: requests.map(({ data }) => data),
    })),
  );
  plain.forEach((line, index) => {
    const change = stored[index];
    if (!change) {
      open.push(line);
      return;
    }
    const { version, changed_at } = change;
    line.places.forEach((place, step) => {
      const later = line.places.length - 1 - step;
      results[place] = { kind: 'stored', version: version - later, updated_at: changed_at };
    });
  });
  return open;
}

function isPlain(line: Line): line is PlainLine {
  return line.requests.every((request, step) => {
    if (request.kind !== 'put') return false;
    const { expected_version, limit_reached } = request;
    if (limit_reached !== null) return false;
    // PostgreSQL would refuse one that is larger than its integers, and the batch with it.
    return expected_version === null || (step === 0 && Number.isSafeInteger(expected_version));
  });
}

/**
 * Decides the requests of each line and stores what follows from them; fills in their results.
 * @returns the lines that another node overtook: of these nothing is stored.
 */
async function settle(database: Database, lines: Line[], results: Results): Promise<Line[]> {
  const heads = await listHeads(
    database,
    lines.map(({ player }) => player),
  );
  const kept_bytes = await readKeptBytes(database, lines, heads);
  const decided = lines.map((line, index): Decided => {
    const head = heads[index]!;
    const bytes = kept_bytes.get(line) ?? 0;
    return { line, player: line.player, head, ...decide(head, line.requests, bytes) };
  });
  await fillInServerSaves(
    database,
    decided.filter(({ decisions }) => decisions.some(isWithServer)),
  );
  await storeChanges(
    database,
    decided.filter(({ head, next, server_save }) => {
      return next.revision !== head.revision && server_save !== null;
    }),
  );

  const overtaken: Line[] = [];
  for (const { line, decisions, server_save, changed_at } of decided) {
    if (server_save === null || changed_at === null) {
      overtaken.push(line);
      continue;
    }
    decisions.forEach((decision, index) => {
      results[line.places[index]!] = toOutcome(decision, server_save, changed_at);
    });
  }
  return overtaken;
}

/** Sizes of the last versions, where a request is at the limit and is measured against it. */
async function readKeptBytes(
  database: Database,
  lines: readonly Line[],
  heads: readonly SaveHead[],
): Promise<Map<Line, number>> {
  const asked = lines
    .map((line, index) => ({ line, player: line.player, version: heads[index]!.version }))
    .filter(({ line }) => line.requests.some((put) => put.kind === 'put' && put.limit_reached));
  if (asked.length === 0) return new Map();
  const bytes = await listKeptBytes(database, asked);
  return new Map(asked.map(({ line }, index) => [line, bytes[index]!]));
}

interface Decided extends Advance {
  line: Line;
  head: SaveHead;
  decisions: Decision[];
  /** For conflicts with what the server has; null when that is no longer kept. */
  server_save?: Save | null;
  /** For what was stored; null when another node was faster. */
  changed_at?: string | null;
}

const isWithServer = (decision: Decision) =>
  decision.kind === 'conflict' && decision.with_version === null;

async function fillInServerSaves(database: Database, decided: Decided[]): Promise<void> {
  if (decided.length === 0) return;
  const saves = await listVersionsOf(
    database,
    decided.map(({ player, head }) => ({ player, version: head.version })),
  );
  decided.forEach((each, index) => (each.server_save = saves[index]!));
}

async function storeChanges(database: Database, decided: Decided[]): Promise<void> {
  if (decided.length === 0) return;
  const stored = await storeAdvances(database, decided);
  decided.forEach((each, index) => (each.changed_at = stored[index]?.changed_at ?? null));
}

function toOutcome(
  decision: Decision,
  server_save: Save | undefined,
  changed_at: string | undefined,
): SaveOutcome | Error {
  switch (decision.kind) {
    case 'refused':
      return decision.error;
    case 'stored':
      return { ...decision, updated_at: changed_at! };
    case 'conflict': {
      const { with_version } = decision;
      const save = with_version ? { ...with_version, updated_at: changed_at! } : server_save!;
      return { kind: 'conflict', save };
    }
    default:
      return decision;
  }
}

function groupByPlayer(requests: SaveRequest[]): Line[] {
  const lines = new Map<string, Line>();
  requests.forEach((request, place) => {
    const { player } = request;
    const name = `${player.game_id} ${player.environment} ${player.player_id}`;
    const line = lines.get(name) ?? { player, requests: [], places: [] };
    lines.set(name, line);
    line.requests.push(request);
    line.places.push(place);
  });
  return [...lines.values()];
}
