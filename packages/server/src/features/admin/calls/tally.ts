import type { Operation } from '@overworld/contract/operation';
import type { Exchange } from '../../../platform/http/exchange.ts';
import { networkOf } from '../../../platform/network/network-address.ts';

/** The calls of one caller of one operation, from one network or from all. */
export interface Tallied {
  /** Empty if the calls of all networks count together. */
  network: string;
  /** Such as `key:<id>`; empty without credentials. */
  caller: string;
  /** Undefined for pages, files and unknown paths. */
  operation: Operation | undefined;
  calls: number;
  refused: number;
  failed: number;
}

/** The present minute and four whole ones. */
const SLICES = 5;
/** The rows of the present minute; they take about half a megabyte. */
const MAX_ROWS = 2_000;
/** The rows that are kept of each minute that is over. */
export const KEPT_ROWS = 500;
/**
 * After so many calls in a minute, only one call in sixteen is counted for its network, as sixteen calls. To
 * count every call would take 1 to 2 µs each.
 */
const EXACT_CALLS = 1_000;
const CALLS_OF_SAMPLE = 16;

/** Counts the calls of this worker in the last five minutes. */
export function createTally() {
  const openSlice = () => ({
    began_ms: performance.now(),
    count: 0,
    callers: createRows(MAX_ROWS),
    networks: createRows(MAX_ROWS),
  });
  let slices = [openSlice()];

  return {
    note({ ip, counted_as, route: { operation }, answer }: Exchange) {
      const slice = slices[0]!;
      const caller = counted_as.startsWith('ip:') ? '' : counted_as;
      slice.count++;
      slice.callers.add('', caller, operation, answer.statusCode, 1);
      const weight = slice.count <= EXACT_CALLS ? 1 : CALLS_OF_SAMPLE;
      if (weight > 1 && Math.random() * weight >= 1) return;
      slice.networks.add(ip, caller, operation, answer.statusCode, weight);
    },
    /** Ends the present minute. */
    endSlice() {
      slices[0]!.callers.keep(KEPT_ROWS);
      slices[0]!.networks.keep(KEPT_ROWS);
      slices = [openSlice(), ...slices.slice(0, SLICES - 1)];
    },
    /** Lists the rows of all minutes. A row may be there once for each minute. */
    read: () => ({
      window_ms: performance.now() - slices.at(-1)!.began_ms,
      count: slices.reduce((sum, { count }) => sum + count, 0),
      callers: slices.flatMap(({ callers }) => callers.list()),
      networks: slices.flatMap(({ networks }) => networks.list()),
    }),
  };
}

/**
 * Counts calls by address, caller and operation in bounded memory. When there are too many rows, addresses of
 * one network become one row, and half of the rows are dropped: those with the fewest calls. So a row that
 * gets many of the calls stays, however many networks send a call or two.
 */
export function createRows(max_rows: number) {
  // Maps in maps, because to join the three to one text would cost each call more than to look them up.
  const addresses = new Map<string, Map<string, Map<Operation | undefined, Tallied>>>();
  let rows = 0;

  const put = (row: Tallied) => {
    let callers = addresses.get(row.network);
    if (callers === undefined) addresses.set(row.network, (callers = new Map()));
    let operations = callers.get(row.caller);
    if (operations === undefined) callers.set(row.caller, (operations = new Map()));
    operations.set(row.operation, row);
    rows++;
  };

  const add = (
    address: string,
    caller: string,
    operation: Operation | undefined,
    status: number,
    weight: number,
  ) => {
    let row = addresses.get(address)?.get(caller)?.get(operation);
    if (row === undefined) {
      if (rows >= max_rows) keep(max_rows / 2);
      row = { network: address, caller, operation, calls: 0, refused: 0, failed: 0 };
      put(row);
    }
    row.calls += weight;
    if (status >= 500) row.failed += weight;
    else if (status >= 400) row.refused += weight;
  };

  /** Lists the rows by network, those with the most calls first. */
  const list = (): Tallied[] =>
    addUp(
      [...addresses].flatMap(([address, callers]) => {
        const network = address === '' || address.endsWith('/64') ? address : networkOf(address);
        return [...callers.values()].flatMap((operations) =>
          Array.from(operations.values(), (row) => ({ ...row, network })),
        );
      }),
    );

  const keep = (max: number) => {
    if (rows <= max) return;
    const kept = list().slice(0, max);
    addresses.clear();
    rows = 0;
    for (const row of kept) put(row);
  };

  return { add, list, keep };
}

/** Adds up the rows of the same calls, and lists those with the most calls first. */
export function addUp<Row extends Omit<Tallied, 'operation'> & { operation: unknown }>(
  rows: readonly Row[],
): Row[] {
  const sums = new Map<unknown, Map<string, Row>>();
  for (const row of rows) {
    let of_operation = sums.get(row.operation);
    if (of_operation === undefined) sums.set(row.operation, (of_operation = new Map()));
    const name = `${row.network} ${row.caller}`;
    const sum = of_operation.get(name);
    if (sum === undefined) {
      of_operation.set(name, { ...row });
      continue;
    }
    sum.calls += row.calls;
    sum.refused += row.refused;
    sum.failed += row.failed;
  }
  return [...sums.values()]
    .flatMap((of_operation) => [...of_operation.values()])
    .toSorted((a, b) => b.calls - a.calls);
}
