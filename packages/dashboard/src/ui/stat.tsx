import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Note } from './text.tsx';

/** A number below its name. */
export function Stat({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <Note>{label}</Note>
      <Text fz={24} lh="32px" fw={600} style={{ letterSpacing: '-0.01em' }}>
        {value}
      </Text>
    </div>
  );
}

/** Stands in for four numbers that are being loaded. */
export function StatsSkeleton() {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg">
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} height={48} />
      ))}
    </SimpleGrid>
  );
}
