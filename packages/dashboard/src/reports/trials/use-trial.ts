import { useDebouncedValue } from '@mantine/hooks';
import type { Environment } from '@overworld/contract/common';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Answer, Input } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';

const TRY = 'POST /v1/games/{game_id}/definitions/try';

export type TriedDocument = Input<typeof TRY>['body'];
export type RuleTrial = Answer<typeof TRY>['trials'][number];

/** The trial of a rule. Without a question, it has neither an answer nor a failure. */
export interface Trial {
  isAsked: boolean;
  trials: readonly RuleTrial[] | undefined;
  error: Error | null;
  /** True while the answer of an earlier question is shown. */
  isOld: boolean;
}

/**
 * Tries a definition on the past, whenever it has changed and then rests.
 * @param document Null while there is nothing to try.
 * @param of The environment, if it is another one than that of the page.
 */
export function useTrial(document: TriedDocument | null, of?: Environment): Trial {
  const { inEnvironment, environment } = useGame();
  const written = document === null ? null : JSON.stringify(document);
  const [settled] = useDebouncedValue(written, 300);
  const input = inEnvironment({}, { environment: of ?? environment });
  const isAsked = written !== null;
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [TRY, input, settled],
    queryFn: ({ signal }) => {
      const body = JSON.parse(settled!) as TriedDocument;
      return call(TRY, { ...input, body }, signal);
    },
    enabled: isAsked && settled !== null,
    // The trial takes a turn among the reports.
    meta: { slow: true },
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  if (!isAsked) return { isAsked, trials: undefined, error: null, isOld: false };
  const isOld = isPlaceholderData || written !== settled;
  return { isAsked, trials: data?.trials, error, isOld };
}
