/** Shows a JSON value on one line: a text as it is, other values in a monospaced font. */
export function Value({ value }: { value: unknown }) {
  if (value === undefined) {
    return <span style={{ color: 'var(--mantine-color-placeholder)' }}>–</span>;
  }
  if (typeof value === 'string') return <span className="truncate">{value || '""'}</span>;
  const text = JSON.stringify(value);
  return (
    <span className="mono truncate" title={text}>
      {text}
    </span>
  );
}
