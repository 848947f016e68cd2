/** The used share of a limit. A limit of zero counts as used up. */
export const shareOf = (used: number, limit: number) => (limit > 0 ? used / limit : 1);

/** Shows the used share of a limit. The bar is ochre near the limit and clay at the limit. */
export function Meter({ label, value, limit }: { label: string; value: number; limit: number }) {
  const share = Math.min(1, shareOf(value, limit));
  const color =
    share >= 1
      ? 'var(--mantine-color-clay-filled)'
      : share >= 0.8
        ? 'var(--development)'
        : 'var(--chart)';
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={value}
      style={{ height: 8, borderRadius: 4, background: 'var(--hairline)', overflow: 'hidden' }}
    >
      <div
        style={{
          width: `${share * 100}%`,
          minWidth: value > 0 ? 4 : 0,
          height: '100%',
          background: color,
        }}
      />
    </div>
  );
}
