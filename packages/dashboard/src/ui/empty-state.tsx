import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ContourGlyph } from './contours/contour-glyph.tsx';
import { Dimmed } from './text.tsx';

/** Stands in for content that does not exist yet: a glyph, a sentence and the next thing to do. */
export function EmptyState(props: {
  title: string;
  /** The level of the heading: 1 if the empty state fills a page. */
  order?: 1 | 2;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ContourGlyph seed={props.title} size={88} />
      <Title order={props.order ?? 2} mt="xs">
        {props.title}
      </Title>
      <Dimmed maw={440} style={{ textWrap: 'balance' }}>
        {props.children}
      </Dimmed>
      {props.action && <div style={{ marginTop: 8 }}>{props.action}</div>}
    </Stack>
  );
}
