import { Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { AddButton, IconButton } from '../../../ui/buttons.tsx';
import { Grip } from '../../../ui/arranging/grip.tsx';
import { applyMove, useArrangement } from '../../../ui/arranging/use-arrangement.ts';
import { Note, PartTitle } from '../../../ui/text.tsx';
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
  const order = useArrangement({
    items: rules,
    nameOf: (rule) => `Rule ${rules.indexOf(rule) + 1}`,
    onMove: async (move) => onChange(applyMove(rules, move)),
  });

  // A button that is disabled loses the focus, so buttons
  // at the ends of the list are only marked as disabled.
  const mover = (rule: RuleDraft, index: number) => (
    <>
      <Grip className={classes.grip} name={`rule ${index + 1}`} {...order.gripOf(rule)} />
      <IconButton
        className={classes.tool}
        icon={IconArrowUp}
        iconSize={15}
        label={`Move rule ${index + 1} up`}
        aria-disabled={index === 0}
        data-disabled={index === 0 || undefined}
        onClick={() => order.moveBy(rule.id, -1)}
      />
      <IconButton
        className={classes.tool}
        icon={IconArrowDown}
        iconSize={15}
        label={`Move rule ${index + 1} down`}
        aria-disabled={index === rules.length - 1}
        data-disabled={index === rules.length - 1 || undefined}
        onClick={() => order.moveBy(rule.id, 1)}
      />
    </>
  );

  return (
    <Stack gap="sm">
      <div>
        <PartTitle>Rules</PartTitle>
        <Note>The first one that matches a player gives the value.</Note>
      </div>
      {order.items.map((rule, index) => (
        <RuleFields
          key={rule.id}
          number={index + 1}
          rule={rule}
          readOnly={readOnly}
          onChange={(next) => onChange(rules.map((each) => (each === rule ? next : each)))}
          onRemove={() => onChange(rules.filter((each) => each !== rule))}
          mover={!readOnly && rules.length > 1 && mover(rule, index)}
          place={order.placeOf(rule)}
        />
      ))}
      <span className="visually-hidden" role="status">
        {order.announcement}
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
