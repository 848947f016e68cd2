/** A bar to compare rows by. `share` is relative to the largest row. */
export function ShareBar({ share }: { share: number }) {
  return (
    <div
      aria-hidden
      style={{ height: 10, borderRadius: 2, background: 'var(--hover)', overflow: 'hidden' }}
    >
      <div
        style={{
          width: `${Math.min(1, share) * 100}%`,
          minWidth: share > 0 ? 2 : 0,
          height: '100%',
          background: 'var(--chart)',
        }}
      />
    </div>
  );
}
