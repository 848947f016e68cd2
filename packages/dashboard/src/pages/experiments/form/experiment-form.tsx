import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { isVisible } from '@overworld/contract/names';
import { useForm } from '@mantine/form';
import type { KeyboardEvent } from 'react';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Form } from '../../../ui/forms/form.tsx';
import { Card } from '../../../ui/page.tsx';
import { ButtonLink } from '../../../ui/links.tsx';
import { writeDraft } from './experiment-draft.ts';
import type { ExperimentDraft, NewExperiment } from './experiment-draft.ts';
import { MetricsFields } from './metrics-fields.tsx';
import { PlayersFields } from './players-fields.tsx';
import { VariantsFields } from './variants-fields.tsx';

/** The form for a whole experiment, step by step on one page. */
export function ExperimentForm<Stored>(props: {
  draft: ExperimentDraft;
  parameters: Answer<'GET /v1/games/{game_id}/config'>['parameters'];
  /** The page to which `Cancel` leads. */
  cancel: string;
  onSubmit: (experiment: Required<NewExperiment>) => Promise<Stored>;
  onDone: (stored: Stored) => void;
}) {
  const { draft, parameters, cancel, onSubmit, onDone } = props;
  const { path } = useGame();
  const form = useForm({
    initialValues: draft,
    validate: { name: (name) => (isVisible(name) ? null : 'Name is required') },
  });
  return (
    <Form
      form={form}
      gap="md"
      onSubmit={async (typed) => onSubmit(writeDraft(typed))}
      onDone={onDone}
    >
      <Stack gap="md" onKeyDown={keepFromSubmitting}>
        <Card title="1. The question">
          <Stack gap="md">
            <TextInput
              label="Name"
              placeholder="Higher daily reward"
              {...form.getInputProps('name')}
            />
            <Textarea
              label="Expectation"
              placeholder="More coins for the first session bring players back."
              autosize
              minRows={2}
              {...form.getInputProps('description')}
            />
          </Stack>
        </Card>
        <Card title="2. Variants">
          <VariantsFields form={form} parameters={parameters} />
        </Card>
        <Card title="3. Players">
          <PlayersFields form={form} />
        </Card>
        <Card title="4. Metrics">
          <MetricsFields form={form} />
        </Card>
      </Stack>
      <Group justify="flex-end" gap="xs">
        <ButtonLink variant="default" to={path(cancel)}>
          Cancel
        </ButtonLink>
        <Button type="submit" loading={form.submitting}>
          Save draft
        </Button>
      </Group>
    </Form>
  );
}

/** Keeps Enter in a field from submitting the whole form. */
function keepFromSubmitting(event: KeyboardEvent<HTMLElement>) {
  const { key, target, currentTarget } = event;
  const isOwn = target instanceof HTMLInputElement && target.form === currentTarget.closest('form');
  if (key === 'Enter' && isOwn) event.preventDefault();
}
