import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { wordsOf } from '../api/failure.ts';
import classes from './page.module.css';

/** A page: its name, what can be done on it, and its content. */
export function Page(props: {
  title: string;
  /** A sentence on what the page is for. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Above the title: where this page belongs to. */
  above?: ReactNode;
  children: ReactNode;
}) {
  const { title, lead, actions, above, children } = props;
  useDocumentTitle(`${title} · Overworld`);
  return (
    <div className={classes.page}>
      {above}
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <div className={classes.heading}>
          <Title order={1} className="name">
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" size="sm" mt={2} maw={680} component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}

/** A sheet of paper on the ground. */
export function Card(props: {
  title?: ReactNode;
  actions?: ReactNode;
  /** Content reaches the edges, as tables do. */
  flush?: boolean;
  children: ReactNode;
}) {
  const { title, actions, flush = false, children } = props;
  return (
    <section className={classes.card}>
      {(title || actions) && (
        <Group justify="space-between" className={classes.cardHead} wrap="nowrap">
          <Title order={2}>{title}</Title>
          {actions}
        </Group>
      )}
      <div className={flush ? undefined : classes.cardBody}>{children}</div>
    </section>
  );
}

/** Says that something could not be read, and reads it again. */
export function ReadProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert color="clay" variant="light" title="This could not be loaded" role="alert">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{wordsOf(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

export interface Readable<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Shows what was read; until then its skeleton, or what went wrong. */
export function Loaded<T>(props: {
  query: Readable<T>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, skeleton = <Lines />, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ReadProblem error={query.error} onRetry={() => query.refetch()} />;
  return skeleton;
}

/** A skeleton of lines. */
export function Lines({ count = 5 }: { count?: number }) {
  return (
    <Stack gap="sm" role="group" aria-busy aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={20} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
