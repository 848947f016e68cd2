import { Checkbox, SegmentedControl, Select, Stack, TagsInput } from '@mantine/core';
import {
  MAX_HIDDEN_EVENTS,
  MAX_PATH_EVENTS,
  MAX_PATH_STEPS,
} from '@overworld/contract/analytics/limits';
import { usePathExamples } from '../../../reports/questions/examples.ts';
import { AskedReport } from '../../../reports/questions/asked-report.tsx';
import { EventField } from '../../../reports/questions/event-choice-fields.tsx';
import { useEventNames } from '../../../reports/questions/known-names.ts';
import { countOf } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { PathsAnswer } from './paths-answer.tsx';
import { usePathQuestion } from './use-path-question.ts';
import type { PathQuestion } from './use-path-question.ts';

export function Component() {
  const question = usePathQuestion();
  return (
    <AskedReport
      report="path"
      title="Paths"
      lead="What players do next after an event, or did before it."
      file_name="paths"
      question={question}
      builder={<PathBuilder question={question} />}
      toDo="Choose an event"
      example="Such as the end of the tutorial: the chart shows what players did next, and how many stopped there."
      useExamples={usePathExamples}
    >
      {(paths, report) => <PathsAnswer paths={paths} query={question.query} report={report} />}
    </AskedReport>
  );
}

const SESSION = 'session';
const WINDOWS = [1, 6, 24, 72, 168];

function PathBuilder({ question }: { question: PathQuestion }) {
  const { choice, direction, window_hours, steps, limit, hide, repeats } = question;
  const events = useEventNames();
  const windows =
    window_hours === null || WINDOWS.includes(window_hours) ? WINDOWS : [...WINDOWS, window_hours];
  return (
    <Card title="Question">
      <Stack gap="md">
        <SegmentedControl
          aria-label="Direction"
          fullWidth
          data={[
            { value: 'next', label: 'After' },
            { value: 'previous', label: 'Before' },
          ]}
          value={direction}
          onChange={question.setDirection}
        />
        <EventField label="Event" events={events} choice={choice} onChange={question.setChoice} />
        <Select
          label="Within"
          data={[
            { value: SESSION, label: 'the session' },
            ...windows.map((hours) => ({ value: String(hours), label: hoursWords(hours) })),
          ]}
          value={window_hours === null ? SESSION : String(window_hours)}
          onChange={(value) => question.setWindow(value === SESSION ? null : Number(value))}
        />
        <Select
          label="Steps"
          data={numbersTo(MAX_PATH_STEPS).map((count) => ({
            value: String(count),
            label: countOf(count, 'step'),
          }))}
          value={String(steps)}
          onChange={(value) => question.setSteps(Number(value))}
        />
        <Select
          label="Events at each step"
          description="The most frequent ones; the others stand together"
          data={numbersTo(MAX_PATH_EVENTS).map(String)}
          value={String(limit)}
          onChange={(value) => question.setLimit(Number(value))}
        />
        <TagsInput
          label="Leave out"
          description="Events that say nothing, such as a heartbeat"
          placeholder={hide.length === 0 ? 'nothing' : undefined}
          data={events.filter((name) => name !== choice.event_name)}
          maxTags={MAX_HIDDEN_EVENTS}
          value={hide}
          onChange={question.setHide}
        />
        <Checkbox
          label="Count an event again when it repeats"
          checked={repeats === 'keep'}
          onChange={({ currentTarget: { checked } }) => question.setRepeats(checked)}
        />
      </Stack>
    </Card>
  );
}

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const hoursWords = (hours: number) =>
  hours % 24 === 0 && hours > 24 ? countOf(hours / 24, 'day') : countOf(hours, 'hour');
