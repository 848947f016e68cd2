import { Badge, Group, Table } from '@mantine/core';
import { OUTCOMES } from '../../../restorations/restoration.ts';
import { useGame } from '../../../shell/game.ts';
import { formatScore } from '../../../ui/format.ts';
import { TextLink } from '../../../ui/links.tsx';
import { Card } from '../../../ui/page.tsx';
import type { ShownStatRestoration } from './restoration.ts';

type ExampleValue = ShownStatRestoration['examples'][number];

const show = (value: number | null): string => (value === null ? 'none' : formatScore(value));

/** Shows some of the values that were found, with what they become. */
export function ExampleValues({ values }: { values: readonly ExampleValue[] }) {
  const { path } = useGame();
  return (
    <Card title="Some of these values">
      <Table aria-label="Some of these values">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Player</Table.Th>
            <Table.Th>Statistic</Table.Th>
            <Table.Th ta="right">Value</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {values.map(({ player_id, key, value, value_after, is_out_of_bounds, state }) => (
            <Table.Tr key={`${player_id} ${key}`}>
              <Table.Td>
                <Group gap="xs">
                  <TextLink to={`${path('players', player_id)}?tab=stats`} fw={500}>
                    {player_id}
                  </TextLink>
                  {is_out_of_bounds && <Badge color="ochre">past a bound</Badge>}
                  {OUTCOMES[state] !== undefined && <Badge color="gray">{OUTCOMES[state]}</Badge>}
                </Group>
              </Table.Td>
              <Table.Td className="name">{key}</Table.Td>
              <Table.Td ta="right">
                {show(value)} → {show(value_after)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
