/** A series as a small line that readers compare between rows. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const points = values.map(
    (value, place) =>
      `${((place / Math.max(1, values.length - 1)) * 96 + 2).toFixed(1)},${(22 - (value / highest) * 20).toFixed(1)}`,
  );
  return (
    <svg width={100} height={24} aria-hidden style={{ display: 'block' }}>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--chart)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}
