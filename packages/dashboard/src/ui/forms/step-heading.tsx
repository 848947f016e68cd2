import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

/** The heading of a step of a dialog. It takes the focus, because the button that led here is gone. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Text component="h3" ref={heading} tabIndex={-1} fw={600} m={0} style={{ outline: 'none' }}>
      {children}
    </Text>
  );
}
