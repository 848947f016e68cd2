import classes from './value.module.css';

/** A JSON value on one line. A text stands as it is, other values are monospaced. */
export function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span className={classes.absent}>–</span>;
  if (typeof value === 'string') return <span className="truncate">{value || '""'}</span>;
  const text = JSON.stringify(value);
  return (
    <span className="mono truncate" title={text}>
      {text}
    </span>
  );
}
