import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { AddButton } from '../../../ui/add-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '../../../ui/icons.ts';
import { moved, useReorder } from '../../../ui/use-reorder.ts';
import { blankRule } from './parameter-draft.ts';
import type { RuleDraft } from './parameter-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import classes from './rule-fields.module.css';

/** The rules of a parameter, in the order in which they are tried. */
export function RuleList(props: {
  rules: RuleDraft[];
  readOnly: boolean;
  onChange: (rules: RuleDraft[]) => void;
}) {
  const { rules, readOnly, onChange } = props;
  const [news, setNews] = useState('');
  const order = useReorder(
    rules.map(({ id }) => id),
    (from, to) => {
      onChange(moved(rules, from, to));
      setNews(`Rule ${from + 1} is now rule ${to + 1} of ${rules.length}`);
    },
  );

  const mover = (index: number) => (
    <>
      <IconButton
        className={classes.grip}
        icon={IconGripVertical}
        label={`Move rule ${index + 1}: arrow keys or drag`}
        {...order.grip(index)}
      />
      <IconButton
        className={classes.tool}
        icon={IconArrowUp}
        iconSize={15}
        label={`Move rule ${index + 1} up`}
        disabled={index === 0}
        onClick={() => order.move(index, index - 1)}
      />
      <IconButton
        className={classes.tool}
        icon={IconArrowDown}
        iconSize={15}
        label={`Move rule ${index + 1} down`}
        disabled={index === rules.length - 1}
        onClick={() => order.move(index, index + 1)}
      />
    </>
  );

  return (
    <Stack gap="sm">
      <div>
        <Text fw={600} size="sm">
          Rules
        </Text>
        <Text size="xs" c="dimmed">
          The first one that matches a player gives the value.
        </Text>
      </div>
      {rules.map((rule, index) => (
        <RuleFields
          key={rule.id}
          number={index + 1}
          rule={rule}
          readOnly={readOnly}
          onChange={(next) => onChange(rules.map((each) => (each === rule ? next : each)))}
          onRemove={() => onChange(rules.filter((each) => each !== rule))}
          mover={!readOnly && rules.length > 1 && mover(index)}
          drop={order.sideOf(index)}
          entry={order.entry(index)}
        />
      ))}
      <span className="visually-hidden" role="status">
        {news}
      </span>
      {!readOnly && (
        <AddButton
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...rules, blankRule()])}
        >
          Add rule
        </AddButton>
      )}
    </Stack>
  );
}
