/** Formats of lengths of time for all texts. This module imports nothing, so the dashboard can use it too. */

const ratio = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Writes 3725 seconds as `1 h 2 min`: in the two largest units, rounded. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds < 0.005 ? 0 : ratio.format(seconds)} s`;
  const whole_seconds = Math.round(seconds);
  const [large, small] = DURATION_UNITS.find(([{ length }]) => whole_seconds >= length)!;
  const smalls = Math.round(whole_seconds / small.length);
  const per = large.length / small.length;
  const rest = smalls % per;
  const first = `${whole.format(Math.floor(smalls / per))} ${large.name}`;
  return rest === 0 || large === small ? first : `${first} ${rest} ${small.name}`;
}

const SECOND = { name: 's', length: 1 };
const MINUTE = { name: 'min', length: 60 };
const HOUR = { name: 'h', length: 3_600 };
const DAY = { name: 'd', length: 86_400 };
/** Each unit, with the smaller unit that shows its remainder. */
const DURATION_UNITS = [
  [DAY, HOUR],
  [HOUR, MINUTE],
  [MINUTE, SECOND],
  [SECOND, SECOND],
] as const;
