import { Group } from '@mantine/core';
import { IconFilter, IconArrowsSplit } from '@tabler/icons-react';
import { ConditionPills, RemovablePill } from '../../ui/conditions/condition-pills.tsx';
import { FormPopover } from '../../ui/forms/form-popover.tsx';
import { isOfFirstSession, PlayerPartForm } from './player-part-form.tsx';
import type { PartKind } from './player-part-form.tsx';
import { usePlayerChoice } from './use-player-choice.ts';
import { partsOf, splitWords } from './player-selection.ts';
import type { PlayerSelection } from './player-selection.ts';

/**
 * Shows the controls that limit the reports of a page to
 * some players, and that split the reports into groups.
 * @param hasGroups True if the question of the page already makes groups. The bar then offers no split.
 */
export function PlayerBar({ hasGroups = false }: { hasGroups?: boolean }) {
  const { selection, split_by, select, split } = usePlayerChoice();
  const { properties } = selection;
  return (
    <Group gap={6}>
      <FormPopover icon={<IconFilter size={16} aria-hidden />} label="Filter players">
        {(close) => (
          <PlayerPartForm
            action="Add"
            onChoose={(kind, name) => {
              select(addPart(selection, kind, name));
              close();
            }}
            onCondition={(condition) => {
              select({ ...selection, properties: [...properties, condition] });
              close();
            }}
          />
        )}
      </FormPopover>
      <ConditionPills
        size="md"
        maw="100%"
        bg="var(--hover)"
        conditions={properties}
        onChange={(next) => select({ ...selection, properties: next })}
      />
      {partsOf(selection).map(({ words, without }) => (
        <PartPill key={words} words={words} onRemove={() => select(without)} />
      ))}
      {!hasGroups && (
        <>
          <FormPopover icon={<IconArrowsSplit size={16} aria-hidden />} label="Split">
            {(close) => (
              <PlayerPartForm
                action="Split"
                onChoose={(kind, name) => {
                  split(isOfFirstSession(kind) ? `property:${kind}` : `${kind}:${name}`);
                  close();
                }}
              />
            )}
          </FormPopover>
          {split_by !== '' && (
            <PartPill words={`split by ${splitWords(split_by)}`} onRemove={() => split('')} />
          )}
        </>
      )}
    </Group>
  );
}

function addPart(selection: PlayerSelection, kind: PartKind, name: string): PlayerSelection {
  const { values, tags, without_tags } = selection;
  if (isOfFirstSession(kind)) {
    return { ...selection, values: [...values, { property: kind, value: name }] };
  }
  const add = (list: string[]) => [...new Set([...list, name.toLowerCase()])];
  if (kind === 'tag') return { ...selection, tags: add(tags) };
  if (kind === 'without_tag') return { ...selection, without_tags: add(without_tags) };
  return { ...selection, segment: name };
}

const PartPill = ({ words, onRemove }: { words: string; onRemove: () => void }) => (
  <RemovablePill name={words} size="md" maw="100%" bg="var(--hover)" onRemove={onRemove}>
    {words}
  </RemovablePill>
);
