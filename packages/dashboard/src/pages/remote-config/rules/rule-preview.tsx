import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ConfigRule } from '@overworld/contract/remote-config/config';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { parseOr } from '../../../api/exact-json.ts';
import { textOf, wordsOf } from '../../../api/failure.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { RankedBars } from '../../../ui/charts/ranked-bars.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { Dimmed, FailureText, Note, PartTitle } from '../../../ui/text.tsx';
import {
  countOf,
  formatCount,
  formatRatio,
  formatShare,
  isFew,
  writeShare,
} from '../../../ui/format.ts';
import { CONDITION_WORDS, describeRule } from './rule-words.ts';
import { writeRules } from './parameter-draft.ts';
import type { ParameterDraft } from './parameter-draft.ts';
import { showName } from '../../../ui/shown-name.ts';

const ROUTE = 'POST /v1/games/{game_id}/config/preview/rules';
type Preview = Answer<typeof ROUTE>;

/** While a rule is being typed, the preview waits for a pause of this length. */
const PAUSE_MS = 400;

/**
 * Shows the number of recent players who get the value of each rule, and why a chosen player gets a value.
 */
export function RulePreview({ parameter, draft }: { parameter: string; draft: ParameterDraft }) {
  const [opened, setOpened] = useState(false);
  if (!opened) {
    return (
      <Button
        variant="subtle"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpened(true)}
      >
        Who would get what?
      </Button>
    );
  }
  return <OpenPreview parameter={parameter} draft={draft} />;
}

function OpenPreview({ parameter, draft }: { parameter: string; draft: ParameterDraft }) {
  const { inEnvironment, environment } = useGame();
  const [player, setPlayer] = useState('');
  const [player_id] = useDebouncedValue(player, PAUSE_MS);
  const written = tryWrite(draft);
  const [rulesText] = useDebouncedValue(written.text, PAUSE_MS);
  const [key] = useDebouncedValue(parameter || 'new', PAUSE_MS);
  const preview = useQuery({
    queryKey: [ROUTE, environment, key, rulesText, player_id],
    enabled: rulesText !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        ROUTE,
        {
          ...inEnvironment(),
          body: {
            key,
            rules: parseOr(rulesText!, []) as ConfigRule[],
            ...(player_id ? { player_id } : {}),
          },
        },
        signal,
      ),
  });
  const { data } = preview;

  return (
    <Stack gap="xs" component="section" aria-label="Who would get what">
      <Group justify="space-between" align="flex-end" gap="xs">
        <PartTitle>Who would get what</PartTitle>
        <TextInput
          size="xs"
          label="And this player"
          placeholder="Player id"
          value={player}
          onChange={(event) => setPlayer(event.currentTarget.value)}
        />
      </Group>
      {written.problem ? (
        <Dimmed>{written.problem}</Dimmed>
      ) : preview.error ? (
        <FailureText>{wordsOf(preview.error)}</FailureText>
      ) : (
        data &&
        data.by_rule.length === draft.rules.length && (
          <div
            aria-busy={preview.isPlaceholderData}
            style={{ opacity: preview.isPlaceholderData ? 0.6 : 1 }}
          >
            <Shares preview={data} draft={draft} rules={written.rules} />
            {data.player && player_id && (
              <PlayerReasons player={data.player} name={player_id} rules={written.rules} />
            )}
          </div>
        )
      )}
    </Stack>
  );
}

function Shares(props: { preview: Preview; draft: ParameterDraft; rules: ConfigRule[] }) {
  const { preview, draft, rules } = props;
  const { environment, path } = useGame();
  const { sample_size, by_rule, by_default, experiment } = preview;
  if (sample_size === 0) {
    return <Dimmed>No player was seen in {environment} yet.</Dimmed>;
  }
  const textFor = (count: number) =>
    isFew(sample_size)
      ? writeShare(count, sample_size)
      : `${formatShare(count / sample_size)} · ${formatCount(count)}`;
  return (
    <>
      <Note mb={6}>
        Of the {countOf(sample_size, 'player')} who {sample_size === 1 ? 'was' : 'were'} seen last
        in {environment}:
      </Note>
      <RankedBars
        full={sample_size}
        label="Players by value"
        bars={[
          ...rules.map((rule, index) => ({
            key: draft.rules[index]!.id,
            name: (
              <>
                {index + 1}. {rule.name || describeRule(rule)} get{' '}
                <span className="mono">{JSON.stringify(rule.value)}</span>
              </>
            ),
            value: by_rule[index] ?? 0,
            text: textFor(by_rule[index] ?? 0),
          })),
          {
            key: 'default',
            name: (
              <>
                All others get <span className="mono">{draft.value || '…'}</span>
              </>
            ),
            value: by_default,
            text: textFor(by_default),
          },
          ...(experiment === null
            ? []
            : [
                {
                  key: 'experiment',
                  name: (
                    <>
                      Get the value of their variant in{' '}
                      <TextLink to={path('experiments', experiment.id)}>{experiment.name}</TextLink>
                    </>
                  ),
                  value: experiment.players,
                  text: textFor(experiment.players),
                },
              ]),
        ]}
      />
    </>
  );
}

function PlayerReasons(props: {
  player: NonNullable<Preview['player']>;
  name: string;
  rules: ConfigRule[];
}) {
  const { player, name, rules } = props;
  const { environment } = useGame();
  const traits = [
    ...[...Object.entries(player.properties), ...Object.entries(player.stats)].map(
      ([key, value]) => `${key} is ${JSON.stringify(value)}`,
    ),
    player.tags.length > 0 ? `tags ${player.tags.join(', ')}` : 'no tags',
  ].join(', ');
  return (
    <Stack gap={2} mt="sm">
      <Text size="sm" className="name">
        <b>{showName(name)}</b>{' '}
        {player.variant_name !== null &&
          `gets the value of the variant ${player.variant_name} of the running experiment. By the rules alone it `}
        {player.rule === null ? 'matches no rule' : `matches rule ${player.rule + 1}`}
        {player.is_known ? ` (${traits}).` : `, and was never seen in ${environment}.`}
      </Text>
      {player.rules.map(({ unmatched, place }, index) => (
        <Note key={index} className="name">
          Rule {index + 1}:{' '}
          {unmatched !== null
            ? CONDITION_WORDS[unmatched]
            : index === player.rule
              ? 'matches'
              : 'would match, but an earlier rule does'}
          {place !== null &&
            `; place ${formatRatio(place)} of 100, and the rule takes those below ${rules[index]?.percentage}`}
        </Note>
      ))}
    </Stack>
  );
}

/** Returns the rules of a draft and their JSON, or the mistake that prevents a preview. */
function tryWrite(draft: ParameterDraft) {
  try {
    const rules = writeRules(draft.rules);
    return { rules, text: JSON.stringify(rules), problem: null };
  } catch (error) {
    return { rules: [], text: null, problem: textOf(error) };
  }
}
