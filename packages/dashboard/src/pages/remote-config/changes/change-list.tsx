import { Badge, Group, Stack } from '@mantine/core';
import classes from './change-list.module.css';
import { Dimmed } from '../../../ui/text.tsx';
import type { DiffLine } from './line-diff.ts';
import { listChanges } from './parameter-changes.ts';
import type { ParameterChange, Parameters } from './parameter-changes.ts';
import { showName } from '../../../ui/shown-name.ts';

const KINDS: Record<ParameterChange['kind'], { words: string; color: string }> = {
  added: { words: 'new', color: 'moss' },
  changed: { words: 'changed', color: 'ochre' },
  removed: { words: 'removed', color: 'clay' },
};

/** Shows the differences between two configs, parameter by parameter. */
export function ChangeList({ before, after }: { before: Parameters; after: Parameters }) {
  const changes = listChanges(before, after);
  if (changes.length === 0) {
    return <Dimmed>Nothing differs.</Dimmed>;
  }
  return (
    <Stack gap="xs">
      {changes.map(({ key, kind, parts }) => (
        <section key={key} className={classes.change} aria-label={`Change of ${key}`}>
          <Group gap="xs" wrap="nowrap">
            <code className="name" style={{ fontWeight: 600, minWidth: 0 }}>
              {showName(key)}
            </code>
            <Badge color={KINDS[kind].color}>{KINDS[kind].words}</Badge>
          </Group>
          {parts.map(({ name, lines }) => (
            <div key={name} className={classes.part}>
              <span className={classes.name}>{showName(name)}</span>
              <Lines lines={lines} label={`${name} of ${key}`} />
            </div>
          ))}
        </section>
      ))}
    </Stack>
  );
}

function Lines({ lines, label }: { lines: DiffLine[]; label: string }) {
  return (
    <ul
      className={classes.lines}
      aria-label={label}
      // A long list scrolls. The keyboard can scroll it only if it is a tab stop.
      tabIndex={lines.length > 15 ? 0 : undefined}
    >
      {lines.map(({ kind, text }, index) => (
        <li key={index} data-kind={kind}>
          {kind === 'same' ? (
            <>
              <span className={classes.sign} />
              {text}
            </>
          ) : kind === 'removed' ? (
            <del>
              <span className={classes.sign}>−</span>
              {text}
            </del>
          ) : (
            <ins>
              <span className={classes.sign}>+</span>
              {text}
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}
