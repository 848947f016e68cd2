import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Failure } from '../api/failure.ts';
import { useGame } from '../shell/game.ts';
import { EmptyCard, Page } from './page.tsx';
import type { Readable } from './page.tsx';
import { ButtonLink, TextLink } from './links.tsx';

/** The page of one item. It has a link back to the list, and shows a message if the item does not exist. */
export function ItemPage(props: {
  title: string;
  lead?: ReactNode;
  actions: ReactNode;
  item: Readable<unknown>;
  /** The page that lists the items. `path` is relative to the game's pages, and `to` is a whole path. */
  list: { name: string } & ({ path: string } | { to: string });
  /** Shown in place of an item that does not exist. */
  missingTitle: string;
  missingWords: string;
  children: ReactNode;
}) {
  const { item, list, missingTitle, missingWords, actions, children, ...page } = props;
  const { path } = useGame();
  const isMissing = item.error instanceof Failure && item.error.status === 404;
  const to = 'to' in list ? list.to : path(list.path);
  return (
    <Page
      {...page}
      actions={!isMissing && actions}
      above={
        <TextLink to={to} mb={4} display="inline-flex">
          <IconChevronLeft size={16} aria-hidden style={{ alignSelf: 'center', flex: 'none' }} />
          {list.name}
        </TextLink>
      }
    >
      {isMissing ? (
        <EmptyCard
          title={missingTitle}
          action={
            <ButtonLink to={to}>
              {'to' in list ? `Back to ${list.name}` : `All ${list.name.toLowerCase()}`}
            </ButtonLink>
          }
        >
          {missingWords}
        </EmptyCard>
      ) : (
        children
      )}
    </Page>
  );
}
