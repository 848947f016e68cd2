import type { getPaths } from '@overworld/contract/analytics/paths';
import type { SuccessOf } from '@overworld/contract/operation';
import { createPlayerNumbers } from '../scan/player-numbers.ts';

type Report = SuccessOf<typeof getPaths>;

/** The base of the number that stands for a path. The number has one digit for each step. */
export const BASE = 256;
/** Digits: `END` for no further event, `OTHER` for a name without its own digit, then the digits of names. */
export const END = 0;
export const OTHER = 1;
export const FIRST_NAME = 2;

interface StepOptions {
  steps: number;
  /** The maximum number of events that are listed at each step. */
  limit: number;
  /** The name that a digit stands for. */
  nameOf: (digit: number) => string | null;
}

/** Counts the events of each step, the links between steps, and whole paths. */
export function countSteps(
  codes: Float64Array,
  { steps, limit, nameOf }: StepOptions,
): Pick<Report, 'steps' | 'links' | 'paths'> {
  const paths = countEqual(codes).map(({ code, count }) => ({
    digits: digitsOf(code, steps),
    count,
  }));
  const counted = (count: number) => ({ count, share: count / codes.length });
  const byName = (a: number, b: number) => compare(nameOf(a) ?? '', nameOf(b) ?? '');

  const places = Array.from({ length: steps }, (_, step) => {
    const counts = new Float64Array(BASE);
    for (const { digits, count } of paths) {
      if (reaches(digits, step)) counts[digits[step]!]! += count;
    }
    const named = [...counts.keys()]
      .filter((digit) => counts[digit]! > 0 && nameOf(digit) !== null)
      .toSorted((a, b) => counts[b]! - counts[a]! || byName(a, b));
    const listed = named.slice(0, limit);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const other = total - counts[END]! - listed.reduce((sum, digit) => sum + counts[digit]!, 0);
    const events: Report['steps'][number] = listed.map((digit) => ({
      kind: 'event',
      event_name: nameOf(digit),
      ...counted(counts[digit]!),
    }));
    const place_of = new Int16Array(BASE).fill(listed.length);
    listed.forEach((digit, place) => {
      place_of[digit] = place;
    });
    if (other > 0) events.push({ kind: 'other', event_name: null, ...counted(other) });
    place_of[END] = events.length;
    if (counts[END]! > 0) events.push({ kind: 'end', event_name: null, ...counted(counts[END]!) });
    return { events, place_of };
  });

  const links: Report['links'] = [];
  for (let step = 0; step < steps; step++) {
    const counts = new Map<number, number>();
    for (const { digits, count } of paths) {
      if (!reaches(digits, step)) continue;
      const from = step === 0 ? 0 : places[step - 1]!.place_of[digits[step - 1]!]!;
      const key = from * BASE + places[step]!.place_of[digits[step]!]!;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
    for (const [key, count] of [...counts].toSorted(([a], [b]) => a - b)) {
      const [from, to] = [Math.floor(key / BASE), key % BASE];
      links.push({ step: step + 1, from, to, ...counted(count) });
    }
  }
  const whole = paths.map(({ digits, count }) => {
    const events = [...digits].filter((digit) => digit !== END).map(nameOf);
    return { events, has_ended: events.length < steps, ...counted(count) };
  });
  const textOf = ({ events }: { events: (string | null)[] }) => JSON.stringify(events);
  return {
    steps: places.map(({ events }) => events).filter((events) => events.length > 0),
    links,
    paths: whole.toSorted((a, b) => b.count - a.count || compare(textOf(a), textOf(b))),
  };
}

/** Tells whether a path has this step, or ends right before it. */
const reaches = (digits: Uint8Array, step: number) => step === 0 || digits[step - 1] !== END;

/** Lists the different paths, each once, with the number of times that it occurs. To sort all would take longer. */
function countEqual(codes: Float64Array): { code: number; count: number }[] {
  const numbers = createPlayerNumbers();
  const counted: { code: number; count: number }[] = [];
  for (const code of codes) {
    const number = numbers.numberOf(Math.floor(code / 2 ** 32), code | 0);
    if (number === counted.length) counted.push({ code, count: 1 });
    else counted[number]!.count++;
  }
  return counted.toSorted((a, b) => a.code - b.code);
}

function digitsOf(code: number, steps: number): Uint8Array {
  const digits = new Uint8Array(steps);
  let rest = code;
  for (let step = steps - 1; step >= 0; step--) {
    digits[step] = rest % BASE;
    rest = Math.floor(rest / BASE);
  }
  return digits;
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
