import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { createContext, use } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { wordsOf } from '../api/failure.ts';
import classes from './page.module.css';
import { showName } from './shown-name.ts';
import { EmptyState } from './empty-state.tsx';

/** The game and the environment of a page, for the title of the browser tab; null outside of games. */
export const PlaceContext = createContext<string | null>(null);

export function Page(props: {
  title: string;
  /** The title of the browser tab; by default the title of the page. */
  tabTitle?: string;
  /** A sentence about the purpose of the page. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Shown above the title, such as the link back to a list. */
  above?: ReactNode;
  children: ReactNode;
}) {
  const { title: name, tabTitle = name, lead, actions, above, children } = props;
  const place = use(PlaceContext);
  const title = showName(name);
  useDocumentTitle(
    [showName(tabTitle), place, 'Overworld'].filter((part) => part !== null).join(' · '),
  );
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

export function Card(props: {
  title?: ReactNode;
  actions?: ReactNode;
  /** True if the content reaches the edges of the card, as tables do. */
  flush?: boolean;
  children: ReactNode;
}) {
  const { title, actions, flush = false, children } = props;
  return (
    <section className={classes.card}>
      {(title || actions) && (
        <Group justify="space-between" className={classes.cardHead} gap="xs">
          <Title order={2} className={classes.cardTitle}>
            {title}
          </Title>
          {actions}
        </Group>
      )}
      <div className={flush ? undefined : classes.cardBody}>{children}</div>
    </section>
  );
}

/** Stands in for the content of a card or a page. */
export const EmptyCard = (props: ComponentProps<typeof EmptyState>) => (
  <Card>
    <EmptyState {...props} />
  </Card>
);

/** Cards in as many columns as fit. */
export const Cards = ({ children }: { children: ReactNode }) => (
  <div className={classes.cards}>{children}</div>
);

/** Says that loading failed, and offers to try again. */
export function ReadProblem({ query }: { query: Failable }) {
  return (
    <Alert color="clay" title="This could not be loaded" role="alert">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{wordsOf(query.error)}</Text>
        <Button size="xs" variant="default" onClick={() => query.refetch()}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

export interface Failable {
  error: unknown;
  refetch: () => unknown;
}

export interface Readable<T> extends Failable {
  data: T | undefined;
}

/** Shows the answer to a query. Until there is an answer, shows a skeleton or the failure. */
export function Loaded<T>(props: {
  query: Readable<T>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, skeleton = <Lines />, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ReadProblem query={query} />;
  return skeleton;
}

export function Lines({ count = 5 }: { count?: number }) {
  return (
    <Stack gap="sm" role="group" aria-busy aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={20} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
