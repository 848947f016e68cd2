import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { formatCount } from '../../../ui/format.ts';
import { diffJson } from './json-diff.ts';
import classes from './save-diff.module.css';

/** Nobody reads more differences. The others are counted. */
const SHOWN = 100;
const SIGNS = { added: '+', removed: '−', changed: '~' };

export function SaveDiff({ before, after }: { before: object; after: object }) {
  const differences = useMemo(() => diffJson(before, after), [before, after]);
  if (differences.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing.
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {differences.slice(0, SHOWN).map((each) => (
        <li key={each.path} className={classes.line} data-kind={each.kind}>
          <span className={classes.sign} aria-label={each.kind}>
            {SIGNS[each.kind]}
          </span>
          <code className={classes.path}>{each.path}</code>
          <span className={classes.values}>
            {each.kind !== 'added' && <del>{short(each.before)}</del>}
            {each.kind === 'changed' && ' → '}
            {each.kind !== 'removed' && <ins>{short(each.after)}</ins>}
          </span>
        </li>
      ))}
      {differences.length > SHOWN && (
        <li className={classes.line}>and {formatCount(differences.length - SHOWN)} more</li>
      )}
    </ul>
  );
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
