import { Alert, Badge, Group, Progress, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount } from '../ui/format.ts';
import { ItemPage } from '../ui/item-page.tsx';
import { Card, Loaded } from '../ui/page.tsx';
import { Note } from '../ui/text.tsx';
import { Ago } from '../ui/time/moment.tsx';
import { describeOutcome, STATES } from './restoration.ts';
import type { Restoration, RestorationWords } from './restoration.ts';

interface RestorationPageProps<Shown extends Restoration> {
  title: string;
  query: UseQueryResult<Shown>;
  words: RestorationWords;
  /** Describes what the restoration looks for. */
  describe: (restoration: Shown) => string;
  actions: (restoration: Shown) => ReactNode;
  /** The parts below the result. */
  children: (restoration: Shown) => ReactNode;
}

/** The page of a restoration: what it has found and done, and what can be done next. */
export function RestorationPage<Shown extends Restoration>(props: RestorationPageProps<Shown>) {
  const { title, query, words, describe, actions, children } = props;
  const found = query.data;
  return (
    <ItemPage
      title={title}
      lead={found && describe(found)}
      actions={found && actions(found)}
      item={query}
      list={{ name: 'Restorations', path: words.list_path }}
      missingTitle="This restoration is gone"
      missingWords="Somebody has deleted it, or it was forgotten after 60 days."
    >
      <Loaded query={query}>
        {(restoration) => (
          <Stack gap="md">
            {restoration.problem !== null && (
              <Alert color="clay" role="alert" title="The work is paused">
                {restoration.problem}
              </Alert>
            )}
            <Summary restoration={restoration} words={words} />
            {children(restoration)}
          </Stack>
        )}
      </Loaded>
    </ItemPage>
  );
}

const WORK: Partial<Record<Restoration['state'], string>> = {
  counting: 'counted',
  running: 'restored',
  undoing: 'taken back',
  paused: 'done',
};

function Summary(props: { restoration: Restoration; words: RestorationWords }) {
  const { restoration, words } = props;
  const { state, progress, created_at, created_by } = restoration;
  const work = WORK[state];
  const outcome = describeOutcome(restoration, words);
  const [first = '', ...rest] = words.thing;
  return (
    <Card title="Result" actions={<Badge color={STATES[state].color}>{STATES[state].word}</Badge>}>
      <Stack gap="xs">
        {work !== undefined && (
          <Group gap="sm" wrap="nowrap">
            <Progress
              value={(progress.done / Math.max(1, progress.of)) * 100}
              size="sm"
              aria-label={`${first.toUpperCase()}${rest.join('')}s that are ${work}`}
              style={{ flex: 1 }}
            />
            <Text size="sm">
              {formatCount(progress.done)} of {formatCount(progress.of)}
            </Text>
          </Group>
        )}
        <Text size="sm" role="status">
          {restoration.words}
        </Text>
        {outcome !== '' && <Text size="sm">{outcome}</Text>}
        <Note className="name">
          Asked <Ago at={created_at} />
          {created_by !== null && ` by ${created_by}`}
        </Note>
      </Stack>
    </Card>
  );
}
