import { Button, Group, Select, Stack } from '@mantine/core';
import { MAX_FUNNEL_STEPS, MIN_FUNNEL_STEPS } from '@overworld/contract/analytics/limits';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useFunnelExamples } from '../../../reports/questions/examples.ts';
import { AskedReport } from '../../../reports/questions/asked-report.tsx';
import { usePlayerChoice } from '../../../reports/players/use-player-choice.ts';
import { splitWords } from '../../../reports/players/player-selection.ts';
import { FunnelAnswer } from './funnel-answer.tsx';
import { FunnelGroups } from './funnel-groups.tsx';
import { BLANK_STEP, useFunnelQuestion } from './use-funnel-question.ts';
import type { FunnelQuestion } from './use-funnel-question.ts';
import { windowWords } from '../../../reports/questions/window-words.ts';
import { EventChoiceFields } from '../../../reports/questions/event-choice-fields.tsx';
import { useEventNames, useEventProperties } from '../../../reports/questions/known-names.ts';
import { SuggestedInput } from '../../../reports/questions/suggested-input.tsx';
import { AddButton, IconButton } from '../../../ui/buttons.tsx';
import { countOf } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import classes from '../../../reports/questions/builder.module.css';

export function Component() {
  const question = useFunnelQuestion();
  const { asked, breakdown } = question;
  const { split_by } = usePlayerChoice();
  return (
    <AskedReport
      report="funnel"
      title="Funnels"
      lead="Where players stop: of those who took the first step, how many took the next ones?"
      question={question}
      hasGroups={breakdown !== ''}
      builder={<FunnelBuilder question={question} />}
      toDo="Choose at least two steps"
      example="Such as the start of a level, its end, and a purchase. Each is an event that your game sends."
      useExamples={useFunnelExamples}
    >
      {(funnel, report) => (
        <Stack gap="md">
          <FunnelAnswer funnel={funnel} asked={asked} report={report} before={report.before} />
          {funnel.groups.length > 0 && (
            <FunnelGroups funnel={funnel} property={breakdown || splitWords(split_by)} />
          )}
        </Stack>
      )}
    </AskedReport>
  );
}

const WINDOWS = [10, 60, 1_440, 4_320, 10_080, 20_160, 43_200, 129_600];

function FunnelBuilder({ question }: { question: FunnelQuestion }) {
  const { steps, window_minutes, breakdown } = question;
  const events = useEventNames();
  const properties = useEventProperties(steps[0]!.event_name);
  const windows = WINDOWS.includes(window_minutes) ? WINDOWS : [...WINDOWS, window_minutes];
  const replace = (index: number, ...by: typeof steps) =>
    question.setSteps(steps.toSpliced(index, 1, ...by));
  const swap = (index: number) => {
    const [first, second] = [steps[index]!, steps[index + 1]!];
    question.setSteps(steps.toSpliced(index, 2, second, first));
  };

  return (
    <Card title="Steps">
      <Stack gap="md">
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li key={`${index} of ${steps.length}`} className={classes.step}>
              <span className={classes.number} aria-hidden>
                {index + 1}
              </span>
              <EventChoiceFields
                label={`Event of step ${index + 1}`}
                events={events}
                choice={step}
                onChange={(choice) => replace(index, choice)}
              >
                <Group gap={0} wrap="nowrap">
                  <IconButton
                    className={classes.tool}
                    icon={IconArrowUp}
                    iconSize={15}
                    label={`Move step ${index + 1} up`}
                    disabled={index === 0}
                    onClick={() => swap(index - 1)}
                  />
                  <IconButton
                    className={classes.tool}
                    icon={IconArrowDown}
                    iconSize={15}
                    label={`Move step ${index + 1} down`}
                    disabled={index === steps.length - 1}
                    onClick={() => swap(index)}
                  />
                  <IconButton
                    className={classes.tool}
                    icon={IconX}
                    iconSize={15}
                    label={`Remove step ${index + 1}`}
                    disabled={steps.length <= MIN_FUNNEL_STEPS}
                    onClick={() => replace(index)}
                  />
                </Group>
              </EventChoiceFields>
            </li>
          ))}
        </ol>
        <Group gap="xs">
          <AddButton
            variant="default"
            size="xs"
            disabled={steps.length >= MAX_FUNNEL_STEPS}
            onClick={() => question.setSteps([...steps, BLANK_STEP])}
          >
            Add step
          </AddButton>
          {steps.some(({ event_name }) => event_name !== '') && (
            <Button variant="subtle" color="gray" size="xs" onClick={question.clear}>
              Start anew
            </Button>
          )}
        </Group>
        <Select
          label="Within"
          description={`From the first step to the last of ${countOf(steps.length, 'step')}`}
          data={windows.map((minutes) => ({
            value: String(minutes),
            label: windowWords(minutes),
          }))}
          value={String(window_minutes)}
          onChange={(value) => question.setWindow(Number(value))}
        />
        <SuggestedInput
          label="Broken down by"
          isLabelled
          description="A property of the first step's event"
          placeholder="nothing"
          suggestions={properties}
          value={breakdown}
          onChange={question.setBreakdown}
        />
      </Stack>
    </Card>
  );
}
