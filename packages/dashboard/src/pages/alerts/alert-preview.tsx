import { Alert, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { describeReading } from '@overworld/contract/alerts/alert-words';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { wordsOf } from '../../api/failure.ts';
import { useGame } from '../../shell/game.ts';
import type { AlertBody } from './alert-values.ts';

const PREVIEW = 'POST /v1/games/{game_id}/alerts/preview';

const NO_PREVIEW = { data: undefined, error: null };

/** Says whether the rule would have held for the last finished period. */
export function AlertPreview({ body }: { body: AlertBody }) {
  const { game_id } = useGame();
  const { metric, event_name, period = 'day', comparison, threshold, baseline = 'usual' } = body;
  const rule = { metric, event_name: event_name ?? null, period, comparison, threshold, baseline };
  const asked = JSON.stringify({ ...rule, environment: body.environment });
  const [settled] = useDebouncedValue(asked, 300);
  const { event_name: named, ...known } = JSON.parse(settled) as typeof rule & {
    environment: AlertBody['environment'];
  };
  const isWhole = typeof threshold === 'number' && !Number.isNaN(threshold);
  const preview = useQuery({
    queryKey: [PREVIEW, game_id, settled],
    queryFn: ({ signal }) => {
      const input = { ...known, name: 'Preview', ...(named !== null && { event_name: named }) };
      return call(PREVIEW, { params: { game_id }, body: input }, signal);
    },
    // The delayed rule may still lack a number that the form already has.
    enabled: isWhole && typeof known.threshold === 'number',
    retry: false,
    placeholderData: keepPreviousData,
  });
  const { data, error } = isWhole ? preview : NO_PREVIEW;
  return (
    <Alert color={data?.is_met ? 'clay' : 'gray'} py="xs" role="status" mih={58}>
      {!isWhole ? (
        <Text size="sm">Enter a number to see whether the alert would fire.</Text>
      ) : error ? (
        <Text size="sm">{wordsOf(error)}</Text>
      ) : (
        data && (
          <Text size="sm">
            <b>{period === 'day' ? 'The last full day' : 'The last full hour'}:</b>{' '}
            {describeReading(rule, data)}{' '}
            {data.is_met === null
              ? 'The alert could not tell.'
              : data.is_met
                ? 'The alert would fire.'
                : 'The alert would be silent.'}
          </Text>
        )
      )}
    </Alert>
  );
}
