import type { Environment } from '@overworld/contract/common';
import { column } from '../ui/tables/columns.tsx';
import type { Column } from '../ui/tables/columns.tsx';
import { EnvironmentDot } from './navigation/environment-switch.tsx';
import { ENVIRONMENT_NAMES } from './game.ts';

/** Shows the name of an environment in its colour and with its pattern. */
export function EnvironmentTag({ environment }: { environment: Environment }) {
  const color = environment === 'production' ? 'var(--accent)' : 'var(--development)';
  return (
    <span style={{ color, display: 'inline-flex', alignItems: 'center', gap: 6, fontWeight: 600 }}>
      <EnvironmentDot environment={environment} />
      {ENVIRONMENT_NAMES[environment]}
    </span>
  );
}

export const environmentColumn = <Row extends { environment: Environment }>(): Column<Row> =>
  column(
    'environment',
    'Environment',
    { value: ({ environment }) => environment },
    ({ environment }) => <EnvironmentTag environment={environment} />,
  );
