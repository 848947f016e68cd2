import { Alert, Stack, Text } from '@mantine/core';
import type { Config } from '../config.ts';
import { ChangeList } from './change-list.tsx';

/**
 * Shows the changes that others have made since the reader began to edit, so that the reader does not
 * undo them by mistake.
 */
export function Meanwhile({ seen, current }: { seen: Config; current: Config }) {
  if (seen.version === current.version) return null;
  const { version, created_by, schedule } = current;
  const author = schedule ? `, by “${schedule.name}”` : created_by ? `, by ${created_by}` : '';
  return (
    <Alert color="ochre" title={`Changed meanwhile: version ${version}${author}`}>
      <Stack gap="xs">
        <Text size="sm">These changes stay, unless you change the same parameter.</Text>
        <ChangeList before={seen.parameters} after={current.parameters} />
      </Stack>
    </Alert>
  );
}
