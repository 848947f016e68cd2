import { useNavigate } from 'react-router';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { formatShare } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { agoColumn, column, numberColumn, sortedColumn } from '../../ui/tables/columns.tsx';
import { RowLink } from '../../ui/links.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { CopyButton } from '../../copying/copy-button.tsx';
import { parametersOf } from './experiment-words.ts';
import { StateBadge } from './state-badge.tsx';

type Experiment = Answer<'GET /v1/games/{game_id}/experiments'>['experiments'][number];

const NOT_YET = { missing: 'not yet' };

export function Component() {
  const { environment, inEnvironment, can, path } = useGame();
  const navigate = useNavigate();
  const experiments = usePages('GET /v1/games/{game_id}/experiments', inEnvironment());
  const pathOf = ({ id }: Experiment) => path('experiments', id);
  const createButton = can('developer') && (
    <AddButton onClick={() => navigate(path('experiments', 'new'))}>New experiment</AddButton>
  );
  return (
    <Page
      title="Experiments"
      lead={`Give some players in ${environment} other values of the remote config, and see what they do.`}
      actions={
        <>
          <CopyButton key={environment} kind="experiment" />
          {createButton}
        </>
      }
    >
      <TableCard
        label="Experiments"
        {...tableOf(experiments, 'experiments')}
        rowKey={({ id }) => id}
        rowHref={pathOf}
        columns={[
          sortedColumn<Experiment>('name', 'Experiment', (experiment) => (
            <RowLink to={pathOf(experiment)}>{experiment.name}</RowLink>
          )),
          sortedColumn<Experiment>('state', 'State', ({ state }) => <StateBadge state={state} />),
          column<Experiment>('parameters', 'Parameters', (experiment) => (
            <code className="truncate">{parametersOf(experiment).join(', ')}</code>
          )),
          numberColumn('variants', 'Variants', ({ variants }: Experiment) => variants.length),
          sortedColumn<Experiment>(
            'share',
            'Players',
            ({ share, condition }) => `${formatShare(share / 100)}${condition ? ' of some' : ''}`,
            { align: 'end' },
          ),
          agoColumn('started_at', 'Started', NOT_YET),
          agoColumn('stopped_at', 'Ended', NOT_YET),
        ]}
        emptyTitle="No experiments yet"
        emptyWords="Try a price, a reward or a difficulty on a part of your players before all get it. Your game needs no new code: it reads its config as before."
        emptyAction={createButton}
      />
    </Page>
  );
}
