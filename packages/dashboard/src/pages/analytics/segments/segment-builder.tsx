import {
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import { MAX_EVENT_CONDITIONS } from '@overworld/contract/analytics/limits';
import { IconX } from '@tabler/icons-react';
import { describeCell } from '../../../reports/drill-down/cells.ts';
import classes from '../../../reports/questions/builder.module.css';
import { EventChoiceFields } from '../../../reports/questions/event-choice-fields.tsx';
import { useEventNames, usePlayerProperties } from '../../../reports/questions/known-names.ts';
import { PlayerConditionsField } from '../../../reports/questions/player-conditions-field.tsx';
import { RemovablePill } from '../../../ui/conditions/condition-pills.tsx';
import { AddButton, IconButton } from '../../../ui/buttons.tsx';
import { Note } from '../../../ui/text.tsx';
import { Card } from '../../../ui/page.tsx';
import { useTypedText } from '../../../ui/forms/typed-text.ts';
import { BLANK_CONDITION } from './use-segment-question.ts';
import type { EventCondition, SegmentQuestion } from './use-segment-question.ts';

const MAX_TIMES = 1_000_000;

/** Shows the fields for the conditions of a segment, which are about players and about their events. */
export function SegmentBuilder({ question }: { question: SegmentQuestion }) {
  const { tags, conditions, eventConditions } = question;
  const properties = usePlayerProperties();
  const events = useEventNames();
  return (
    <Card title="Players who">
      <Stack gap="md">
        {question.cell !== null && (
          <div>
            <Text size="sm" fw={500} mb={6}>
              Are behind a number of a report
            </Text>
            <RemovablePill
              name="the number of a report"
              maw="100%"
              bg="var(--hover)"
              onRemove={question.dropCell}
            >
              {[describeCell(question.cell), ...question.among].join(', ')}
            </RemovablePill>
          </div>
        )}
        <TagsInput
          label="Have all of these tags"
          placeholder={tags.length > 0 ? undefined : 'any'}
          value={tags}
          onChange={question.setTags}
        />
        <div>
          <Text size="sm" fw={500} mb={6}>
            Have these properties and statistics
          </Text>
          <PlayerConditionsField
            conditions={conditions}
            properties={properties}
            onChange={question.setConditions}
          />
        </div>
        <div>
          <Text size="sm" fw={500} mb={6}>
            Did or did not, in these days
          </Text>
          <Stack gap="sm">
            {eventConditions.map((condition, index) => (
              <EventConditionFields
                key={`${index} of ${eventConditions.length}`}
                number={index + 1}
                condition={condition}
                events={events}
                onChange={(next) => question.setEventConditions(eventConditions.with(index, next))}
                onRemove={() => question.setEventConditions(eventConditions.toSpliced(index, 1))}
              />
            ))}
            <Group gap="xs">
              <AddButton
                variant="default"
                size="xs"
                disabled={eventConditions.length >= MAX_EVENT_CONDITIONS}
                onClick={() => question.setEventConditions([...eventConditions, BLANK_CONDITION])}
              >
                Add event
              </AddButton>
              {(tags.length > 0 ||
                conditions.length > 0 ||
                eventConditions.length > 0 ||
                question.cell !== null) && (
                <Button variant="subtle" color="gray" size="xs" onClick={question.clear}>
                  Start anew
                </Button>
              )}
            </Group>
          </Stack>
        </div>
      </Stack>
    </Card>
  );
}

function EventConditionFields(props: {
  number: number;
  condition: EventCondition;
  events: readonly string[];
  onChange: (condition: EventCondition) => void;
  onRemove: () => void;
}) {
  const { number, condition, events, onChange, onRemove } = props;
  return (
    <fieldset className={classes.eventCondition}>
      <legend className="visually-hidden">Event {number}</legend>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <SegmentedControl
          size="xs"
          aria-label={`Whether they did event ${number}`}
          data={[
            { value: 'did', label: 'Did' },
            { value: 'did not', label: 'Did not' },
          ]}
          value={condition.did ? 'did' : 'did not'}
          onChange={(value) => onChange({ ...condition, did: value === 'did' })}
        />
        <Times number={number} condition={condition} onChange={onChange} />
        <IconButton
          icon={IconX}
          iconSize={15}
          label={`Remove event ${number}`}
          onClick={onRemove}
        />
      </Group>
      <EventChoiceFields
        label={`Event ${number}`}
        events={events}
        choice={condition}
        onChange={onChange}
      />
    </fieldset>
  );
}

/**
 * The field for the number of times that an event must have occurred. A typed number
 * takes effect when the reader leaves the field or presses Enter, not at each digit.
 */
function Times(props: {
  number: number;
  condition: EventCondition;
  onChange: (condition: EventCondition) => void;
}) {
  const { number, condition, onChange } = props;
  const { text, setText, tell } = useTypedText(String(condition.at_least), (times) =>
    onChange({ ...condition, at_least: Number(times) }),
  );
  const tellWhole = () => {
    const times = String(Math.min(MAX_TIMES, Math.max(1, Math.round(Number(text)) || 1)));
    setText(times);
    tell(times);
  };
  return (
    <Group gap={6} wrap="nowrap" style={{ flex: 1 }} justify="flex-end">
      <NumberInput
        size="xs"
        w={64}
        hideControls
        aria-label={`How often event ${number}`}
        min={1}
        max={MAX_TIMES}
        allowDecimal={false}
        value={text}
        onChange={(times) => setText(String(times))}
        onBlur={tellWhole}
        onKeyDown={({ key }) => key === 'Enter' && tellWhole()}
      />
      <Note style={{ whiteSpace: 'nowrap' }}>times or more</Note>
    </Group>
  );
}
