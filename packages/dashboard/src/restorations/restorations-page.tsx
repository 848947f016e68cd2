import { Badge, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useGame } from '../shell/game.ts';
import { AddButton } from '../ui/buttons.tsx';
import { FormDialog } from '../ui/forms/dialogs.tsx';
import { TextLink } from '../ui/links.tsx';
import { Card, EmptyCard, Loaded, Page } from '../ui/page.tsx';
import { Note } from '../ui/text.tsx';
import { Ago } from '../ui/time/moment.tsx';
import { describeOutcome, STATES } from './restoration.ts';
import type { Restoration, RestorationWords } from './restoration.ts';

interface RestorationsPageProps<Listed extends Restoration> {
  title: string;
  lead: string;
  query: UseQueryResult<{ restorations: Listed[] }>;
  words: RestorationWords;
  /** Describes what a restoration looks for. */
  describe: (restoration: Listed) => string;
  /** The name of the button and the dialog with the question. */
  ask: string;
  emptyWords: string;
  /** The form of the question. */
  form: (onDone: (restoration: Restoration) => void) => ReactNode;
}

/** The page with the list of restorations of one kind. */
export function RestorationsPage<Listed extends Restoration>(props: RestorationsPageProps<Listed>) {
  const { title, lead, query, words, describe, ask, emptyWords, form } = props;
  const { can, path } = useGame();
  const navigate = useNavigate();
  const [asking, dialog] = useDisclosure();
  const button = can('developer') && <AddButton onClick={dialog.open}>{ask}</AddButton>;
  return (
    <Page title={title} lead={lead} actions={button}>
      <Loaded query={query}>
        {({ restorations }) =>
          restorations.length === 0 ? (
            <EmptyCard title="Nothing was restored yet" action={button}>
              {emptyWords}
            </EmptyCard>
          ) : (
            <Stack gap="md">
              {restorations.map((restoration) => (
                <Row
                  key={restoration.restoration_id}
                  restoration={restoration}
                  question={describe(restoration)}
                  words={words}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <FormDialog opened={asking} onClose={dialog.close} title={ask} size="lg">
        {form(({ restoration_id }) => void navigate(path(words.list_path, restoration_id)))}
      </FormDialog>
    </Page>
  );
}

function Row(props: { restoration: Restoration; question: string; words: RestorationWords }) {
  const { restoration, question, words } = props;
  const { path } = useGame();
  const { state, restoration_id, created_at, created_by } = restoration;
  const outcome = describeOutcome(restoration, words);
  return (
    <Card>
      <Stack gap={4}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Badge color={STATES[state].color} style={{ flex: 'none' }}>
            {STATES[state].word}
          </Badge>
          <TextLink to={path(words.list_path, restoration_id)} fw={500} className="name">
            {question}
          </TextLink>
        </Group>
        <Text size="sm">
          {state === 'counting' ? 'Players are being counted.' : restoration.words}
        </Text>
        {outcome !== '' && <Text size="sm">{outcome}</Text>}
        <Note className="name">
          <Ago at={created_at} />
          {created_by !== null && `, ${created_by}`}
        </Note>
      </Stack>
    </Card>
  );
}
