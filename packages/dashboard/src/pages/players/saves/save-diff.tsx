import { Button, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Dimmed } from '../../../ui/text.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { diffJson } from './json-diff.ts';
import classes from './save-diff.module.css';

/** The number of differences that are shown at first, and that each click adds. */
const SHOWN = 100;
/** With fewer differences than this, a reader needs no search. */
const SEARCHED = 20;
const SIGNS = { added: '+', removed: '−', changed: '~' };

/** Lists the differences between two saves, each with its path in the data. */
export function SaveDiff({ before, after }: { before: object; after: object }) {
  const differences = useMemo(() => diffJson(before, after), [before, after]);
  const [shown, setShown] = useState(SHOWN);
  const [searched, setSearched] = useState('');
  if (differences.length === 0) {
    return <Dimmed>Nothing.</Dimmed>;
  }
  const part = searched.trim().toLowerCase();
  const found = differences.filter(({ path }) => path.toLowerCase().includes(part));
  return (
    <div>
      {differences.length > SEARCHED && (
        <TextInput
          size="xs"
          mb={6}
          maw={320}
          aria-label="Part of a path"
          placeholder={`Find in ${countOf(differences.length, 'change')} by path`}
          value={searched}
          onChange={({ currentTarget: { value } }) => setSearched(value)}
        />
      )}
      <ul className={classes.list} aria-label="Changes">
        {found.slice(0, shown).map((each) => (
          <li key={`${each.kind} ${each.path}`} className={classes.line} data-kind={each.kind}>
            <span className={classes.sign} role="img" aria-label={each.kind}>
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
        {found.length === 0 && <li className={classes.line}>No path has this text</li>}
      </ul>
      {found.length > shown && (
        <Button size="xs" variant="subtle" mt={6} onClick={() => setShown(shown + SHOWN)}>
          Show more of {formatCount(found.length)}
        </Button>
      )}
    </div>
  );
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
