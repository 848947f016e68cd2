import { Chip, Group, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { MAX_SCHEDULED_HOURS } from '@overworld/contract/messages/message-limits';
import { WEEKDAYS } from '@overworld/contract/messages/weekdays';
import { Note, PartTitle } from '../../ui/text.tsx';
import type { MessageDraft, Weekday } from './message-draft.ts';
import { dayName, hourWords } from './message-words.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: hourWords(hour),
}));

/** The fields that say when a message is sent again and again. */
export function ScheduleFields(props: { form: UseFormReturnType<MessageDraft>; zone: string }) {
  const { form, zone } = props;
  const { weekdays } = form.values;
  return (
    <Stack gap="xs">
      <div role="group" aria-label="Days">
        <PartTitle mb={4}>Days</PartTitle>
        <Chip.Group
          multiple
          value={weekdays}
          onChange={(days) => form.setFieldValue('weekdays', days as Weekday[])}
        >
          <Group gap={6}>
            {WEEKDAYS.map((day) => (
              <Chip key={day} value={day} size="xs">
                {dayName(day)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Note mt={4}>{weekdays.length === 0 ? 'None chosen: every day' : 'Every week'}</Note>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={`Hour (${zone})`}
          data={HOURS}
          allowDeselect={false}
          {...form.getInputProps('hour')}
        />
        <NumberInput
          label="Each message lasts (hours)"
          min={1}
          max={MAX_SCHEDULED_HOURS}
          allowDecimal={false}
          {...form.getInputProps('lasts_hours')}
        />
      </SimpleGrid>
    </Stack>
  );
}
