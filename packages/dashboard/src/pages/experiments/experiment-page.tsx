import { Button, Menu, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { ActionsMenu, DangerItem } from '../../ui/actions-menu.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { Confirm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { formatShare } from '../../ui/format.ts';
import { ItemPage } from '../../ui/item-page.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { Stat, StatsSkeleton } from '../../ui/stat.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { parametersOf } from './experiment-words.ts';
import type { Experiment } from './experiment-words.ts';
import { StateBadge } from './state-badge.tsx';
import { Results } from './results/results.tsx';
import { ShareForm } from './share-form.tsx';
import { ShipDialog } from './shipping/ship-dialog.tsx';
import { VariantsTable } from './variants-table.tsx';
import { showName } from '../../ui/shown-name.ts';

export function Component() {
  const { inEnvironment } = useGame();
  const { experiment_id = '' } = useParams();
  const experiment = useRead(
    'GET /v1/games/{game_id}/experiments/{experiment_id}',
    inEnvironment({ experiment_id }),
  );
  return (
    <ItemPage
      title={experiment.data?.name ?? 'Experiment'}
      lead={experiment.data?.description}
      item={experiment}
      list={{ path: 'experiments', name: 'Experiments' }}
      missingTitle="No such experiment"
      missingWords="It was deleted, or it belongs to the other environment."
      actions={
        experiment.data ? (
          <ExperimentActions experiment={experiment.data} />
        ) : (
          experiment.isPending && <Skeleton height={36} width={196} />
        )
      }
    >
      <Stack gap="md">
        <Card>
          <Loaded query={experiment} skeleton={<StatsSkeleton />}>
            {(data) => <Summary experiment={data} />}
          </Loaded>
        </Card>
        {experiment.data && (
          <Results
            experiment={experiment.data}
            after={<VariantsTable experiment={experiment.data} />}
          />
        )}
      </Stack>
    </ItemPage>
  );
}

function Summary({ experiment }: { experiment: Experiment }) {
  const { state, share, condition, started_at, stopped_at, variants, shipped_variant } = experiment;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg">
      <Stat label="State" value={<StateBadge state={state} />} />
      <Stat
        label={condition ? 'Players whom the condition selects' : 'Players'}
        value={formatShare(share / 100)}
      />
      <Stat label="Started" value={started_at ? <Ago at={started_at} /> : 'Not yet'} />
      {shipped_variant === null ? (
        <Stat label="Ended" value={stopped_at ? <Ago at={stopped_at} /> : 'Not yet'} />
      ) : (
        <Stat
          label="Shipped"
          value={<span className="truncate">{showName(variants[shipped_variant]!.name)}</span>}
        />
      )}
    </SimpleGrid>
  );
}

type Asked = 'start' | 'stop' | 'ship' | 'share' | 'delete';

function ExperimentActions({ experiment }: { experiment: Experiment }) {
  const { can, path } = useGame();
  const { id, state } = experiment;
  const [asked, setAsked] = useState<Asked | null>(null);
  if (!can('developer')) return null;
  return (
    <>
      {state === 'draft' && (
        <>
          <ButtonLink variant="default" to={`${path('experiments', id)}/edit`}>
            Edit
          </ButtonLink>
          <Button onClick={() => setAsked('start')}>Start</Button>
        </>
      )}
      {state === 'running' && (
        <Button variant="default" onClick={() => setAsked('stop')}>
          Stop
        </Button>
      )}
      {(state === 'running' || state === 'stopped') && (
        <Button onClick={() => setAsked('ship')}>Ship the winner</Button>
      )}
      <ActionsMenu>
        {state === 'running' && (
          <Menu.Item onClick={() => setAsked('share')}>Raise the share</Menu.Item>
        )}
        <DangerItem disabled={state === 'running'} onClick={() => setAsked('delete')}>
          Delete experiment
        </DangerItem>
      </ActionsMenu>
      <Dialogs experiment={experiment} asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}

function Dialogs(props: { experiment: Experiment; asked: Asked | null; onClose: () => void }) {
  const { experiment, asked, onClose } = props;
  const { environment, inEnvironment, path } = useGame();
  const navigate = useNavigate();
  const input = inEnvironment({ experiment_id: experiment.id });
  const start = useChange('POST /v1/games/{game_id}/experiments/{experiment_id}/start');
  const stop = useChange('POST /v1/games/{game_id}/experiments/{experiment_id}/stop');
  const remove = useChange('DELETE /v1/games/{game_id}/experiments/{experiment_id}', {
    leaves: true,
  });
  const share = formatShare(experiment.share / 100);
  return (
    <>
      <Confirm
        opened={asked === 'start'}
        onClose={onClose}
        title="Start this experiment?"
        action="Start experiment"
        onConfirm={async () => {
          await start.mutateAsync(input);
          notify.done('The experiment runs');
        }}
      >
        From now on {share} of the players in {environment}
        {experiment.condition ? ' whom the condition selects' : ''} take part, and get{' '}
        <code>{parametersOf(experiment).join(', ')}</code> by their variant. Variants, condition and
        metrics cannot be changed any more.
      </Confirm>
      <Confirm
        opened={asked === 'stop'}
        onClose={onClose}
        title="Stop this experiment?"
        action="Stop experiment"
        onConfirm={async () => {
          await stop.mutateAsync(input);
          notify.done('The experiment has ended');
        }}
      >
        All players get the remote config again, as the control does. The results stay, but players
        whose time for a metric is not over never count for it. The experiment cannot be started
        again.
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={onClose}
        title="Delete this experiment?"
        action="Delete experiment"
        onConfirm={async () => {
          await remove.mutateAsync(input);
          void navigate(path('experiments'));
        }}
      >
        <b>{showName(experiment.name)}</b> and its results are lost. The remote config stays as it
        is.
      </Confirm>
      <FormDialog opened={asked === 'share'} onClose={onClose} title="Raise the share">
        <ShareForm experiment={experiment} />
      </FormDialog>
      <ShipDialog opened={asked === 'ship'} onClose={onClose} experiment={experiment} />
    </>
  );
}
