import { Alert, Button, Group, Stack } from '@mantine/core';
import { SUSPICIOUS_SAMPLE_RATIO_CHANCE } from '@overworld/contract/remote-config/experiment-limits';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { Dimmed } from '../../../ui/text.tsx';
import { countOf, formatShare, writeShare } from '../../../ui/format.ts';
import { Card, EmptyCard, Lines, Loaded } from '../../../ui/page.tsx';
import type { Experiment, Results as Answer } from '../experiment-words.ts';
import { countPlayers, MetricCard } from './metric-card.tsx';

/**
 * Shows the results, and below them `after`. `after` appears only when the results have loaded. Otherwise the
 * results would push it down while the user reads it.
 */
export function Results({ experiment, after }: { experiment: Experiment; after: ReactNode }) {
  const { inEnvironment } = useGame();
  const results = useRead(
    'GET /v1/games/{game_id}/experiments/{experiment_id}/results',
    inEnvironment({ experiment_id: experiment.id }),
    { slow: true, enabled: experiment.state !== 'draft' },
  );
  if (experiment.state === 'draft') {
    return (
      <>
        <EmptyCard title="Not started">
          Results come when the experiment runs and players have read their config.
        </EmptyCard>
        {after}
      </>
    );
  }
  return (
    <>
      <Loaded
        query={results}
        skeleton={
          <Card>
            <Lines />
          </Card>
        }
      >
        {(data) => (
          <Stack gap="md">
            <Warnings results={data} />
            <Group justify="space-between" gap="xs">
              <Dimmed className="name">
                {countOf(sumOf(data), 'player')}: {countPlayers(data.variants)}. As of{' '}
                <Ago at={data.as_of} />. Look as often as you like: the intervals are made for that.
              </Dimmed>
              {experiment.state === 'running' && (
                <Button
                  size="xs"
                  variant="default"
                  loading={results.isFetching}
                  onClick={() => results.refetch()}
                >
                  Refresh
                </Button>
              )}
            </Group>
            {data.metrics.map((result, index) => (
              <MetricCard
                key={JSON.stringify(result.metric)}
                experiment={experiment}
                result={result}
                number={index + 1}
                isWaiting={results.isFetching}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      {!results.isPending && after}
    </>
  );
}

const sumOf = ({ variants }: Answer) =>
  variants.reduce((sum, { exposed_players }) => sum + exposed_players, 0);

function Warnings({ results }: { results: Answer }) {
  const { is_split_suspicious, variants, mixed_players } = results;
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  const broken = results.metrics.filter(({ warns }) => warns).length;
  return (
    <>
      {is_split_suspicious && (
        <Alert color="clay" role="alert" title="Do not trust these results">
          The variants do not have the shares of players that the weights give them:{' '}
          {variants
            .map(
              ({ name, weight, exposed_players }) =>
                `${name} has ${writeShare(exposed_players, sumOf(results))} instead of ${formatShare(weight / weights)}`,
            )
            .join(', ')}
          . By accident that has a chance of less than {formatShare(SUSPICIOUS_SAMPLE_RATIO_CHANCE)}
          . Something keeps players of a variant from reading their config, such as a crash at the
          start.
        </Alert>
      )}
      {broken > 0 && (
        <Alert color="clay" role="alert" title="A guardrail is broken">
          {broken === 1
            ? 'A metric that must not get worse'
            : `${broken} metrics that must not get worse`}{' '}
          got worse. Think about stopping the experiment.
        </Alert>
      )}
      {mixed_players > 0 && (
        <Dimmed>
          {countOf(mixed_players, 'player')} merged from players of different variants{' '}
          {mixed_players === 1 ? 'counts' : 'count'} for none.
        </Dimmed>
      )}
    </>
  );
}
