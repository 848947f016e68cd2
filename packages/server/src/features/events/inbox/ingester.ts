import type { BaseLogger } from 'pino';
import type { Database } from '../../../platform/database/database.ts';
import { classifyFailure } from '../../../platform/database/failure.ts';
import {
  claimRows,
  LAST_STEPS,
  listWaitingIds,
  quarantine,
  beginIngest,
  STORE_STEPS,
} from './ingest.ts';
import type { IngestStep, Claim, IdRange } from './ingest.ts';
import { makeInboxPartitions } from '../event-partitions.ts';

export interface IngesterOptions {
  /** The pool needs only one connection. A batch uses the connection until the batch ends. */
  database: Database;
  logger: BaseLogger;
  /** Further steps that run in the transaction of each batch, such as rollups. */
  steps?: readonly IngestStep[];
  /** A further step of batches with events that were received long ago. */
  late_step?: IngestStep;
  /** Runs the transaction of a batch when its turn comes; by default immediately. */
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * True (the default) if a batch waits while events are being erased. If false, the batch is tried again
   * soon.
   */
  waits?: boolean;
  /** The interval at which the ingester looks for rows that stopped nodes have left. */
  poll_interval_ms?: number;
}

/**
 * The minimum time between two passes. Requests gather meanwhile, because larger passes cost less per event.
 */
const GATHER_MS = 25;
/**
 * When a pass has lasted this long, it searches the whole inbox again. After a failed pass, the next pass
 * begins this much later.
 */
const RESCAN_MS = 500;

const NOTHING: Claim = { rows: 0, last_id: null, is_full: false, is_late: false };
const EVERYTHING: IdRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/**
 * Makes an ingester that turns each row of the inbox into events exactly once: one
 * transaction takes rows out and stores their events, so a failure at any point leaves
 * the rows in the inbox. Any number of nodes may have such an ingester, and each takes rows
 * that no other node has locked. A row that PostgreSQL cannot read goes into quarantine.
 */
export function createIngester(options: IngesterOptions) {
  const { database, logger, inTurn = (work) => work(), waits = true } = options;
  const { poll_interval_ms = RESCAN_MS } = options;
  const steps = [...STORE_STEPS, ...(options.steps ?? []), ...LAST_STEPS];
  const closing = new AbortController();
  let pass: Promise<void> | undefined;
  let look: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let woken = false;
  let failing = false;
  let last_end_ms = 0;

  const storeBatch = (ids: IdRange): Promise<Claim> =>
    database.transaction(async (tx) => {
      if (!(await beginIngest(tx, waits))) {
        woken = true;
        return NOTHING;
      }
      const claim = await claimRows(tx, ids);
      if (claim.rows > 0) for (const step of steps) await step(tx);
      if (claim.is_late) await options.late_step?.(tx);
      return claim;
    });

  const processBatch = async (ids: IdRange): Promise<Claim> => {
    try {
      return await storeBatch(ids);
    } catch (error) {
      if (!lacksPartition(error)) throw error;
      await makeInboxPartitions(database);
      return storeBatch(ids);
    }
  };

  const processOneByOne = async () => {
    for (const id of await listWaitingIds(database)) {
      try {
        await inTurn(() => processBatch({ from: id, to: id }));
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        await quarantine(database, id, error.message);
        logger.error({ err: error, inbox_id: id }, 'a request was quarantined');
      }
    }
  };

  /**
   * Processes the inbox batch by batch. Each batch searches only the ids above those that earlier batches
   * took, because the dead rows of these ids stay in the table until a vacuum. From time to time, a batch
   * searches the whole inbox again.
   */
  const processAll = async () => {
    let ids = EVERYTHING;
    let scanned_ms = performance.now();
    let is_full = true;
    while (is_full && !closing.signal.aborted) {
      if (performance.now() - scanned_ms > RESCAN_MS) {
        ids = EVERYTHING;
        scanned_ms = performance.now();
      }
      try {
        const claim = await inTurn(() => processBatch(ids));
        is_full = claim.is_full;
        if (claim.last_id !== null) ids = { ...ids, from: claim.last_id + 1 };
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        await processOneByOne();
      }
    }
  };

  const runPass = async () => {
    try {
      await processAll();
      if (failing) logger.info('events are processed again');
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error }, 'events wait in the inbox');
      failing = true;
    }
  };

  const start = () => {
    clearTimeout(timer);
    timer = undefined;
    woken = false;
    pass ??= runPass().finally(() => {
      pass = undefined;
      last_end_ms = performance.now();
      if (woken) wake();
    });
    return pass;
  };

  const wake = () => {
    if (closing.signal.aborted) return;
    woken = true;
    if (pass !== undefined) return;
    const wait_ms = failing ? RESCAN_MS : last_end_ms + GATHER_MS - performance.now();
    if (wait_ms <= 0) void start();
    else timer ??= setTimeout(start, wait_ms);
  };

  /**
   * Starts a pass only if there are rows. The query for rows costs much less than a pass over an empty inbox.
   */
  const lookForRows = async () => {
    const ids = await listWaitingIds(database, 1);
    if (ids.length > 0) wake();
  };
  const startLook = () => {
    // If the query fails, the pass that `wake` starts fails too, and logs the error.
    look ??= lookForRows()
      .catch(wake)
      .finally(() => (look = undefined));
  };

  const poll = setInterval(() => (failing ? wake() : startLook()), poll_interval_ms).unref();

  return {
    /**
     * Starts a pass immediately, or soon after the last one. To be called after rows were put into the inbox.
     */
    wake,
    /** Waits for the pass under way, then runs a pass over the whole inbox and resolves at its end. */
    async processInbox() {
      await pass;
      if (!closing.signal.aborted) await start();
    },
    /**
     * Resolves when the query or the pass under way has ended. Rows that are not processed by then stay in
     * the inbox.
     */
    async close() {
      closing.abort();
      clearInterval(poll);
      clearTimeout(timer);
      await look;
      await pass;
    },
  };
}

export type Ingester = ReturnType<typeof createIngester>;

/** Tells whether the row itself caused the error: a data exception, violated constraint or exceeded limit. */
function isUnreadable(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || classifyFailure(error) === 'unavailable') {
    return false;
  }
  return /^(22|23|54)/.test(String(error.code)) && !lacksPartition(error);
}

const lacksPartition = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('no partition of relation "events');
