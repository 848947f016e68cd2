import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RowName } from '../../../ui/text.tsx';

/** A way to log in, with its name, its description or last use, and its buttons. */
export function FactorRow(props: { name: ReactNode; children: ReactNode; actions: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <div style={{ flex: '1 1 220px', minWidth: 0 }}>
        <RowName>{props.name}</RowName>
        <Text size="sm" c="dimmed" component="div">
          {props.children}
        </Text>
      </div>
      <Group gap={4}>{props.actions}</Group>
    </Group>
  );
}
