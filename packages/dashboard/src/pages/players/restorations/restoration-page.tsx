import { Alert, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useParams } from 'react-router';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm } from '../../../ui/forms/dialogs.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { ItemPage } from '../../../ui/item-page.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Card, Loaded } from '../../../ui/page.tsx';
import { Ago } from '../../../ui/time/moment.tsx';
import { Note } from '../../../ui/text.tsx';
import { ExampleSaves } from './example-saves.tsx';
import {
  describeOutcome,
  describeQuestion,
  EVERY_MS,
  isActive,
  LIST_PATH,
  READ,
  STATES,
} from './restoration.ts';
import type { Restoration } from './restoration.ts';
import { StartRestoration } from './start-restoration.tsx';

/** Shows what a restoration has found and done, and what can be done next. */
export function Component() {
  const { game, inEnvironment } = useGame();
  const { restoration_id = '' } = useParams();
  const input = inEnvironment({ restoration_id });
  const query = useRead(READ, input);
  useRead(READ, input, { every: query.data !== undefined && isActive(query.data) && EVERY_MS });
  const found = query.data;
  return (
    <ItemPage
      title="Restore many saves"
      lead={found && describeQuestion(found, game.time_zone)}
      actions={found && <Actions restoration={found} />}
      item={query}
      list={{ name: 'Restorations', path: LIST_PATH }}
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
            <Summary restoration={restoration} />
            {restoration.state === 'ready' && restoration.save_count > 0 && (
              <StartRestoration restoration={restoration} />
            )}
            {restoration.save_count > 0 && <ExampleSaves saves={restoration.examples} />}
          </Stack>
        )}
      </Loaded>
    </ItemPage>
  );
}

const WORK: Partial<Record<Restoration['state'], string>> = {
  counting: 'Saves that are counted',
  running: 'Saves that are restored',
  undoing: 'Saves that are taken back',
  paused: 'Saves that are done',
};

function Summary({ restoration }: { restoration: Restoration }) {
  const { state, words, progress, created_at, created_by } = restoration;
  const work = WORK[state];
  const outcome = describeOutcome(restoration);
  return (
    <Card title="Result" actions={<Badge color={STATES[state].color}>{STATES[state].word}</Badge>}>
      <Stack gap="xs">
        {work !== undefined && (
          <Group gap="sm" wrap="nowrap">
            <Progress
              value={(progress.done / Math.max(1, progress.of)) * 100}
              size="sm"
              aria-label={work}
              style={{ flex: 1 }}
            />
            <Text size="sm">
              {formatCount(progress.done)} of {formatCount(progress.of)}
            </Text>
          </Group>
        )}
        <Text size="sm" role="status">
          {words}
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

const PAUSE = 'POST /v1/games/{game_id}/save-restorations/{restoration_id}/pause';
const CONTINUE = 'POST /v1/games/{game_id}/save-restorations/{restoration_id}/continue';
const UNDO = 'POST /v1/games/{game_id}/save-restorations/{restoration_id}/undo';
const DELETE = 'DELETE /v1/games/{game_id}/save-restorations/{restoration_id}';

function Actions({ restoration }: { restoration: Restoration }) {
  const { can, inEnvironment, path } = useGame();
  const navigate = useNavigate();
  const { restoration_id, state, started_at, undo_begun_at, restored_count } = restoration;
  const input = inEnvironment({ restoration_id });
  const pause = useChange(PAUSE);
  const goOn = useChange(CONTINUE);
  const undo = useChange(UNDO);
  const remove = useChange(DELETE, { leaves: true });
  const [isUndoing, undoing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  if (!can('developer')) return null;
  const isUndoable =
    started_at !== null && undo_begun_at === null && ['running', 'paused', 'done'].includes(state);
  return (
    <>
      {isActive(restoration) && (
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate(input)}>
          Pause
        </Button>
      )}
      {state === 'paused' && (
        <Button variant="default" loading={goOn.isPending} onClick={() => goOn.mutate(input)}>
          Go on
        </Button>
      )}
      {isUndoable && (
        <Button variant="default" onClick={undoing.open}>
          Undo
        </Button>
      )}
      {!isActive(restoration) && (
        <Button variant="default" onClick={deleting.open}>
          Delete
        </Button>
      )}
      <Confirm
        opened={isUndoing}
        onClose={undoing.close}
        title="Undo this restoration?"
        action={`Undo ${countOf(restored_count, 'save')}`}
        onConfirm={() => undo.mutateAsync(input)}
      >
        Each restored save gets the version back that it had before, as a new version. Saves of
        players who have played on since the restoration are left alone.
      </Confirm>
      <Confirm
        opened={isDeleting}
        onClose={deleting.close}
        title="Delete this restoration?"
        action="Delete restoration"
        onConfirm={async () => {
          await remove.mutateAsync(input);
          notify.done('Restoration deleted');
          await navigate(path(LIST_PATH));
        }}
      >
        The saves stay as they are, and the restoration cannot be undone any more.
      </Confirm>
    </>
  );
}
