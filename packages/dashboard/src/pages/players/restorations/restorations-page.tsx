import { Badge, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { AddButton } from '../../../ui/buttons.tsx';
import { FormDialog } from '../../../ui/forms/dialogs.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { Card, EmptyCard, Loaded, Page } from '../../../ui/page.tsx';
import { Note } from '../../../ui/text.tsx';
import { Ago } from '../../../ui/time/moment.tsx';
import { RestorationForm } from './restoration-form.tsx';
import {
  describeOutcome,
  describeQuestion,
  EVERY_MS,
  isActive,
  LIST,
  LIST_PATH,
  STATES,
} from './restoration.ts';
import type { Restoration } from './restoration.ts';

/** Lists the restorations of saves that bad builds have spoiled. */
export function Component() {
  const { can, inEnvironment, path } = useGame();
  const navigate = useNavigate();
  const list = useRead(LIST, inEnvironment());
  const isAnyActive = list.data?.restorations.some(isActive) ?? false;
  useRead(LIST, inEnvironment(), { every: isAnyActive && EVERY_MS });
  const [asking, dialog] = useDisclosure();
  const button = can('developer') && (
    <AddButton onClick={dialog.open}>Look for bad saves</AddButton>
  );

  return (
    <Page
      title="Restore many saves"
      lead="When a build has spoiled saves, find them, see what each of them would get back, and restore the last good version of all of them. A restoration can be paused, and undone as a whole."
      actions={button}
    >
      <Loaded query={list}>
        {({ restorations }) =>
          restorations.length === 0 ? (
            <EmptyCard title="Nothing was restored yet" action={button}>
              Say which build spoiled which saves. Nothing is changed before you have seen what was
              found.
            </EmptyCard>
          ) : (
            <Stack gap="md">
              {restorations.map((restoration) => (
                <Row key={restoration.restoration_id} restoration={restoration} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <FormDialog opened={asking} onClose={dialog.close} title="Look for bad saves" size="lg">
        <RestorationForm
          onDone={({ restoration_id }) => void navigate(path(LIST_PATH, restoration_id))}
        />
      </FormDialog>
    </Page>
  );
}

function Row({ restoration }: { restoration: Restoration }) {
  const { game, path } = useGame();
  const { state, restoration_id, words, created_at, created_by } = restoration;
  return (
    <Card>
      <Stack gap={4}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Badge color={STATES[state].color} style={{ flex: 'none' }}>
            {STATES[state].word}
          </Badge>
          <TextLink to={path(LIST_PATH, restoration_id)} fw={500} className="name">
            {describeQuestion(restoration, game.time_zone)}
          </TextLink>
        </Group>
        <Text size="sm">{state === 'counting' ? 'Saves are being counted.' : words}</Text>
        {describeOutcome(restoration) !== '' && (
          <Text size="sm">{describeOutcome(restoration)}</Text>
        )}
        <Note className="name">
          <Ago at={created_at} />
          {created_by !== null && `, ${created_by}`}
        </Note>
      </Stack>
    </Card>
  );
}
