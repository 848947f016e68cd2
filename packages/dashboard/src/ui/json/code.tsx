import classes from './code.module.css';
import { CopyButton } from '../copy.tsx';

export function Code({
  text,
  label,
  maxHeight,
}: {
  text: string;
  label: string;
  maxHeight?: number;
}) {
  return (
    <div className={classes.block}>
      <pre
        className={classes.text}
        style={{ maxHeight }}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <code>{text}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

export function Json({
  value,
  label,
  maxHeight = 420,
}: {
  value: unknown;
  label: string;
  maxHeight?: number;
}) {
  return <Code text={JSON.stringify(value, null, 2)} label={label} maxHeight={maxHeight} />;
}
