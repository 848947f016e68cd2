import { Group, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import classes from './builder.module.css';
import { ConditionsField } from './conditions-field.tsx';
import type { EventChoice } from './event-choice.ts';
import { useEventProperties } from './known-names.ts';
import { SuggestedInput } from './suggested-input.tsx';

export function EventChoiceFields<C extends EventChoice>(props: {
  label: string;
  events: readonly string[];
  choice: C;
  onChange: (choice: C) => void;
  /** Shown beside the name. */
  children?: ReactNode;
}) {
  const { label, events, choice, onChange, children } = props;
  const properties = useEventProperties(choice.event_name);
  return (
    <div className={classes.fields}>
      <Group gap={4} wrap="nowrap">
        <div style={{ flex: 1, minWidth: 0 }}>
          <SuggestedInput
            label={label}
            placeholder="Choose an event"
            suggestions={events}
            value={choice.event_name}
            onChange={(event_name) => onChange({ ...choice, event_name })}
          />
        </div>
        {children}
      </Group>
      {choice.event_name !== '' && (
        <ConditionsField
          conditions={choice.filter}
          properties={properties}
          onChange={(filter) => onChange({ ...choice, filter })}
        />
      )}
    </div>
  );
}

/** The fields that choose the event of a report on only one event. */
export const EventField = (props: ComponentProps<typeof EventChoiceFields<EventChoice>>) => (
  <div>
    <Text size="sm" fw={500} mb={4} aria-hidden>
      {props.label}
    </Text>
    <EventChoiceFields {...props} />
  </div>
);
