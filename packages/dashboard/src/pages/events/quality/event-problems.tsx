import { Group, Modal, Stack } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { PlayerLink } from '../../../shell/player-name.tsx';
import { RowButton } from '../../../ui/buttons.tsx';
import { countOf } from '../../../ui/format.ts';
import { useDialog } from '../../../ui/forms/dialogs.tsx';
import { Code } from '../../../ui/json/code.tsx';
import { ButtonLink } from '../../../ui/links.tsx';
import { showName } from '../../../ui/shown-name.ts';
import { actionsColumn, agoColumn, column, memberColumn } from '../../../ui/tables/columns.tsx';
import { TableCard } from '../../../ui/tables/table-card.tsx';
import { Dimmed } from '../../../ui/text.tsx';
import { Ago } from '../../../ui/time/moment.tsx';

type Problem = Answer<'GET /v1/games/{game_id}/event-problems'>['problems'][number];

/** Lists what is wrong with the newest refused and warned events, with a sample of each kind. */
export function EventProblems({ key_id, every }: { key_id: string | undefined; every: number }) {
  const { inEnvironment } = useGame();
  const query = useRead('GET /v1/games/{game_id}/event-problems', inEnvironment({}, { key_id }), {
    every,
  });
  const showing = useDialog<Problem>();
  return (
    <>
      <TableCard
        title="What is wrong, in the last seven days"
        label="Kinds of problems"
        rows={query.data?.problems}
        query={query}
        rowKey={({ key_id: key, kind, event_name, message }) =>
          JSON.stringify([key, kind, event_name, message])
        }
        columns={[
          column<Problem>('message', 'Problem', ({ event_name, message }) => (
            <Stack gap={0}>
              <code className="truncate">{showEvent(event_name)}</code>
              <span className="name">{message}</span>
            </Stack>
          )),
          column<Problem>('key_name', 'API key', ({ key_name }) => (
            <span className="name">{showKey(key_name)}</span>
          )),
          memberColumn('event_count', 'Events'),
          column<Problem>('kind', 'Outcome', ({ kind }) => OUTCOMES[kind]),
          agoColumn('last_at', 'Last'),
          actionsColumn((row: Problem) => (
            <RowButton aria-label={`Show ${row.message}`} onClick={() => showing.open(row)}>
              Show
            </RowButton>
          )),
        ]}
        emptyTitle="Nothing was refused"
        emptyWords="In the last seven days no event was malformed or broke its schema."
      />
      <Modal {...showing.frame} title="What is wrong" size="lg">
        {showing.item && <Details problem={showing.item} />}
      </Modal>
    </>
  );
}

const OUTCOMES = { refused: 'Refused', warned: 'Stored' } as const;
const showEvent = (event_name: string | null) =>
  event_name === null ? 'no name' : showName(event_name);
const showKey = (key_name: string | null) => key_name ?? 'a deleted key';

function Details({ problem }: { problem: Problem }) {
  const { path } = useGame();
  const { event_name, message, sample, player_id } = problem;
  const breaksSchema = /^properties[.[]/.test(problem.path);
  return (
    <Stack gap="md">
      <p className="name">
        <b>{message}</b>
      </p>
      <Dimmed>
        {countOf(problem.event_count, 'event')} named <code>{showEvent(event_name)}</code> from{' '}
        <b>{showKey(problem.key_name)}</b>{' '}
        {problem.kind === 'refused'
          ? 'made their requests be refused'
          : 'were stored with a warning'}
        . The first came <Ago at={problem.first_at} />, the last <Ago at={problem.last_at} />.
      </Dimmed>
      {sample === null ? (
        <Dimmed>No event of this kind is kept.</Dimmed>
      ) : (
        <>
          <Dimmed>One of the newest, as the game sent it:</Dimmed>
          <Code text={indent(sample)} label="event" maxHeight={320} />
          {player_id !== null && (
            <Group gap={6} wrap="nowrap">
              <Dimmed>Player</Dimmed>
              <PlayerLink player_id={player_id} />
            </Group>
          )}
        </>
      )}
      {breaksSchema && (
        <Group>
          <ButtonLink variant="default" to={path('event-schemas')}>
            Event schemas
          </ButtonLink>
        </Group>
      )}
    </Stack>
  );
}

/** A sample that was cut is no JSON. */
function indent(sample: string): string {
  try {
    return JSON.stringify(JSON.parse(sample), null, 2);
  } catch {
    return sample;
  }
}
