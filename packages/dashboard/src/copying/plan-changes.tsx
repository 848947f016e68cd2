import { Stack, Text } from '@mantine/core';
import {
  sayChange,
  sayCounts,
  sayEffects,
  sayField,
  sayRole,
  sayVersion,
  shownFields,
} from '@overworld/contract/definitions/plan-words';
import type { ShownPlan } from '@overworld/contract/definitions/plan-words';
import { showName } from '../ui/shown-name.ts';
import { Note } from '../ui/text.tsx';
import classes from './plan-changes.module.css';

/** A list with more lines scrolls. */
const MOST_LINES = 15;

/** Shows a plan in the words of the command line. */
export function PlanChanges(props: { plan: ShownPlan }) {
  const { plan, role, changes, effects } = props.plan;
  const effectsOf = sayEffects(effects);
  return (
    <Stack gap="xs" role="group" aria-label="Plan">
      {changes.map((change) => {
        const name = showName(sayChange(change));
        const version = sayVersion(change);
        const fields = shownFields(change);
        return (
          <section key={name} className={classes.change} aria-label={name}>
            <div className={classes.name}>
              <code>{name}</code>
              {version !== null && `: ${version}`}
            </div>
            <ul
              className={classes.fields}
              aria-label={`Members of ${name}`}
              // The keyboard can scroll the list only if it is a tab stop.
              tabIndex={fields.length > MOST_LINES ? 0 : undefined}
            >
              {fields.map((field) => (
                <li key={field.path}>{showName(sayField(field, JSON.stringify))}</li>
              ))}
            </ul>
            <ul className={classes.effects} aria-label={`Effects of ${name}`}>
              {effectsOf(change).map((words) => (
                <li key={words}>{showName(words)}</li>
              ))}
            </ul>
          </section>
        );
      })}
      <Text size="sm">{[sayCounts(changes), ...sayRole(role)].join(' ')}</Text>
      <Note className="mono name">Plan {plan}</Note>
    </Stack>
  );
}
