/** Formats of percentages for all texts. This module imports nothing, so the dashboard can use it too. */

const shareFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const wholeFormat = new Intl.NumberFormat('en', { style: 'percent' });
const change = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** Writes 0.125 as `12.5%`. */
export const formatShare = (value: number): string => shareFormat.format(value);

/**
 * A share or a change of fewer players, sessions or events than this is not written as a percentage. The 95%
 * confidence interval of a share of 50% of 50 players reaches from 37% to 63%.
 */
export const FEW = 50;
export const isFew = (count: number): boolean => count < FEW;

/** Writes a part of a whole as its share, such as `12.5%`, or as `2 of 3` if the whole is too small for one. */
export function writeShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  return isFew(whole) ? `${part} of ${whole}` : formatShare(part / whole);
}

/** Writes 0.125 as `13%`, for places where many shares stand side by side. */
export const formatWholeShare = (value: number): string => wholeFormat.format(value);

/** Writes a change of 0.05 as `+5%`, and a change of -0.2134 as `−21.3%`. */
export const formatSignedShare = (value: number): string => change.format(value).replace('-', '−');

/** Writes 12.345, a percentage that somebody has set, as `12.345%`. */
export const formatPercent = (percent: number): string => `${exact.format(percent)}%`;
