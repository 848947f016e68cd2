import { Select, Stack } from '@mantine/core';
import { useBreakdownExamples } from '../../../reports/questions/examples.ts';
import { AskedReport } from '../../../reports/questions/asked-report.tsx';
import { BreakdownAnswer } from './breakdown-answer.tsx';
import { useBreakdownQuestion } from './use-breakdown-question.ts';
import type { BreakdownQuestion } from './use-breakdown-question.ts';
import { EventField } from '../../../reports/questions/event-choice-fields.tsx';
import { useEventNames, useEventProperties } from '../../../reports/questions/known-names.ts';
import { SuggestedInput } from '../../../reports/questions/suggested-input.tsx';
import { Card } from '../../../ui/page.tsx';

export function Component() {
  const question = useBreakdownQuestion();
  return (
    <AskedReport
      report="breakdown"
      title="Breakdown"
      lead="Count events, players and sums by the values of a property: purchases by item, by country, by player."
      question={question}
      hasGroups={question.group_by !== ''}
      builder={<BreakdownBuilder question={question} />}
      toDo="Choose an event"
      example="Such as a purchase, broken down by its item, with the numbers of its price."
      useExamples={useBreakdownExamples}
    >
      {(breakdown, report) => (
        <BreakdownAnswer
          breakdown={breakdown}
          question={question}
          report={report}
          before={report.before}
        />
      )}
    </AskedReport>
  );
}

function BreakdownBuilder({ question }: { question: BreakdownQuestion }) {
  const { choice, group_by, property, choices, measure } = question;
  const events = useEventNames();
  const properties = useEventProperties(choice.event_name);
  return (
    <Card title="Question">
      <Stack gap="md">
        <EventField label="Event" events={events} choice={choice} onChange={question.setChoice} />
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
        />
      </Stack>
    </Card>
  );
}
