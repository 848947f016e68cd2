import { Button, Group } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { wordsOf } from '../api/failure.ts';
import { PageUnavailable } from '../load-page.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { PlainFrame } from './plain-frame.tsx';

interface Words {
  title: string;
  text: string;
  /** True if the same URL may work the next time. */
  mayPass: boolean;
}

/** Shown in place of a page that does not exist, that could not be loaded or that broke. */
export function Problem() {
  const { title, text, mayPass } = readProblem(useRouteError());
  useDocumentTitle(`${title} · Overworld`);
  return (
    <EmptyState
      order={1}
      title={title}
      action={
        <Group>
          {mayPass && <Button onClick={() => location.reload()}>Try again</Button>}
          <ButtonLink to="/" variant={mayPass ? 'default' : 'filled'}>
            Go home
          </ButtonLink>
        </Group>
      }
    >
      {text}
    </EmptyState>
  );
}

/** Shows the problem in a plain frame, for errors after which the usual frame of the page is missing too. */
export const FramedProblem = () => (
  <PlainFrame>
    <Problem />
  </PlainFrame>
);

function readProblem(error: unknown): Words {
  if (isRouteErrorResponse(error) && error.status === 404) {
    const text = 'The address leads nowhere. It may be mistyped, or the page is gone.';
    return { title: 'Off the map', text, mayPass: false };
  }
  if (error instanceof PageUnavailable) {
    return { title: 'This page could not be loaded', text: `${error.message}.`, mayPass: true };
  }
  return { title: 'This page could not be shown', text: wordsOf(error), mayPass: true };
}
