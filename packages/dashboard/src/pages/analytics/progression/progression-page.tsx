import { Select, Stack } from '@mantine/core';
import { AskedReport } from '../../../reports/questions/asked-report.tsx';
import { ConditionsField } from '../../../reports/questions/conditions-field.tsx';
import { SuggestedInput } from '../../../reports/questions/suggested-input.tsx';
import { Card } from '../../../ui/page.tsx';
import { METRICS } from './metrics.ts';
import { ProgressionAnswer } from './progression-answer.tsx';
import { useProgressionQuestion } from './use-progression-question.ts';
import type { ProgressionQuestion } from './use-progression-question.ts';

export function Component() {
  const question = useProgressionQuestion();
  return (
    <AskedReport
      report="progression"
      title="Progression"
      lead="Where players fail, try again and leave for good: levels, or any other steps in order."
      question={question}
      builder={<ProgressionBuilder question={question} />}
      toDo="Choose the event that starts a level, and the property that names it"
      example="Such as level_started, level_failed and level_completed, each with its level."
    >
      {(progression, report) => (
        <ProgressionAnswer progression={progression} question={question} report={report} />
      )}
    </AskedReport>
  );
}

const EVENTS = [
  { member: 'start_event', label: 'Starts with', placeholder: 'Choose an event' },
  { member: 'fail_event', label: 'Fails with', placeholder: 'no event' },
  { member: 'complete_event', label: 'Is completed with', placeholder: 'no event' },
] as const;

function ProgressionBuilder({ question }: { question: ProgressionQuestion }) {
  const { names, properties, property, filter, metric, setEvent } = question;
  return (
    <Card title="Steps">
      <Stack gap="md">
        {EVENTS.map(({ member, label, placeholder }) => (
          <SuggestedInput
            key={member}
            label={label}
            isLabelled
            placeholder={placeholder}
            suggestions={names}
            value={question[member]}
            onChange={(name) => setEvent(member, name)}
          />
        ))}
        <SuggestedInput
          label="Named by"
          isLabelled
          description="The property with the level or the step"
          placeholder="Choose a property"
          suggestions={properties}
          value={property}
          onChange={question.setProperty}
        />
        <ConditionsField
          conditions={filter}
          properties={properties}
          onChange={question.setFilter}
        />
        <Select
          label="Show"
          data={METRICS.map(({ value, name }) => ({ value, label: name }))}
          value={metric.value}
          onChange={(value) => value && question.setMetric(value)}
        />
      </Stack>
    </Card>
  );
}
