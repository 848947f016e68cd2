import { Select, Stack, Text } from '@mantine/core';
import { EventChoiceFields } from '../../../reports/questions/event-choice-fields.tsx';
import { useEventNames, useEventProperties } from '../../../reports/questions/known-names.ts';
import { SuggestedInput } from '../../../reports/questions/suggested-input.tsx';
import { Card } from '../../../ui/page.tsx';
import type { BreakdownQuestion } from './use-breakdown-question.ts';

export function BreakdownBuilder({ question }: { question: BreakdownQuestion }) {
  const { choice, group_by, property, choices, measure } = question;
  const events = useEventNames();
  const properties = useEventProperties(choice.event_name);
  return (
    <Card title="Question">
      <Stack gap="md">
        <div>
          <Text size="sm" fw={500} mb={4} aria-hidden>
            Event
          </Text>
          <EventChoiceFields
            label="Event"
            events={events}
            choice={choice}
            onChange={question.setChoice}
          />
        </div>
        <SuggestedInput
          label="Broken down by"
          isLabelled
          description="A property, such as the item or the country"
          placeholder="nothing"
          suggestions={properties}
          value={group_by}
          onChange={question.setGroupBy}
        />
        <SuggestedInput
          label="Numbers of"
          isLabelled
          description="A property that is a number, such as the price"
          placeholder="nothing: events are counted"
          suggestions={properties}
          value={property}
          onChange={question.setProperty}
        />
        <Select
          label="Show"
          data={choices.map(({ value, name, isOfProperty }) => ({
            value,
            label: isOfProperty ? `${name} of ${property}` : name,
          }))}
          value={measure.value}
          onChange={(value) => value && question.setMeasure(value)}
          allowDeselect={false}
        />
      </Stack>
    </Card>
  );
}
