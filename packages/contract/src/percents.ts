/** Formats of percentages for all texts. This module imports nothing, so the dashboard can use it too. */

const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en', { style: 'percent' });
const change = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** Writes 0.125 as `12.5%`. */
export const formatShare = (value: number): string => share.format(value);

/** Writes 0.125 as `13%`, for places where many shares stand side by side. */
export const formatWholeShare = (value: number): string => whole.format(value);

/** Writes a change of 0.05 as `+5%`, and a change of -0.2134 as `−21.3%`. */
export const formatSignedShare = (value: number): string => change.format(value).replace('-', '−');

/** Writes 12.345, a percentage that somebody has set, as `12.345%`. */
export const formatPercent = (percent: number): string => `${exact.format(percent)}%`;
