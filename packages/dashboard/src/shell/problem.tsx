import { Button, Group } from '@mantine/core';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { wordsOf } from '../api/failure.ts';
import { EmptyState } from '../ui/empty-state.tsx';

/** Shown in place of a page that does not exist or that broke. */
export function Problem() {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const words =
    isRouteErrorResponse(error) || error instanceof Response
      ? 'The address leads nowhere. It may be mistyped, or the page is gone.'
      : wordsOf(error);
  return (
    <main style={{ display: 'grid', placeItems: 'center', minHeight: '80dvh' }}>
      <EmptyState
        title={
          isMissing || error instanceof Response ? 'Off the map' : 'This page could not be shown'
        }
        action={
          <Group>
            <Button component={Link} to="/">
              Go home
            </Button>
            <Button variant="default" onClick={() => location.reload()}>
              Try again
            </Button>
          </Group>
        }
      >
        {words}
      </EmptyState>
    </main>
  );
}
