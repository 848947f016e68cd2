import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import { MAX_DEEDS } from '@overworld/contract/analytics-limits';
import classes from '../../../reports/builder.module.css';
import { ConditionsField } from '../../../reports/conditions-field.tsx';
import { EventChoiceFields } from '../../../reports/event-choice-fields.tsx';
import { useEventNames, usePlayerProperties } from '../../../reports/known-names.ts';
import { IconPlus, IconX } from '../../../ui/icons.ts';
import { Card } from '../../../ui/page.tsx';
import { useTypedText } from '../../../ui/typed-text.ts';
import { BLANK_DEED } from './use-segment-question.ts';
import type { Deed, SegmentQuestion } from './use-segment-question.ts';

const MAX_TIMES = 1_000_000;

/** Says who is in a segment: who the players are, and what they did. */
export function SegmentBuilder({ question }: { question: SegmentQuestion }) {
  const { tags, conditions, deeds } = question;
  const properties = usePlayerProperties();
  const events = useEventNames();
  return (
    <Card title="Players who">
      <Stack gap="md">
        <TagsInput
          label="Have all of these tags"
          placeholder={tags.length > 0 ? undefined : 'any'}
          value={tags}
          onChange={question.setTags}
        />
        <div>
          <Text size="sm" fw={500} mb={6}>
            Have these properties
          </Text>
          <ConditionsField
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
            {deeds.map((deed, index) => (
              <DeedFields
                key={`${index} of ${deeds.length}`}
                number={index + 1}
                deed={deed}
                events={events}
                onChange={(next) => question.setDeeds(deeds.with(index, next))}
                onRemove={() => question.setDeeds(deeds.toSpliced(index, 1))}
              />
            ))}
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} aria-hidden />}
                disabled={deeds.length >= MAX_DEEDS}
                onClick={() => question.setDeeds([...deeds, BLANK_DEED])}
              >
                Add event
              </Button>
              {(tags.length > 0 || conditions.length > 0 || deeds.length > 0) && (
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

function DeedFields(props: {
  number: number;
  deed: Deed;
  events: readonly string[];
  onChange: (deed: Deed) => void;
  onRemove: () => void;
}) {
  const { number, deed, events, onChange, onRemove } = props;
  return (
    <fieldset className={classes.deed}>
      <legend className="visually-hidden">Event {number}</legend>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <SegmentedControl
          size="xs"
          aria-label={`Whether they did event ${number}`}
          data={[
            { value: 'did', label: 'Did' },
            { value: 'did not', label: 'Did not' },
          ]}
          value={deed.did ? 'did' : 'did not'}
          onChange={(value) => onChange({ ...deed, did: value === 'did' })}
        />
        <Times number={number} deed={deed} onChange={onChange} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove event ${number}`}
          onClick={onRemove}
        >
          <IconX size={15} />
        </ActionIcon>
      </Group>
      <EventChoiceFields
        label={`Event ${number}`}
        events={events}
        choice={deed}
        onChange={onChange}
      />
    </fieldset>
  );
}

/** How often; told when the field is left, not at each digit. */
function Times(props: { number: number; deed: Deed; onChange: (deed: Deed) => void }) {
  const { number, deed, onChange } = props;
  const { text, setText, tell } = useTypedText(String(deed.at_least), (times) =>
    onChange({ ...deed, at_least: Number(times) }),
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
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        times or more
      </Text>
    </Group>
  );
}
