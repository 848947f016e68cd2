import type { ComponentProps } from 'react';
import { EmptyState } from './empty-state.tsx';
import { Card } from './page.tsx';

export const EmptyCard = (props: ComponentProps<typeof EmptyState>) => (
  <Card>
    <EmptyState {...props} />
  </Card>
);
